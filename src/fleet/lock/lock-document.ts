import type { Source } from '../../base/source/source.ts';
import type { Decisions } from './decisions.ts';

/** A lock that follows its schema. */
export interface LockDocument {
  readonly source: Source;
  readonly decisions: Decisions;
}
