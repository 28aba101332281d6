import { type CidrKind, type LockKey, printLockKey } from '../core/lock-key.ts';
import type { NextDecisions } from '../lock/decisions.ts';
import { printPrefix } from '../net/text.ts';
import type { AddressedCluster, AddressedModel, View } from './addressed-model.ts';

/** Everything that the next compile must keep: blocks, join numbers, ports, views of what the topology contains now. */
export function nextDecisions({ clusters, links }: AddressedModel): NextDecisions {
  const next = new Map<string, string | number>();
  const keep = (key: LockKey, value: string | number): void => void next.set(printLockKey(key), value);
  for (const cluster of clusters.values()) {
    const { name, external, externalCIDR, internal, internalCIDR } = cluster;
    if (external.kind === 'auto') keep({ kind: 'block', cluster: name, block: 'external' }, printPrefix(externalCIDR));
    if (internal.kind === 'auto') keep({ kind: 'block', cluster: name, block: 'internal' }, printPrefix(internalCIDR));
    for (const [key, seenAs] of viewsOf(cluster)) keep(key, seenAs);
  }
  for (const { id, join, server, endpoint } of links) {
    keep({ kind: 'join', link: id }, join);
    keep({ kind: 'port', link: id, server: server.cluster.name }, endpoint.nodePort ?? endpoint.servicePort);
  }
  return next;
}

function viewsOf({ name, peers }: AddressedCluster): readonly (readonly [LockKey, string])[] {
  return [...peers.values()].flatMap(({ link, podViews, externalView }) => {
    const decided = (role: CidrKind, { cidr, seenAs }: View) =>
      [{ kind: 'view', link: link.id, viewer: name, role, cidr }, printPrefix(seenAs)] as const;
    return [...podViews.map((it) => decided('pod', it)), decided('external', externalView)];
  });
}
