import { type FlowEffect, type Flows, flowsBetween } from './flows.ts';
import type { PlanContext } from './plan-context.ts';

/** The two ends of a tunnel, and every cluster that reaches the other through one of them. */
export function flowsThroughTunnel(
  [a, b]: readonly [string, string],
  { is }: PlanContext,
  effect: FlowEffect = 'interrupted',
): readonly Flows[] {
  return [
    ...flowsBetween(effect, a, [b]),
    ...(is.isHubOf(b, a) ? flowsBetween(effect, a, is.spokesBehind(b, a)) : []),
    ...(is.isHubOf(a, b) ? flowsBetween(effect, b, is.spokesBehind(a, b)) : []),
  ];
}

/** All tunnels of a cluster that exists afterwards. */
export function flowsThroughCluster(cluster: string, context: PlanContext, effect?: FlowEffect): readonly Flows[] {
  const peers = context.after.clusters.get(cluster)?.peers ?? [];
  return peers.flatMap((peer) => flowsThroughTunnel([cluster, peer], context, effect));
}
