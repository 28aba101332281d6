import type { DocumentProblem } from '../source/document-problem.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';

/** What is wrong with a file as YAML, as diagnostics. */
export function documentDiagnostics(problems: readonly DocumentProblem[]): Diagnostic[] {
  return problems.map(({ kind, span, message, hint, related }) =>
    diagnostic(`source/${kind}`, span, message, { hint, related }),
  );
}
