import { expect, it } from 'vitest';
import { CODES, type Code } from '../../src/base/diagnostics/codes.ts';
import type { Diagnostic } from '../../src/base/diagnostics/diagnostic.ts';
import type { Source } from '../../src/base/source/source.ts';

export interface Expected {
  readonly code: Code;
  readonly message?: string | RegExp;
  /** `null`: there must be none. */
  readonly hint?: string | RegExp | null;
  /** The text about the other end; its place is drawn into the text with ‹ and ›. */
  readonly related?: string | RegExp;
  /** Errors that the text shows besides. Left out: the mistake shows exactly one error. */
  readonly others?: readonly Code[];
}

export type Diagnose = (source: Source) => readonly Diagnostic[];

interface Drawn {
  readonly text: string;
  /** Offsets of the text between « and ». */
  readonly place: readonly [number, number] | undefined;
  readonly otherPlace: readonly [number, number] | undefined;
}

/** Takes the drawn places out of a text, and the indentation that its lines share with the test around it. */
export function drawn(drawing: string): Drawn {
  const lines = dedented(drawing);
  const offsets: Partial<Record<string, number>> = {};
  let text = '';
  for (const character of lines) {
    if ('«»‹›'.includes(character)) {
      if (offsets[character] !== undefined) throw new Error(`${character} is drawn twice`);
      offsets[character] = text.length;
    } else {
      text += character;
    }
  }
  return { text, place: range(offsets['«'], offsets['»']), otherPlace: range(offsets['‹'], offsets['›']) };
}

function range(start: number | undefined, end: number | undefined): readonly [number, number] | undefined {
  if (start === undefined && end === undefined) return undefined;
  if (start === undefined || end === undefined) throw new Error('a place is drawn with one end only');
  return [start, end];
}

function dedented(drawing: string): string {
  if (!drawing.startsWith('\n')) return drawing;
  const lines = drawing.slice(1).split('\n');
  const indents = lines.filter((it) => it.trim() !== '').map((it) => /^ */.exec(it)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return lines.map((it) => (it.trim() === '' ? it.trimStart() : it.slice(indent))).join('\n');
}

/** The one diagnostic that a text must show, where it is drawn; and what holds for every diagnostic. */
export function expectDiagnostic(diagnose: Diagnose, drawing: string, expected: Expected): void {
  const { text, place, otherPlace } = drawn(drawing);
  const source: Source = { path: 'topology.yaml', text };
  const found = diagnose(source);
  for (const one of found) expectWellFormed(one, source);
  const ours = found.filter((one) => one.code === expected.code);
  expect(found.map((one) => one.code)).toContain(expected.code);
  const errors = found.filter((one) => one.severity === 'error' && one.code !== expected.code).map((one) => one.code);
  expect(errors.sort(), 'errors besides the expected one').toEqual([...(expected.others ?? [])].sort());
  const at = ([start, end]: readonly [number, number]): string =>
    `${start}..${end} ${JSON.stringify(text.slice(start, end))}`;
  const placed = place ? ours.filter((one) => one.span.start === place[0] && one.span.end === place[1]) : ours;
  if (place && placed.length === 0) {
    expect(ours.map((one) => at([one.span.start, one.span.end]))).toEqual([at(place)]);
  }
  expect(ours, 'reported once').toHaveLength(1);
  const one = ours[0] as Diagnostic;
  if (expected.message !== undefined) expectText(one.message, expected.message);
  if (expected.hint === null) expect(one.hint).toBeUndefined();
  else if (expected.hint !== undefined) expectText(one.hint ?? '(no hint)', expected.hint);
  if (expected.related !== undefined) expectText(one.related[0]?.message ?? '(nothing related)', expected.related);
  if (otherPlace) {
    const related = one.related.map((it) => at([it.span.start, it.span.end]));
    expect(related).toContain(at(otherPlace));
  }
}

function expectText(actual: string, expected: string | RegExp): void {
  if (typeof expected === 'string') expect(actual).toBe(expected);
  else expect(actual).toMatch(expected);
}

/** STYLE of every diagnostic: small letter first, no full stop, one line, a place inside the text. */
function expectWellFormed(one: Diagnostic, source: Source): void {
  expect(one.severity).toBe(CODES[one.code]);
  for (const text of [one.message, one.hint ?? '-', ...one.related.map((it) => it.message)]) {
    expect(text).not.toMatch(/^[A-Z][a-z]|\.$|\n|undefined|\[object/);
    expect(text).not.toBe('');
  }
  for (const { span } of [one, ...one.related]) {
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(span.source.text.length);
  }
  expect(one.span.source).toBe(source);
}

/** A table of mistakes: each line a test named after the mistake. */
export function checker(diagnose: Diagnose): (name: string, drawing: string, expected: Expected) => void {
  return (name, drawing, expected) => it(name, () => expectDiagnostic(diagnose, drawing, expected));
}

/** For texts that must show no error. */
export function expectNoErrors(diagnose: Diagnose, drawing: string): void {
  const found = diagnose({ path: 'topology.yaml', text: drawn(drawing).text });
  expect(found.filter((one) => one.severity === 'error').map((one) => `${one.code}: ${one.message}`)).toEqual([]);
}
