import type { PlanContext, Reachability } from './plan-context.ts';

/** Traffic between one cluster and some others, in both directions. */
export interface Flows {
  readonly effect: FlowEffect;
  readonly between: string;
  readonly and: readonly string[];
}

/**
 * `stops`: no path is left. `interrupted`: the path is down for a while. `readdressed`: one end must use other
 * addresses, or sees another source. `rerouted`: another path, and another source. `opens`: the first path.
 */
export type FlowEffect = 'stops' | 'interrupted' | 'readdressed' | 'rerouted' | 'opens';

/** Flows between a cluster and others; empty when there are no others. */
export const flowsBetween = (effect: FlowEffect, between: string, and: readonly string[]): readonly Flows[] =>
  and.length === 0 ? [] : [{ effect, between, and }];

type FlowEnds = readonly [string, string];

/** The pairs whose traffic passes a tunnel: its ends, and every cluster that one of them reaches through the other. */
export const flowsThroughTunnel = (
  [a, b]: FlowEnds,
  { was }: PlanContext,
  effect: FlowEffect = 'interrupted',
): readonly Flows[] => [
  ...(was.areLinked(a, b) ? flowsBetween(effect, a, [b]) : []),
  ...flowsBetween(effect, a, was.reachedThrough(b, a)),
  ...flowsBetween(effect, b, was.reachedThrough(a, b)),
];

/** The flows through all tunnels of a cluster that exists after the change. */
export function flowsThroughCluster(cluster: string, context: PlanContext, effect?: FlowEffect): readonly Flows[] {
  const peers = context.after.clusters.get(cluster)?.peers ?? [];
  return peers.flatMap((peer) => flowsThroughTunnel([cluster, peer], context, effect));
}

/** The flows of a tunnel that no longer carries packets. A remaining path has other addresses than the link. */
export const flowsThatLose = (ends: FlowEnds, { was, is }: PlanContext): readonly Flows[] =>
  pairsOver(ends, was, (a, b) => (is.reach(a, b) ? 'readdressed' : 'stops'));

/**
 * The flows of a tunnel that carries packets after the change. A new path through another cluster is an additional one,
 * with addresses of its own.
 */
export const flowsThatGain = (ends: FlowEnds, { was, is }: PlanContext): readonly Flows[] =>
  pairsOver(ends, is, (a, b, isDirect) => (was.reach(a, b) ? (isDirect ? 'rerouted' : null) : 'opens'));

function pairsOver(
  [a, b]: FlowEnds,
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
