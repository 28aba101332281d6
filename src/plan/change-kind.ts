import type { Code } from '../base/diagnostics/codes.ts';
import type { Action, Difference, DifferenceKind } from './difference.ts';
import type { FileClaim } from './file-claim.ts';
import type { Flows } from './flows.ts';
import type { PlanContext } from './plan-context.ts';
import type { SharePair } from './sharing-state.ts';

/** Everything that is decided about one kind of change. Its texts are in `report/plan/words/`. */
export interface ChangeKind<
  K extends DifferenceKind,
  Reason extends string = string,
  Step extends string = string,
  Disruptive extends boolean = boolean,
  ItsCode extends Code | null = Code | null,
> {
  /** Distinguishes the difference from the others of its kind in a plan. */
  readonly identity: (it: Difference<K>) => readonly string[];
  readonly subject: (it: Difference<K>) => Subject;
  /** Code of the diagnostic that reports it; `null` for a kind that never breaks anything. */
  readonly code: ItsCode;
  readonly judge: (it: Difference<K>, context: PlanContext) => Verdict<Reason, Step, Disruptive>;
  /** True when another list of the plan contains it. */
  readonly isListedElsewhere?: (it: Difference<K>) => boolean;
  /** The affected traffic, and the effect on it. */
  readonly flows: (it: Difference<K>, context: PlanContext) => readonly Flows[];
  /** The files that differ because of it. */
  readonly explains: (it: Difference<K>, context: PlanContext) => readonly FileClaim[];
}

/** Requires a code for a kind of change that may break live flows, and `null` for all others. */
export type CodeOf<Disruptive extends boolean> = true extends Disruptive ? Code : null;

/** Curried: the kind is given, and the names of reasons and steps and the code are inferred. */
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

/**
 * The effect of a difference on a running fleet. The literal types of the reason and of the steps are kept, so that
 * `report/plan/` must have words for each.
 */
export interface Verdict<
  Reason extends string = string,
  Step extends string = string,
  Disruptive extends boolean = boolean,
> {
  readonly action: Action;
  /** True when live flows break, or when an action is required to prevent that. */
  readonly disruptive: Disruptive;
  /**
   * True when the change decides who may run code in clusters, or which data they trust. It is disruptive, regardless
   * of flows.
   */
  readonly isTrust: boolean;
  /** True when the change follows from another change and was not requested itself. */
  readonly isConsequence: boolean;
  /** The reason why it breaks something, or why it does not. */
  readonly reason: Reason;
  readonly steps: readonly PlanStep<Step>[];
}

/** An action for people, about the subject of the difference. */
interface PlanStep<Step extends string = string> {
  readonly when: StepTime;
  readonly step: Step;
}

/** Before the change is merged, while it is applied, or afterwards. */
export type StepTime = 'before' | 'together' | 'after';

export const harmless = <const R extends string, const S extends readonly PlanStep[] = readonly []>(
  action: Action,
  reason: R,
  ...steps: S
): Verdict<R, S[number]['step'], false> => ({
  action,
  disruptive: false,
  isTrust: false,
  isConsequence: false,
  reason,
  steps,
});

export const breaks = <const R extends string, const S extends readonly PlanStep[] = readonly []>(
  action: Action,
  reason: R,
  ...steps: S
): Verdict<R, S[number]['step'], true> => ({
  action,
  disruptive: true,
  isTrust: false,
  isConsequence: false,
  reason,
  steps,
});

/**
 * A verdict about another source, server, image or key: its owner decides what happens in the clusters, so a person
 * must review it before the merge.
 */
export const changesTrust = <const R extends string, const S extends readonly PlanStep[] = readonly []>(
  action: Action,
  reason: R,
  ...steps: S
): Verdict<R, S[number]['step'], true> => ({ ...breaks(action, reason, ...steps), isTrust: true });

/** Harmless, and a consequence of another change. */
export const follows = <const R extends string>(action: Action, reason: R): Verdict<R, never, false> => ({
  ...harmless(action, reason),
  isConsequence: true,
});

export const before = <const S extends string>(step: S): PlanStep<S> => ({ when: 'before', step });
export const together = <const S extends string>(step: S): PlanStep<S> => ({ when: 'together', step });
export const after = <const S extends string>(step: S): PlanStep<S> => ({ when: 'after', step });

/** The cluster or link that a difference concerns. */
export interface Subject {
  /** The ends of the link, if it concerns a whole link. */
  readonly link: readonly [string, string] | null;
  /** The cluster where the change happens comes first; empty for the fleet. */
  readonly clusters: readonly string[];
}

export const aboutLink = (ends: readonly [string, string]): Subject => ({ link: ends, clusters: ends });

export const aboutCluster = (cluster: string, others: readonly string[] = []): Subject => ({
  link: null,
  clusters: [cluster, ...others],
});

/** One end of a link. */
export const aboutSide = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): Subject =>
  aboutCluster(cluster, [peer]);

export const ABOUT_FLEET: Subject = { link: null, clusters: [] };

/** A loan, with the consumer first. */
export const aboutShare = ({ consumer, provider }: SharePair): Subject => aboutCluster(consumer, [provider]);

/** The identity of a loan in a plan. */
export const idOfShare = ({ consumer, provider }: SharePair): readonly string[] => [consumer, provider];
