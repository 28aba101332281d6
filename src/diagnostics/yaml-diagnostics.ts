import type { YamlProblem } from '../source/yaml-problem.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';

/** What is wrong with a file as YAML, as diagnostics. */
export function yamlDiagnostics(problems: readonly YamlProblem[]): Diagnostic[] {
  return problems.map(({ kind, span, message, hint, related }) =>
    diagnostic(`source/${kind}`, span, message, { hint, related }),
  );
}
