import type { Code } from '../base/diagnostics/codes.ts';
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
  ItsCode extends Code | null = Code | null,
> {
  /** Distinguishes it from the other differences of its kind in a plan. */
  readonly identity: (it: Difference<K>) => readonly string[];
  readonly subject: (it: Difference<K>) => Subject;
  /** Of the diagnostic that reports it; `null` for a kind that never breaks anything. */
  readonly code: ItsCode;
  readonly judge: (it: Difference<K>, context: PlanContext) => Verdict<Reason, Step, Disruptive>;
  /** Whether another list of the plan has it. */
  readonly isListedElsewhere?: (it: Difference<K>) => boolean;
  /** The traffic that it affects, and how. */
  readonly flows: (it: Difference<K>, context: PlanContext) => readonly Flows[];
  /** The files that differ because of it. */
  readonly explains: (it: Difference<K>, context: PlanContext) => readonly FileClaim[];
}

/** What may break live flows is reported under a code, and nothing else is. */
export type CodeOf<Disruptive extends boolean> = true extends Disruptive ? Code : null;

/** Curried, so that the kind is given, and the names of reasons and steps and the code are inferred. */
export const changeKind =
  <K extends DifferenceKind>(_kind: K) =>
  <
    const Reason extends string,
    const Step extends string,
    const Disruptive extends boolean,
    const ItsCode extends Code | null,
  >(
    it: ChangeKind<K, Reason, Step, Disruptive, ItsCode>,
  ): ChangeKind<K, Reason, Step, Disruptive, ItsCode> =>
    it;
