import type { Code } from '../../../base/diagnostics/codes.ts';

/** What a text must be, beyond being a text. */
export interface TextFormat {
  /** The code of a text that does not have it. */
  readonly code: Code;
  /** What the text is then, as it follows "is not": `a DNS label`. */
  readonly noun: string;
  /** What to write instead of this text; `undefined` when the text has the format. */
  readonly hintFor: (text: string) => string | undefined;
}
