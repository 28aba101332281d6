import { groupBy } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { countOf } from '../../base/core/words.ts';
import type { Severity } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import { placeRow } from './diagnostics-document.ts';
import type { Paint } from './paint.ts';

// The runner decodes these escapes, including those in the original text. Source: actions/toolkit
// packages/core/src/command.ts (escapeData, escapeProperty).
const escapeData = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * Workflow commands that GitHub turns into annotations, one per line, without accepted diagnostics. `pathOf` returns a
 * file's path from the root of the checkout. GitHub shows ten of each kind per step, so of many warnings, the first of each code
 * and then the first of all are printed, and the last one counts the others. An error is always printed.
 */
export function printAnnotations(diagnostics: readonly Diagnostic[], pathOf: (path: string) => string): string {
  const open = diagnostics.filter(isOpen);
  const alike = groupBy(open, (it) => [it.severity]);
  const printed = open.flatMap((it) => {
    const all = alike.get(it.severity) ?? [];
    if (it.severity === 'error' || all.length <= MOST_SHOWN) return [it];
    const shown = oneOfEachFirst(all).slice(0, MOST_SHOWN);
    if (it === shown.at(-1)) return [countedOthers(it, all.length - MOST_SHOWN + 1)];
    return shown.includes(it) ? [it] : [];
  });
  return printed.map((it) => `${printAnnotation(it, pathOf)}\n`).join('');
}

function oneOfEachFirst(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const ofCodes = new Set([...groupBy(all, (it) => [it.code]).values()].flatMap((it) => it.slice(0, 1)));
  return [...ofCodes, ...all.filter((it) => !ofCodes.has(it))];
}

const countedOthers = ({ code, span, severity }: Diagnostic, count: number): Diagnostic =>
  diagnostic(
    code,
    span,
    `${countOf(count, `more ${severity}`)} like these: the plan and the log of this run have them`,
  );

/** Annotations of a kind that GitHub shows for a step. */
export const MOST_SHOWN = 10;

/** The workflow command of a remark: GitHub shows it on the page of the run. */
export function printRemarkAnnotation({ severity, message, hint }: Remark): string {
  const lines = [...message.split('\n'), ...(hint === undefined ? [] : [`hint: ${hint}`])];
  return `::${COMMANDS[severity]} title=weft::${escapeData(lines.map(visibleText).join('\n'))}\n`;
}

function printAnnotation(it: Diagnostic, pathOf: (path: string) => string): string {
  const place = placeRow(it.span);
  // GitHub uses columns only when both ends are on one line.
  const columns = place.line === place.endLine ? { col: place.column, endColumn: place.endColumn } : {};
  const properties = {
    file: visibleText(pathOf(place.file)),
    line: place.line,
    endLine: place.endLine,
    ...columns,
    title: it.code,
  };
  const printed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${COMMANDS[it.severity]} ${printed.join(',')}::${escapeData(messageOf(it, pathOf))}`;
}

/** An annotation has one text, so related places and the hint follow the message. */
function messageOf(it: Diagnostic, pathOf: (path: string) => string): string {
  const related = it.related.map((other) => {
    const place = placeRow(other.span);
    return `${pathOf(place.file)}:${place.line}:${place.column}: ${other.message}`;
  });
  const lines = [it.message, ...related, ...(it.hint === undefined ? [] : [`hint: ${it.hint}`])];
  return lines.map(visibleText).join('\n');
}

/** A result of a whole run, without a place in a file. */
export interface Remark {
  readonly severity: Severity;
  /** May have several lines. */
  readonly message: string;
  readonly hint?: string | undefined;
}

export function printRemark({ severity, message, hint }: Remark, paint: Paint): string {
  const text = message.split('\n').map(visibleText).join('\n');
  const advice = hint === undefined ? '' : `  ${paint.good('hint')}: ${visibleText(hint)}\n`;
  return `${paint[severity](severity)}: ${text}\n${advice}`;
}
