import { visibleText } from '../core/visible-text.ts';
import { moreLine } from '../core/words.ts';
import type { Code } from '../diagnostics/codes.ts';
import type { Diagnostic, Related } from '../diagnostics/diagnostic.ts';
import type { Severity } from '../diagnostics/severity.ts';
import { placeAt, type Span } from '../source/source.ts';
import { countDiagnostics, printCounts } from './count-diagnostics.ts';
import type { Paint } from './paint.ts';
import { printFrame } from './print-frame.ts';

interface DiagnosticsLook {
  readonly paint: Paint;
  /** Shows warnings and notes beyond the first few of a code, too. Errors are always shown. */
  readonly verbose: boolean;
}

/** Warnings and notes of one code that are shown in full without --verbose. */
const SHOWN_OF_A_CODE = 3;

/**
 * Diagnostics as a compiler prints them: place and message, the source line with the place underlined, the other ends,
 * a hint. Ends with a line of counts; empty without diagnostics.
 */
export function printDiagnostics(diagnostics: readonly Diagnostic[], look: DiagnosticsLook): string {
  if (diagnostics.length === 0) return '';
  const { shown, folded } = look.verbose ? { shown: diagnostics, folded: new Map<Code, number>() } : fold(diagnostics);
  const left = new Map<Code, number>();
  for (const it of shown) left.set(it.code, (left.get(it.code) ?? 0) + 1);
  const blocks = shown.map((it) => {
    const lines = printDiagnostic(it, look.paint);
    const remaining = (left.get(it.code) ?? 0) - 1;
    left.set(it.code, remaining);
    const more = remaining === 0 ? (folded.get(it.code) ?? 0) : 0;
    return [...lines, ...moreLine(more, ` like this (${it.code}); -v shows all`).map(look.paint.quiet)].join('\n');
  });
  return `${blocks.join('\n\n')}\n\n${printLastLine(diagnostics, look.paint)}\n`;
}

interface Folded {
  readonly shown: readonly Diagnostic[];
  /** How many of a code are left out. */
  readonly folded: ReadonlyMap<Code, number>;
}

/** A fleet can have the same note for every link, so only the first few are shown. No error is ever left out. */
function fold(diagnostics: readonly Diagnostic[]): Folded {
  const seen = new Map<Code, number>();
  const folded = new Map<Code, number>();
  const shown = diagnostics.filter((it) => {
    const count = (seen.get(it.code) ?? 0) + 1;
    seen.set(it.code, count);
    if (it.severity === 'error' || count <= SHOWN_OF_A_CODE) return true;
    folded.set(it.code, (folded.get(it.code) ?? 0) + 1);
    return false;
  });
  return { shown, folded };
}

function printDiagnostic(it: Diagnostic, paint: Paint): readonly string[] {
  const colour = colourOf(it.severity, paint);
  const gutter = Math.max(...[it.span, ...it.related.map((other) => other.span)].map(lineDigits)) + 1;
  const head = `${colour(it.severity)} ${it.code}: ${paint.strong(visibleText(it.message))}`;
  return [
    `${printPlace(it.span)}: ${head}`,
    ...frameOf(it.span, { gutter, mark: '^', paintMark: colour, paintGutter: paint.quiet }),
    ...it.related.flatMap((other) => printRelated(other, gutter, paint)),
    ...(it.hint === undefined ? [] : [`  ${paint.good('hint')}: ${visibleText(it.hint)}`]),
  ];
}

function printRelated(it: Related, gutter: number, paint: Paint): readonly string[] {
  return [
    `  ${printPlace(it.span)}: ${visibleText(it.message)}`,
    ...frameOf(it.span, { gutter, mark: '-', paintMark: paint.note, paintGutter: paint.quiet }),
  ];
}

/** A source without any text has no line to show. */
const frameOf = (span: Span, look: Parameters<typeof printFrame>[1]): readonly string[] =>
  span.source.text.trim() === '' ? [] : printFrame(span, look);

/** `file:line:column`, which terminals and editors turn into a link. */
function printPlace(span: Span): string {
  const { line, column } = placeAt(span.source, span.start);
  return `${visibleText(span.source.path)}:${line}:${column}`;
}

function printLastLine(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const counts = countDiagnostics(diagnostics);
  const worst: Severity = counts.errors > 0 ? 'error' : counts.warnings > 0 ? 'warning' : 'note';
  return `${colourOf(worst, paint)(printCounts(counts))}; run "weft explain CODE" for details`;
}

const colourOf = (severity: Severity, paint: Paint): ((text: string) => string) =>
  ({ error: paint.error, warning: paint.warning, note: paint.note })[severity];

const lineDigits = (span: Span): number => String(placeAt(span.source, span.start).line).length;
