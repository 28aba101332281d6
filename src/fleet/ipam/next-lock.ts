import { sameValues } from '../../base/core/collections.ts';
import { type CidrKind, type LockKey, printLockKey } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { NextDecisions } from '../lock/decisions.ts';
import { printLock } from '../lock/lock-file.ts';
import type { AddressedCluster, AddressedModel, View } from './addressed-model.ts';

/** The text of the lock file with everything that the next compile must keep. */
export const nextLock = (model: AddressedModel): string => printLock(model.fleet.topologyFile, nextDecisions(model));

/** One decision of a model: a network, a port, or a join number. */
type Decided = readonly [LockKey, Prefix | number];

/** The decisions that the next compile must keep: blocks, join numbers, ports, and views of the present topology. */
export const nextDecisions = (model: AddressedModel): NextDecisions => printedDecisions(modelDecisions(model));

/** Decisions in the form of the lock. */
const printedDecisions = (decisions: readonly Decided[]): NextDecisions =>
  new Map(decisions.map(([key, it]) => [printLockKey(key), typeof it === 'number' ? it : printPrefix(it)]));

/** Decisions of a model before they are printed. */
function modelDecisions({ clusters, links }: AddressedModel): readonly Decided[] {
  const decided: Decided[] = [];
  for (const cluster of clusters.values()) {
    const { name, external, externalCIDR, internal, internalCIDR } = cluster;
    if (external.kind === 'auto') decided.push([{ kind: 'block', cluster: name, block: 'external' }, externalCIDR]);
    if (internal.kind === 'auto') decided.push([{ kind: 'block', cluster: name, block: 'internal' }, internalCIDR]);
    for (const it of viewDecisions(cluster)) decided.push(it);
  }
  for (const { id, join, server, endpoint } of links) {
    decided.push([{ kind: 'join', link: id }, join]);
    decided.push([{ kind: 'port', link: id, server: server.cluster.name }, endpoint.nodePort ?? endpoint.servicePort]);
  }
  return decided;
}

function viewDecisions({ name, peers }: AddressedCluster): readonly Decided[] {
  return [...peers.values()].flatMap(({ link, podViews, externalView }) => {
    const decided = (role: CidrKind, { cidr, seenAs }: View): Decided => [
      { kind: 'view', link: link.id, viewer: name, role, cidr },
      seenAs,
    ];
    return [...podViews.map((it) => decided('pod', it)), decided('external', externalView)];
  });
}

/** The decisions that a lock was printed from, and its text. */
interface Last {
  readonly decisions: readonly Decided[];
  readonly text: string;
}

/**
 * `nextLock` with a memory, for a process that compiles the same topologies repeatedly: a text is printed only if a
 * decision differs from last time.
 */
export function lockMemory(): typeof nextLock {
  const last = new Map<string, Last>();
  return (model) => {
    const { at, topologyFile } = model.fleet;
    const before = last.get(at.source.path);
    const decisions = modelDecisions(model);
    if (before !== undefined && sameValues(() => undefined)(before.decisions, decisions)) return before.text;
    const text = printLock(topologyFile, printedDecisions(decisions));
    last.set(at.source.path, { decisions, text });
    return text;
  };
}
