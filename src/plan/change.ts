import { sortedUnique } from '../base/core/collections.ts';
import type { Subject, Verdict } from './change-kind.ts';
import { type DisruptiveOf, kindOf, type ReasonOf, type StepOf } from './changes/change-kinds.ts';
import type { OtherNames } from './changes/plain-words.ts';
import type { Action, Difference, DifferenceKind } from './difference.ts';
import type { Flows } from './flows.ts';
import { type NetworkState, pairOf } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';

export type Change<K extends DifferenceKind = DifferenceKind> = Difference<K> & Meaning<K>;

interface Meaning<K extends DifferenceKind = DifferenceKind> extends Verdict<ReasonOf<K>, StepOf<K>, DisruptiveOf<K>> {
  /** The name of this change in file rows and in JSON: `port-changed europe/rome`. */
  readonly id: string;
  readonly subject: Subject;
  /** Affected clusters, in order of name. */
  readonly clusters: readonly string[];
  /** The affected traffic. */
  readonly flows: readonly Flows[];
  /** Names of objects that are not the default ones. */
  readonly otherNames?: readonly OtherNames[];
}

/** Decides the effect of a difference on a running fleet. */
export function judgeDifference<K extends DifferenceKind>(it: Difference<K>, context: PlanContext): Change<K> {
  const kind = kindOf(it);
  const subject = kind.subject(it);
  const names = otherNames(subject, context);
  return {
    ...it,
    ...kind.judge(it, context),
    id: changeId(it),
    subject,
    clusters: sortedUnique(subject.clusters),
    flows: kind.flows(it, context),
    ...(names.length > 0 ? { otherNames: names } : {}),
  };
}

/** The identity of a difference; unique within a plan. */
function changeId<K extends DifferenceKind>(it: Difference<K>): string {
  const identity = kindOf(it).identity(it);
  return identity.length === 0 ? it.kind : `${it.kind} ${identity.join('/')}`;
}

/** The names that steps of a change must use: between its first cluster and each of the others, in both. */
function otherNames({ clusters: [first, ...others] }: Subject, context: PlanContext): readonly OtherNames[] {
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

interface ChangeCounts extends Readonly<Record<Action, number>> {
  readonly disruptive: number;
  /** Number of these changes that decide who is trusted. */
  readonly trust: number;
}

/** Counts changes. Consequences are excluded, unless there are no other changes. */
export function countChanges(changes: readonly Change[]): ChangeCounts {
  const intended = changes.filter((it) => !it.isConsequence);
  const counted = intended.length === 0 ? changes : intended;
  const count = (action: Action): number => counted.filter((it) => it.action === action).length;
  const disruptive = changes.filter((it) => it.disruptive).length;
  const trust = changes.filter((it) => it.isTrust).length;
  return { add: count('add'), change: count('change'), remove: count('remove'), disruptive, trust };
}
