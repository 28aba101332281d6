import { visibleText } from '../../base/core/visible-text.ts';
import type { Paint } from './paint.ts';

/** A file beside the topology in which a command records what clusters have: their keys, or answers of providers. */
interface RecordedFile {
  readonly file: string;
  readonly changes: boolean;
  /** True when nothing is written. */
  readonly check: boolean;
  /** Everything that the file must contain: `every key`. */
  readonly whole: string;
  /** Missing content of the file: `2 keys missing`. */
  readonly problems: readonly string[];
}

/** The last lines of such a command: the state of the file, what is not recorded, and the next command. */
export function recordedLines(
  { file, changes, check, whole, problems }: RecordedFile,
  paint: Paint,
): readonly string[] {
  const state = changes ? (check ? 'would change' : paint.good('is written')) : 'stays as it is';
  const content = problems.length === 0 ? `${whole} is recorded` : problems.join(', ');
  return [`${visibleText(file)} ${state}; ${content}`, ...(changes && !check ? ['Next: weft compile'] : [])];
}
