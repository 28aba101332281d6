import type { Change } from '../../../plan/change.ts';
import { namespacesDeletedBy } from '../../../plan/deleted-namespaces.ts';
import type { Difference, DifferenceKind } from '../../../plan/difference.ts';
import type { StepTime } from '../../../plan/verdict.ts';
import type { Section } from './sections.ts';
import { wordsOf } from './words/words-of-kinds.ts';

/** The change in terms of a network engineer. */
export const describeChange = <K extends DifferenceKind>(it: Difference<K>): string => wordsOf(it).title(it);

/** Why a change breaks something, or why it does not: a clause that needs no names. */
export const describeReason = <K extends DifferenceKind>(it: Change<K>): string => wordsOf(it).why[it.reason];

export interface DescribedStep {
  readonly when: StepTime;
  readonly what: string;
  /** What to do it to. */
  readonly on: string;
}

export const describeSteps = <K extends DifferenceKind>(it: Change<K>): readonly DescribedStep[] =>
  it.steps.map(({ when, step }) => {
    const { what, on } = wordsOf(it).steps[step];
    return { when, what, on: on(it) };
  });

/** What deletes data comes before everything else, and then who is trusted. */
export function sectionOf(it: Change): Section {
  if (namespacesDeletedBy(it).length > 0) return 'Data loss';
  return it.isTrust ? 'Trust' : wordsOf(it).section;
}

/** Fields that JSON shows in another way than a difference holds them. */
export const describeFields = <K extends DifferenceKind>(it: Difference<K>): Readonly<Record<string, unknown>> =>
  wordsOf(it).fields?.(it) ?? {};
