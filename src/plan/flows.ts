import type { PlanContext, Reachability } from './plan-context.ts';

/** Traffic between one cluster and some others, in both directions. */
export interface Flows {
  readonly effect: FlowEffect;
  readonly between: string;
  readonly and: readonly string[];
}

/**
 * `stops`: no path is left. `interrupted`: the path is down for a while. `readdressed`: one end has to use other addresses,
 * or sees another source. `rerouted`: another path, and another source. `opens`: the first path.
 */
export type FlowEffect = 'stops' | 'interrupted' | 'readdressed' | 'rerouted' | 'opens';

/** No flows without a cluster at the other end. */
export const flowsBetween = (effect: FlowEffect, between: string, and: readonly string[]): readonly Flows[] =>
  and.length === 0 ? [] : [{ effect, between, and }];

type Ends = readonly [string, string];

/** The pairs whose traffic passes a tunnel: its ends, and every cluster that one of them reaches through the other. */
export const flowsThroughTunnel = (
  [a, b]: Ends,
  { was }: PlanContext,
  effect: FlowEffect = 'interrupted',
): readonly Flows[] => [
  ...(was.areLinked(a, b) ? flowsBetween(effect, a, [b]) : []),
  ...flowsBetween(effect, a, was.reachedThrough(b, a)),
  ...flowsBetween(effect, b, was.reachedThrough(a, b)),
];

/** All tunnels of a cluster that exists afterwards. */
export function flowsThroughCluster(cluster: string, context: PlanContext, effect?: FlowEffect): readonly Flows[] {
  const peers = context.after.clusters.get(cluster)?.peers ?? [];
  return peers.flatMap((peer) => flowsThroughTunnel([cluster, peer], context, effect));
}

/** A tunnel that no longer carries packets. A path that is left has other addresses: a link has those that its ends see. */
export const flowsThatLose = (ends: Ends, { was, is }: PlanContext): readonly Flows[] =>
  pairsOver(ends, was, (a, b) => (is.reach(a, b) ? 'readdressed' : 'stops'));

/** A tunnel that carries packets from now on. Through others, a new path is one more, with addresses of its own. */
export const flowsThatGain = (ends: Ends, { was, is }: PlanContext): readonly Flows[] =>
  pairsOver(ends, is, (a, b, isDirect) => (was.reach(a, b) ? (isDirect ? 'rerouted' : null) : 'opens'));

function pairsOver(
  [a, b]: Ends,
  paths: Reachability,
  effectOn: (a: string, b: string, isDirect: boolean) => FlowEffect | null,
): readonly Flows[] {
  if (!paths.areLinked(a, b)) return [];
  const direct = effectOn(a, b, true);
  const through = (via: string, cluster: string): readonly Flows[] => {
    const byEffect = new Map<FlowEffect, string[]>();
    for (const it of paths.reachedThrough(via, cluster)) {
      const effect = effectOn(cluster, it, false);
      if (effect === null) continue;
      const known = byEffect.get(effect);
      if (known) known.push(it);
      else byEffect.set(effect, [it]);
    }
    return [...byEffect].flatMap(([effect, others]) => flowsBetween(effect, cluster, others));
  };
  return [...(direct === null ? [] : flowsBetween(direct, a, [b])), ...through(b, a), ...through(a, b)];
}
