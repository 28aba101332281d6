import { by, groupBy } from '../../base/core/collections.ts';
import type { DifferenceKind } from '../difference.ts';
import { type NetworkState, pairOf } from '../network-state.ts';
import type { Plan } from '../plan-changes.ts';
import { gatewayText, reachabilityOf } from '../plan-context.ts';

/** The loss of traffic that a change announces, at most. */
interface Bound {
  /** In addition to restarts; `null` for a loss that depends on people or on applications. */
  readonly seconds: number | null;
  /** True when gateways start again: the time that the slower pod needs is added. */
  readonly restarts: boolean;
}

/** The loss between some pairs of clusters, the worst of all changes. */
export interface Loss extends Bound {
  readonly pairs: readonly string[];
}

/**
 * Seconds after which a client finds a server that has lost its session: the dead-peer time of WireGuard. A client that
 * starts again after the server finds it at once. Measured with wireguard-go as Liqo configures it: 15.1 to 15.3 s.
 */
const DEAD_PEER_SECONDS = 16;

/** A client tries again every 5 seconds. Measured: 5.1 s after both keys have changed, in the worse order. */
const RETRY_SECONDS = 6;

/**
 * The gateways delete and add their translations in two steps whenever a Configuration changes. Connections that exist go
 * on, but the kernel keeps one that begins in between without a translation, for as long as its program tries. Measured:
 * 135.3 s, after which Linux ends the connection, and the next one is answered; a program that waits for less is faster.
 */
const REWRITE_SECONDS = 136;

/** Kinds that are not listed and break flows have no bound. */
const BOUNDS: Readonly<Partial<Record<DifferenceKind, Bound>>> = {
  'key-rotated': { seconds: RETRY_SECONDS, restarts: true },
  'mtu-changed': { seconds: DEAD_PEER_SECONDS, restarts: true },
  'port-changed': { seconds: DEAD_PEER_SECONDS, restarts: true },
  'address-changed': { seconds: RETRY_SECONDS, restarts: true },
  'service-changed': { seconds: DEAD_PEER_SECONDS, restarts: true },
  'template-changed': { seconds: DEAD_PEER_SECONDS, restarts: true },
  'template-edited': { seconds: DEAD_PEER_SECONDS, restarts: true },
  'images-changed': { seconds: DEAD_PEER_SECONDS, restarts: true },
  'release-changed': { seconds: DEAD_PEER_SECONDS, restarts: true },
};

const NO_BOUND: Bound = { seconds: null, restarts: false };

/** The announced losses between all pairs of clusters that a plan affects, those without a bound first. */
export function lossesOf({ changes, networks }: Plan): readonly Loss[] {
  const { reachedThrough } = reachabilityOf(networks.after, everyGateway(networks.after));
  const worst = new Map<string, Bound>();
  const note = (pair: string, bound: Bound): void => {
    const known = worst.get(pair);
    worst.set(pair, known === undefined ? bound : worseOf(known, bound));
  };
  for (const change of changes) {
    if (change.kind === 'announced-changed') {
      const { cluster, peer } = change;
      // The gateway towards the peer translates as well what others send to the peer through this cluster.
      for (const it of [cluster, ...reachedThrough(cluster, peer)])
        note(pairOf(it, peer), { seconds: REWRITE_SECONDS, restarts: false });
    }
    if (!change.disruptive) continue;
    for (const { between, and, effect } of change.flows) {
      if (effect === 'opens' || effect === 'rerouted') continue;
      const bound = effect === 'interrupted' ? (BOUNDS[change.kind] ?? NO_BOUND) : NO_BOUND;
      for (const other of and) note(pairOf(between, other), bound);
    }
  }
  const groups = groupBy([...worst].sort(by(([it]) => it)), ([, { seconds, restarts }]) => [`${seconds} ${restarts}`]);
  return [...groups.values()]
    .map((all) => ({ ...(all[0]?.[1] ?? NO_BOUND), pairs: all.map(([pair]) => pair) }))
    .sort((a, b) => (b.seconds ?? Number.POSITIVE_INFINITY) - (a.seconds ?? Number.POSITIVE_INFINITY));
}

/** Which keys are in no file makes no difference to what a rewrite may lose. */
const everyGateway = ({ links }: NetworkState): ReadonlySet<string> =>
  new Set([...links.values()].flatMap(({ ends: [a, b] }) => [gatewayText(a, b), gatewayText(b, a)]));

/** A restart concerns every connection, a rewrite only those that begin in its moment. */
const worseOf = (a: Bound, b: Bound): Bound => {
  if (a.seconds === null || b.seconds === null) return NO_BOUND;
  if (a.restarts !== b.restarts) return a.restarts ? a : b;
  return a.seconds < b.seconds ? b : a;
};
