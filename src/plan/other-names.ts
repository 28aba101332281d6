import { type NetworkState, pairOf } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';
import type { Subject } from './subject.ts';

/** Names of objects in one cluster for another one that are not those of liqoctl; `null` for one that is. */
export interface OtherNames {
  readonly cluster: string;
  readonly peer: string;
  readonly namespace: string | null;
  readonly gateway: string | null;
}

/** The names that steps of a change must use: between its first cluster and each of the others, in both. */
export function otherNames({ clusters: [first, ...others] }: Subject, context: PlanContext): readonly OtherNames[] {
  if (first === undefined) return [];
  const sides = others.flatMap((it) => sidesOf(context.after, first, it) ?? sidesOf(context.before, first, it) ?? []);
  return sides.flatMap(({ cluster, peer, names: { namespace, gateway } }) =>
    namespace === null && gateway === null ? [] : [{ cluster, peer, namespace, gateway }],
  );
}

const sidesOf = ({ links }: NetworkState, a: string, b: string) => {
  const link = links.get(pairOf(a, b));
  return link && [...link.sides.values()];
};
