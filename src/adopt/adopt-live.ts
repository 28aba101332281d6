import { groupBy } from '../core/group-by.ts';
import { printLinkId } from '../core/link-id.ts';
import { type LockKey, printLockKey } from '../core/lock-key.ts';
import type { NextDecisions } from '../lock/decisions.ts';
import type { Link, NetworkModel } from '../model/network-model.ts';
import { printPrefix } from '../net/text.ts';
import type { LiveNetwork, LiveView } from './live-network.ts';

/** The decisions of live clusters, for the lock of a fleet. */
interface Adoption {
  readonly decisions: NextDecisions;
}

/**
 * Writes down what live clusters have decided about the links of a model: views, ports, and an order of joining that explains
 * as many of the views as possible.
 */
export function adoptLive({ links }: Pick<NetworkModel, 'links'>, live: LiveNetwork): Adoption {
  const decisions = new Map<string, string | number>();
  const keep = (key: LockKey, value: string | number): void => void decisions.set(printLockKey(key), value);
  const views = groupBy(live.views, (it) => [pairOf(it.viewer, it.peer)]);
  const ports = new Map(live.ports.map((it) => [pairOf(it.server, it.client), it.port]));
  for (const [index, link] of inLiveOrder(links, views).entries()) {
    const { id } = link;
    const [server, client] = [link.server.cluster.name, link.client.cluster.name];
    keep({ kind: 'join', link: id }, index + 1);
    const port = ports.get(pairOf(server, client));
    if (port !== undefined) keep({ kind: 'port', link: id, server }, port);
    for (const viewer of [server, client]) {
      for (const it of views.get(pairOf(viewer, viewer === server ? client : server)) ?? []) {
        keep({ kind: 'view', link: id, viewer, role: it.kind, cidr: it.cidr }, printPrefix(it.seenAs));
      }
    }
  }
  return { decisions };
}

const pairOf = (first: string, second: string): string => printLinkId({ first, second });

/** Links in the order in which their views were given, as far as that is known. */
function inLiveOrder(links: readonly Link[], views: ReadonlyMap<string, readonly LiveView[]>): readonly Link[] {
  const givenIn = (viewer: string, peer: string): number =>
    Math.max(-1, ...(views.get(pairOf(viewer, peer)) ?? []).map((it) => it.given.version ?? -1));
  const lastOf = (it: Link): number =>
    Math.max(
      givenIn(it.server.cluster.name, it.client.cluster.name),
      givenIn(it.client.cluster.name, it.server.cluster.name),
    );
  return [...links].sort((a, b) => lastOf(a) - lastOf(b) || a.join - b.join);
}
