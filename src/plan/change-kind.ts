import type { Difference, DifferenceKind } from './difference.ts';
import type { FileClaim } from './file-claim.ts';
import type { Flows } from './flows.ts';
import type { PlanContext } from './plan-context.ts';
import type { Subject } from './subject.ts';
import type { Verdict } from './verdict.ts';

/** All that is decided about one kind of change. Its words are in `report/plan/words/`. */
export interface ChangeKind<
  K extends DifferenceKind,
  Reason extends string = string,
  Step extends string = string,
  Disruptive extends boolean = boolean,
> {
  /** Distinguishes it from the other differences of its kind in a plan. */
  readonly identity: (it: Difference<K>) => readonly string[];
  readonly subject: (it: Difference<K>) => Subject;
  readonly judge: (it: Difference<K>, context: PlanContext) => Verdict<Reason, Step, Disruptive>;
  /** The traffic that it affects, and how. */
  readonly flows: (it: Difference<K>, context: PlanContext) => readonly Flows[];
  /** The files that differ because of it. */
  readonly explains: (it: Difference<K>, context: PlanContext) => readonly FileClaim[];
}

/** Curried, so that the kind is given and the names of reasons and steps are inferred. */
export const changeKind =
  <K extends DifferenceKind>(_kind: K) =>
  <const Reason extends string, const Step extends string, const Disruptive extends boolean>(
    it: ChangeKind<K, Reason, Step, Disruptive>,
  ): ChangeKind<K, Reason, Step, Disruptive> =>
    it;
