import type { Subject } from '../../../base/diagnostics/subject.ts';
import type { Pair } from './pairs-in-words.ts';

/** What a diagnostic about these loans is about. */
export const subjectsOf = (loans: readonly Pair[]): readonly Subject[] =>
  loans.map(({ consumer, provider }) => [consumer.name, provider.name]);
