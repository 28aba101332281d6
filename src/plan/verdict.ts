import type { Action } from './difference.ts';

/**
 * What a difference means for a fleet that is running. The literal types of the reason and of the steps are kept,
 * so that `report/plan/` must have words for each.
 */
export interface Verdict<
  Reason extends string = string,
  Step extends string = string,
  Disruptive extends boolean = boolean,
> {
  readonly action: Action;
  /** True when live flows break, or when an action is required so that they do not. */
  readonly disruptive: Disruptive;
  /** It decides who may run code in clusters, or what they take for true. It is disruptive, whatever flows. */
  readonly isTrust: boolean;
  /** It follows from another change and was not requested itself. */
  readonly isConsequence: boolean;
  /** Why it breaks something, or why it does not. */
  readonly reason: Reason;
  readonly steps: readonly PlanStep<Step>[];
}

/** An action that people take on the subject of the difference. */
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

/** Another source, server, image or key: whoever has it decides what happens in the clusters, so nobody may merge it unseen. */
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
