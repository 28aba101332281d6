import type { DisruptiveOf, ReasonOf, StepOf } from './changes/change-kinds.ts';
import type { Difference, DifferenceKind } from './difference.ts';
import type { Flows } from './flows.ts';
import type { OtherNames } from './other-names.ts';
import type { Subject } from './subject.ts';
import type { Verdict } from './verdict.ts';

/** A difference with what it means. */
export type Change<K extends DifferenceKind = DifferenceKind> = Difference<K> & Meaning<K>;

interface Meaning<K extends DifferenceKind = DifferenceKind> extends Verdict<ReasonOf<K>, StepOf<K>, DisruptiveOf<K>> {
  /** The name of this change in file rows and in JSON: `port-changed europe/rome`. */
  readonly id: string;
  readonly subject: Subject;
  /** Clusters that it concerns, in order of name. */
  readonly clusters: readonly string[];
  /** The traffic that it affects. */
  readonly flows: readonly Flows[];
  /** Where they are not the usual ones. */
  readonly otherNames?: readonly OtherNames[];
}
