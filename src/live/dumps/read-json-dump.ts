import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { readDocument } from '../../base/source/read-document.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { hiddenSpan } from './hide-values.ts';
import { type DumpValue, type Json, textAt, type WantedKind } from './json.ts';
import { itemOf, type JsonPlace, jsonValues, kubectlLists } from './kubectl-lists.ts';
import { unreadableDump } from './live-diagnostics.ts';

/**
 * The values of a dump in JSON, one after another; `undefined` for a text that is none. Parsing with places takes five times
 * as long, so a place is only looked for when a message needs it.
 */
export function readJsonDump(source: Source, isWanted: WantedKind): Outcome<readonly DumpValue[]> | undefined {
  if (!/^[\s\ufeff]*[{[]/.test(source.text)) return undefined;
  const listed = wantedItems(source, isWanted);
  if (listed !== undefined) return outcome(listed);
  const whole = parsed(source.text);
  if (whole !== undefined) return outcome([valueAt(source, whole, { start: 0, end: source.text.length })]);
  const places = jsonValues(source.text);
  const values = places.map((it) => [parsed(source.text.slice(it.start, it.end)), it] as const);
  const broken = values.find(([value]) => value === undefined)?.[1];
  if (broken !== undefined) return failure([notJson(source, broken)]);
  const rest = restOf(source.text, places);
  return rest === undefined
    ? outcome(values.map(([value, place]) => valueAt(source, value ?? null, place)))
    : failure([unreadableDump(firstCharacter(source, rest), whyRest(source.text[rest.start]))]);
}

/**
 * The wanted items of a text as kubectl writes it, each parsed alone: most of a large dump is of other kinds, and parsed at
 * once it takes several times its size. `undefined` for any other text, whose mistakes are then found.
 */
function wantedItems(source: Source, isWanted: WantedKind): readonly DumpValue[] | undefined {
  const { text } = source;
  const lists = kubectlLists(text);
  if (lists === undefined) return undefined;
  const values: DumpValue[] = [];
  for (const { shell, items, indent } of lists) {
    if (textAt(parsed(shell), 'kind') !== 'List') return undefined;
    const mayBeWanted = kindTest(indent.repeat(3), isWanted);
    for (const { start, end } of items) {
      const item = text.slice(start, end);
      if (!mayBeWanted(item)) continue;
      const value = parsed(item);
      if (value === undefined) return undefined;
      values.push({ value, at: () => hiddenSpan(source, start, start + 1) });
    }
  }
  return values;
}

/** By the lines with the item's own keys. Without both of them it is parsed. */
function kindTest(indent: string, isWanted: WantedKind): (item: string) => boolean {
  const line = (key: string): RegExp => new RegExp(`\\n${indent}"${key}": "([\\w./-]+)",?\\n`);
  const [apiVersionLine, kindLine] = [line('apiVersion'), line('kind')];
  return (item) => {
    const [, apiVersion] = apiVersionLine.exec(item) ?? [];
    const [, kind] = kindLine.exec(item) ?? [];
    return apiVersion === undefined || kind === undefined || kind.endsWith('List') || isWanted(apiVersion, kind);
  };
}

/** `undefined` for a text that is not JSON. The words of the parser repeat the text, which may be that of a Secret. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const valueAt = (source: Source, value: Json, place: JsonPlace): DumpValue => ({
  value,
  at: () => firstCharacter(source, place),
  itemAt: (index) => firstCharacter(source, itemOf(source.text, place, index) ?? place),
});

function notJson(source: Source, { start, end }: JsonPlace): Diagnostic {
  const reading = readDocument({ path: source.path, text: source.text.slice(start, end) }, { language: 'json' });
  const span = reading.ok ? undefined : reading.problems[0]?.span;
  return unreadableDump(
    hiddenSpan(source, start + (span?.start ?? 0), start + (span?.end ?? 1)),
    'it is not JSON from here on',
  );
}

const whyRest = (first: string | undefined): string =>
  first === '{' || first === '['
    ? 'this is never closed, so it was cut off'
    : 'this follows the end of the last object';

/** Text that belongs to no value: an object that was cut off, or a message of kubectl. */
function restOf(text: string, places: readonly JsonPlace[]): JsonPlace | undefined {
  const ends = [0, ...places.map((it) => it.end)];
  const starts = [...places.map((it) => it.start), text.length];
  for (const [index, start] of ends.entries()) {
    const between = text.slice(start, starts[index]);
    const first = between.search(/[^\s\ufeff]/);
    if (first !== -1) return { start: start + first, end: start + first + 1 };
  }
  return undefined;
}

function firstCharacter(source: Source, { start, end }: JsonPlace): Span {
  const from = start + Math.max(0, source.text.slice(start, end).search(/[^\s\ufeff]/));
  return hiddenSpan(source, from, from + 1);
}
