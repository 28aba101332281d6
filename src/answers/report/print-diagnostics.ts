import { groupBy } from '../../base/core/group-by.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { firstOf, moreLine } from '../../base/core/words.ts';
import { type Diagnostic, isOpen, type Related } from '../../base/diagnostics/diagnostic.ts';
import type { Severity } from '../../base/diagnostics/severity.ts';
import { worstFirst } from '../../base/diagnostics/worst-first.ts';
import { placeAt, type Span } from '../../base/source/source.ts';
import { countAccepted, countDiagnostics, printCounts } from './count-diagnostics.ts';
import type { Paint } from './paint.ts';
import { printFrame } from './print-frame.ts';

interface DiagnosticsLook {
  readonly paint: Paint;
  /** Shows warnings and notes beyond the first few of a code, and what is accepted. Open errors are always shown. */
  readonly verbose: boolean;
}

/** Warnings and notes of one code that are shown in full without --verbose. */
const SHOWN_OF_A_CODE = 3;

/** Clusters and links that are named where others of a code are left out. */
const NAMED_SUBJECTS = 5;

/**
 * Diagnostics as a compiler prints them: place and message, the source line with the place underlined, the other ends,
 * a hint. Errors come first, and what is accepted last. Ends with a line of counts; empty without diagnostics.
 */
export function printDiagnostics(diagnostics: readonly Diagnostic[], look: DiagnosticsLook): string {
  if (diagnostics.length === 0) return '';
  const sorted = worstFirst(diagnostics);
  const open = sorted.filter(isOpen);
  const accepted = look.verbose ? sorted.filter((it) => !isOpen(it)) : [];
  const blocks = [...(look.verbose ? open : fold(open)), ...accepted].map((it) => {
    const lines = printDiagnostic(it, look.paint);
    return [...lines, ...printFolded(it, look.paint)].join('\n');
  });
  return [...blocks, `${printLastLine(diagnostics, look)}\n`].join('\n\n');
}

interface Shown extends Diagnostic {
  /** Those of its code that are left out after it. */
  readonly folded?: readonly Diagnostic[];
}

/** A fleet can have the same note for every link, so only the first few are shown. No error is ever left out. */
function fold(diagnostics: readonly Diagnostic[]): readonly Shown[] {
  const byCode = groupBy(diagnostics, (it) => (it.severity === 'error' ? [] : [it.code]));
  const last = new Map([...byCode.values()].map((alike) => [alike[SHOWN_OF_A_CODE - 1], alike.slice(SHOWN_OF_A_CODE)]));
  const leftOut = new Set([...last.values()].flat());
  return diagnostics.filter((it) => !leftOut.has(it)).map((it) => ({ ...it, folded: last.get(it) ?? [] }));
}

function printFolded({ code, folded = [] }: Shown, paint: Paint): readonly string[] {
  const subjects = new Set(folded.flatMap(({ about = [] }) => about.map((it) => it.join('/'))));
  const names = subjects.size === 0 ? '' : `: ${visibleText(firstOf([...subjects], NAMED_SUBJECTS))}`;
  return moreLine(folded.length, ` like this (${code})${names}; -v shows all`).map(paint.quiet);
}

function printDiagnostic(it: Diagnostic, paint: Paint): readonly string[] {
  const colour = colourOf(it.severity, paint);
  const gutter = Math.max(...[it.span, ...it.related.map((other) => other.span)].map(lineDigits)) + 1;
  const head = `${isOpen(it) ? '' : 'accepted '}${colour(it.severity)} ${it.code}: ${paint.strong(visibleText(it.message))}`;
  return [
    `${printPlace(it.span)}: ${head}`,
    ...frameOf(it.span, { gutter, mark: '^', paintMark: colour, paintGutter: paint.quiet }),
    ...it.related.flatMap((other) => printRelated(other, gutter, paint)),
    ...(it.hint === undefined ? [] : [`  ${paint.good('hint')}: ${visibleText(it.hint)}`]),
    ...(it.accepted ?? []).map(({ reason, at }) => `  accepted at ${printPlace(at)}: ${visibleText(reason)}`),
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

function printLastLine(diagnostics: readonly Diagnostic[], { paint, verbose }: DiagnosticsLook): string {
  const counts = countDiagnostics(diagnostics);
  const accepted = printCounts(countAccepted(diagnostics));
  const showsThem = verbose ? '' : ' (-v shows why)';
  const acceptedPart = accepted === '' ? [] : [`${accepted} accepted${showsThem}`];
  const open = printCounts(counts);
  if (open === '') return acceptedPart.join('');
  const worst: Severity = counts.errors > 0 ? 'error' : counts.warnings > 0 ? 'warning' : 'note';
  return [colourOf(worst, paint)(open), ...acceptedPart, 'run "weft explain CODE" for details'].join('; ');
}

const colourOf = (severity: Severity, paint: Paint): ((text: string) => string) =>
  ({ error: paint.error, warning: paint.warning, note: paint.note })[severity];

const lineDigits = (span: Span): number => String(placeAt(span.source, span.start).line).length;
