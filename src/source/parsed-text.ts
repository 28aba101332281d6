import type { DocumentNode } from './document-node.ts';
import type { DocumentProblem } from './document-problem.ts';

/** What the front end of a language makes of a text. Without a root there is nothing in it, or the problems say why. */
export interface ParsedText {
  readonly root: DocumentNode | undefined;
  readonly problems: readonly DocumentProblem[];
}
