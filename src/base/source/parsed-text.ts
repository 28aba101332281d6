import type { DocumentNode } from './document-node.ts';
import type { DocumentProblem } from './document-problem.ts';

/** The result of the front end of a language. Without a root the text has no content, or `problems` is not empty. */
export interface ParsedText {
  readonly root: DocumentNode | undefined;
  readonly problems: readonly DocumentProblem[];
}
