import type { ReasonOf, StepOf } from '../../../plan/changes/change-kinds.ts';
import type { Difference, DifferenceKind } from '../../../plan/difference.ts';
import type { Named } from './words/plain-words.ts';

/**
 * The words for one kind of change, used for text, Markdown and JSON. A reason or a step of `plan/` without words here
 * does not compile, and neither do words for an unknown one.
 */
export interface ChangeWords<K extends DifferenceKind> {
  readonly section: Section;
  /** The change in terms of a network engineer. */
  readonly title: (it: Difference<K>) => string;
  /** A clause for each reason, without names. */
  readonly why: Readonly<Record<ReasonOf<K>, string>>;
  readonly steps: Readonly<Record<StepOf<K>, StepWords<K>>>;
  /** Fields that JSON shows differently from the difference. */
  readonly fields?: (it: Difference<K>) => Readonly<Record<string, unknown>>;
}

interface StepWords<K extends DifferenceKind> {
  readonly what: string;
  /** The object of the step. */
  readonly on: (it: Difference<K> & Named) => string;
}

/** The sections of a plan in the order in which they are printed. */
export const SECTIONS = [
  'Data loss',
  'Trust',
  'Assertions',
  'Clusters',
  'Links',
  'Sharing',
  'Offloading',
  'Gateways',
  'Keys',
  'Views',
  'Addresses',
  'Order',
  'Settings',
  'Files',
] as const;

export type Section = (typeof SECTIONS)[number];
