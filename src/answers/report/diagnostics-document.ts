import { visibleJson } from '../../base/core/visible-text.ts';
import { countOf } from '../../base/core/words.ts';
import { type Diagnostic, isOpen, worstFirst } from '../../base/diagnostics/diagnostic.ts';
import { placeAt, type Span } from '../../base/source/source.ts';

/** The number stays when keys are added, and changes when one is removed or changes its meaning. */
export const SCHEMA_VERSION = 1;

/**
 * The first keys of every document of `-o json`. The answer follows in other keys, which are absent without one. Each
 * command has a schema in `schemas/output/`, and tests compare all documents with it.
 */
interface DiagnosticsDocument {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** True when there is no error. */
  readonly ok: boolean;
  /** Excludes accepted diagnostics, which are counted separately. */
  readonly summary: DiagnosticCounts & { readonly accepted: Omit<DiagnosticCounts, 'errors'> };
  /** Errors first, then warnings, then notes. */
  readonly diagnostics: readonly DiagnosticRow[];
}

interface DiagnosticRow extends PlaceRow {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string | null;
  readonly related: readonly RelatedRow[];
  /** The entries of `accept` that accept it; empty if there are none. */
  readonly accepted: readonly AcceptanceRow[];
}

interface AcceptanceRow extends PlaceRow {
  readonly reason: string;
}

interface RelatedRow extends PlaceRow {
  readonly message: string;
}

/** Lines and columns count from 1, columns in UTF-16 code units; the end is exclusive. */
interface PlaceRow {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export function diagnosticsDocument(diagnostics: readonly Diagnostic[]): DiagnosticsDocument {
  const counts = countDiagnostics(diagnostics);
  const { warnings, notes } = countAccepted(diagnostics);
  const summary = { ...counts, accepted: { warnings, notes } };
  return {
    schemaVersion: SCHEMA_VERSION,
    ok: counts.errors === 0,
    summary,
    diagnostics: worstFirst(diagnostics).map(diagnosticRow),
  };
}

function diagnosticRow(it: Diagnostic): DiagnosticRow {
  return {
    code: it.code,
    severity: it.severity,
    message: it.message,
    ...placeRow(it.span),
    hint: it.hint ?? null,
    related: it.related.map((other) => ({ message: other.message, ...placeRow(other.span) })),
    accepted: (it.accepted ?? []).map(({ reason, at }) => ({ reason, ...placeRow(at) })),
  };
}

export function placeRow(span: Span): PlaceRow {
  const from = placeAt(span.source, span.start);
  const to = placeAt(span.source, Math.max(span.start, span.end));
  return {
    file: span.source.path,
    line: from.line,
    column: from.column,
    endLine: to.line,
    endColumn: to.column,
  };
}

/** One JSON document with its last newline; invisible characters are escaped. */
export const printJson = (document: object): string => `${visibleJson(JSON.stringify(document, null, 2))}\n`;

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

/** Counts diagnostics that are not accepted. */
export const countDiagnostics = (diagnostics: readonly Diagnostic[]): DiagnosticCounts =>
  countAll(diagnostics.filter(isOpen));

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
