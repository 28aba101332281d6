import { countOf } from '../../base/core/words.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

/** Without those that are accepted. */
export const countDiagnostics = (diagnostics: readonly Diagnostic[]): DiagnosticCounts =>
  countAll(diagnostics.filter(isOpen));

/** Those that are accepted. */
export const countAccepted = (diagnostics: readonly Diagnostic[]): DiagnosticCounts =>
  countAll(diagnostics.filter((it) => !isOpen(it)));

function countAll(diagnostics: readonly Diagnostic[]): DiagnosticCounts {
  const count = (severity: Diagnostic['severity']) => diagnostics.filter((it) => it.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), notes: count('note') };
}

/** `2 errors, 1 warning`; empty without diagnostics. */
export function printCounts({ errors, warnings, notes }: DiagnosticCounts): string {
  return [
    errors > 0 ? countOf(errors, 'error') : '',
    warnings > 0 ? countOf(warnings, 'warning') : '',
    notes > 0 ? countOf(notes, 'note') : '',
  ]
    .filter((it) => it !== '')
    .join(', ');
}
