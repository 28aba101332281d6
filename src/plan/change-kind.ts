import type { Code } from '../base/diagnostics/codes.ts';
import type { Named } from './changes/plain-words.ts';
import type { Action, Difference, DifferenceKind } from './difference.ts';
import type { Flows } from './flows.ts';
import type { SharePair } from './network-state.ts';
import type { PlanContext } from './plan-context.ts';
import type { FileClaim } from './plan-file.ts';
import type { StepCommand } from './step-command.ts';

/** All decisions about one kind of change. */
interface ChangeKind<
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

/** The words for one kind of change, for text, Markdown and JSON alike. */
export interface ChangeWords<K extends DifferenceKind, Reason extends string, Step extends string> {
  readonly section: Section;
  /** The change in terms of a network engineer. */
  readonly title: (it: Difference<K>) => string;
  /** A clause for each reason, without names. */
  readonly why: Readonly<Record<Reason, string>>;
  readonly steps: Readonly<Record<Step, StepWords<K>>>;
  /** Fields that JSON shows in another way than a difference holds them. */
  readonly fields?: (it: Difference<K>) => Readonly<Record<string, unknown>>;
}

interface StepWords<K extends DifferenceKind> {
  readonly what: string;
  /** The objects or places of the action. */
  readonly on: (it: Difference<K> & Named) => string;
  /** Commands that wait for what the step waits for, or that do it. */
  readonly commands?: (it: Difference<K> & Named) => readonly StepCommand[];
}

/** The sections of a plan in the order in which they are printed. */
export const SECTIONS = [
  'Data loss',
  'Trust',
  'Clusters',
  'Links',
  'Sharing',
  'Offloading',
  'Boundaries',
  'Gateways',
  'Keys',
  'Views',
  'Addresses',
  'Order',
  'Settings',
  'Files',
] as const;

export type Section = (typeof SECTIONS)[number];

/** Requires a code for a kind of change that may break live flows, and `null` for all others. */
export type CodeOf<Disruptive extends boolean> = true extends Disruptive ? Code : null;

export interface WordedKind<
  K extends DifferenceKind,
  Reason extends string = string,
  Step extends string = string,
  Disruptive extends boolean = boolean,
  ItsCode extends Code | null = Code | null,
> extends ChangeKind<K, Reason, Step, Disruptive, ItsCode> {
  readonly words: ChangeWords<K, Reason, Step>;
}

/**
 * One kind of change: first its decisions, then its words. The names of reasons and steps and the code are inferred from the
 * decisions, so words for a reason that does not exist do not compile, and neither does a reason without words.
 */
export const changeKind = <K extends DifferenceKind>(_kind: K) => ({
  decided: <
    const Reason extends string,
    const Step extends string,
    const Disruptive extends boolean,
    const ItsCode extends Code | null,
  >(
    decisions: ChangeKind<K, Reason, Step, Disruptive, ItsCode>,
  ) => ({
    worded: (words: ChangeWords<K, Reason, Step>): WordedKind<K, Reason, Step, Disruptive, ItsCode> => ({
      ...decisions,
      words,
    }),
  }),
});

/**
 * The effect of a difference on a running fleet. The literal types of the reason and of the steps are kept, and each
 * must have words.
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
export const follows = <const R extends string, const S extends readonly PlanStep[] = readonly []>(
  action: Action,
  reason: R,
  ...steps: S
): Verdict<R, S[number]['step'], false> => ({
  ...harmless(action, reason, ...steps),
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

/** The identity and the subject of changes that differ by their cluster, link, end of a link, or loan alone. */
export const OF_CLUSTER = {
  identity: ({ cluster }: { readonly cluster: string }) => [cluster],
  subject: ({ cluster }: { readonly cluster: string }) => aboutCluster(cluster),
};
export const OF_LINK = {
  identity: ({ ends }: { readonly ends: readonly [string, string] }) => ends,
  subject: ({ ends }: { readonly ends: readonly [string, string] }) => aboutLink(ends),
};
export const OF_SIDE = {
  identity: ({ cluster, peer }: { readonly cluster: string; readonly peer: string }) => [cluster, peer],
  subject: aboutSide,
};
export const OF_SHARE = {
  identity: ({ consumer, provider }: SharePair) => [consumer, provider],
  subject: aboutShare,
};
