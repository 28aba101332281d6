import { groupBy, largest } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { firstOf, moreLine } from '../../base/core/words.ts';
import type { Severity } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, isOpen, type Related, worstFirst } from '../../base/diagnostics/diagnostic.ts';
import { lineText, placeAt, type Span } from '../../base/source/source.ts';
import { countAccepted, countDiagnostics, printCounts } from './diagnostics-document.ts';
import { widthOf } from './layout.ts';
import type { Paint } from './paint.ts';

interface DiagnosticsLook {
  readonly paint: Paint;
  /** Shows all warnings and notes of a code, and accepted diagnostics. Open errors are always shown. */
  readonly verbose: boolean;
}

/** The most warnings and notes of one code that are shown in full without --verbose. */
const SHOWN_OF_A_CODE = 3;

/** The most clusters and links that are named when diagnostics of a code are omitted. */
const NAMED_SUBJECTS = 5;

/**
 * Diagnostics in the form of a compiler: place and message, the underlined source line, related places, a hint. Errors
 * come first, accepted diagnostics last, then a line of counts; empty without diagnostics.
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
  /** The omitted diagnostics of the same code. */
  readonly folded?: readonly Diagnostic[];
}

/** A fleet can have the same note for every link, so only the first few are shown. Errors are never omitted. */
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
  const gutter = largest([it.span, ...it.related.map((other) => other.span)].map(lineDigits)) + 1;
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

/** An empty source has no line to show. */
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

interface FrameLook {
  /** Width of the line number column. */
  readonly gutter: number;
  /** The mark below the place, `^` or `-`. */
  readonly mark: string;
  readonly paintMark: (text: string) => string;
  readonly paintGutter: (text: string) => string;
}

/** The most cells of source text that are shown; with the gutter a line stays near 120. */
const FRAME_CELLS = 110;
/** Cells before the place that stay visible when a long line is cut. */
const LEAD_CELLS = 30;
const TAB_CELLS = 4;
/** UTF-16 code units read on each side of the place. */
const REACH = 1000;

/** The source line of a span with the place underlined: two lines. */
function printFrame(span: Span, look: FrameLook): readonly string[] {
  const from = placeAt(span.source, span.start);
  const to = placeAt(span.source, Math.max(span.start, span.end));
  const line = lineText(span.source, from.line);
  // Text further away is never visible, so a line of megabytes costs no more than a short one.
  const offset = Math.max(0, from.column - 1 - REACH);
  const text = line.slice(offset, offset + 2 * REACH);
  const first = Math.min(from.column - 1 - offset, text.length);
  const last = to.line === from.line ? to.column - 1 - offset : text.length;
  const { shown, lead, marks } = cut(drawnCells(text, first, Math.max(first, last)));
  const number = String(from.line).padStart(look.gutter);
  const blank = ' '.repeat(look.gutter);
  return [
    trimEnd(`${look.paintGutter(`${number} |`)} ${shown}`),
    `${look.paintGutter(`${blank} |`)} ${' '.repeat(lead)}${look.paintMark(look.mark.repeat(marks))}`,
  ];
}

interface Cells {
  /** The characters as drawn, each with its width in cells. */
  readonly drawn: readonly { readonly text: string; readonly width: number }[];
  /** Cells before the place, and cells of the place. */
  readonly before: number;
  readonly inside: number;
}

/** A line as a terminal draws it: tabs become spaces, so that the marks are aligned with the text. */
function drawnCells(line: string, first: number, last: number): Cells {
  const drawn: { text: string; width: number }[] = [];
  let at = 0;
  let column = 0;
  let before = 0;
  let inside = 0;
  // Each character has one replacement, but the line is converted as a whole: some characters are harmless alone.
  const visible = [...visibleText(line)];
  for (const [index, character] of [...line].entries()) {
    const tab = character === '\t' ? TAB_CELLS - (column % TAB_CELLS) : 0;
    const text = tab > 0 ? ' '.repeat(tab) : (visible[index] ?? '');
    const width = tab > 0 ? tab : widthOf(text);
    drawn.push({ text, width });
    if (at < first) before += width;
    else if (at < last) inside += width;
    column += width;
    at += character.length;
  }
  return { drawn, before, inside };
}

/** The part of a long line around the place, with an ellipsis where text is left out. */
function cut({ drawn, before, inside }: Cells): { shown: string; lead: number; marks: number } {
  const total = drawn.reduce((sum, it) => sum + it.width, 0);
  const marks = Math.max(1, inside);
  if (total <= FRAME_CELLS) return { shown: drawn.map((it) => it.text).join(''), lead: before, marks };
  // Near its start, a line is not cut before the place.
  const start = before + Math.min(marks, LEAD_CELLS) <= FRAME_CELLS - 1 ? 0 : before - LEAD_CELLS;
  let shown = start > 0 ? '…' : '';
  let used = start > 0 ? 1 : 0;
  let lead = start > 0 ? 1 : 0;
  let column = 0;
  for (const it of drawn) {
    const here = column;
    column += it.width;
    if (here < start) continue;
    if (used + it.width > FRAME_CELLS - 1 && column < total) {
      shown += '…';
      break;
    }
    shown += it.text;
    used += it.width;
    if (here < before) lead += it.width;
  }
  return { shown, lead, marks: Math.max(1, Math.min(marks, used - lead)) };
}

const trimEnd = (line: string): string => line.replace(/ +$/, '');
