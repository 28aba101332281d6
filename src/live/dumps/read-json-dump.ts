import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { readDocument } from '../../base/source/read-document.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { type DumpValue, type Json, textAt, type WantedKind } from './json.ts';
import { hiddenSpan, unreadableDump } from './live-diagnostics.ts';

/** A list of objects as kubectl prints it in JSON. */
interface KubectlList {
  /** The text of the list without its items. */
  readonly shell: string;
  readonly items: readonly JsonPlace[];
  /** The indentation of its first level. */
  readonly indent: string;
}

/**
 * Splits a text into lists of kubectl by the positions of their brackets, because JSON strings contain no line breaks.
 * `undefined` for any other text, or one that was cut off.
 */
function kubectlLists(text: string): readonly KubectlList[] | undefined {
  const lists: KubectlList[] = [];
  let at = spaceEnd(text, 0);
  while (at < text.length) {
    const close = text.indexOf('\n}', at);
    const list = close === -1 ? undefined : kubectlListAt(text, at, close + 2);
    if (list === undefined) return undefined;
    lists.push(list);
    at = spaceEnd(text, close + 2);
  }
  return lists.length === 0 ? undefined : lists;
}

/** Returns the end of the white space that begins at an offset. */
function spaceEnd(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

const SPACE = /[\s\ufeff]*/y;

function kubectlListAt(text: string, start: number, end: number): KubectlList | undefined {
  const [, indent] = /^\{\n( {1,8})"/.exec(text.slice(start, start + 12)) ?? [];
  if (indent === undefined) return undefined;
  const key = `\n${indent}"items": [`;
  const open = text.indexOf(key, start);
  const first = open + key.length;
  const last = text.startsWith('],', first) ? first : text.indexOf(`\n${indent}]`, first);
  if (open === -1 || last === -1 || last > end) return undefined;
  // After a list that was cut off, the keys of the next list follow.
  const nextKey = text.indexOf(`\n${indent}"`, first);
  if (nextKey !== -1 && nextKey < last) return undefined;
  const items = itemsBetween(text, { start: first, end: last }, indent + indent);
  return items && { shell: text.slice(start, first) + text.slice(last, end), items, indent };
}

/** Returns the items between the brackets of a list; `undefined` if there is other text. */
function itemsBetween(text: string, { start, end }: JsonPlace, indent: string): readonly JsonPlace[] | undefined {
  const [opening, closing] = [`\n${indent}{\n`, `\n${indent}}`];
  const items: JsonPlace[] = [];
  let at = start;
  while (at < end) {
    const close = text.indexOf(closing, at);
    if (!text.startsWith(opening, at) || close === -1 || close > end) return undefined;
    items.push({ start: at + 1 + indent.length, end: close + closing.length });
    at = close + closing.length;
    if (at < end && text[at++] !== ',') return undefined;
  }
  return items;
}

/** The place of a JSON value in a text; the end is exclusive. */
interface JsonPlace {
  readonly start: number;
  readonly end: number;
}

/** A bracket of a JSON text, outside strings. */
interface Bracket {
  readonly at: number;
  /** The number of open brackets after it. */
  readonly depth: number;
  readonly opens: boolean;
}

/** Returns the places of the top-level JSON values of a text, as far as their brackets are balanced. */
function jsonValues(text: string): readonly JsonPlace[] {
  const places: JsonPlace[] = [];
  let start = 0;
  for (const { at, depth, opens } of bracketsOf(text)) {
    if (depth === 0) places.push({ start, end: at + 1 });
    else if (opens && depth === 1) start = at;
  }
  return places;
}

/** Returns the place of an item in the first list of a value; `undefined` if there are fewer items. */
function itemOf(text: string, { start, end }: JsonPlace, index: number): JsonPlace | undefined {
  const value = text.slice(start, end);
  let left = index;
  let inList = false;
  let from = 0;
  for (const { at, depth, opens } of bracketsOf(value)) {
    if (opens && depth === 2) inList = value[at] === '[';
    if (opens && depth === 3) from = at;
    if (!opens && depth === 2 && inList && left-- === 0) return { start: start + from, end: start + at + 1 };
  }
  return undefined;
}

function* bracketsOf(text: string): Iterable<Bracket> {
  const mark = /["{}[\]]/g;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = endOfString(text, found.index);
    else {
      const opens = found[0] === '{' || found[0] === '[';
      depth += opens ? 1 : -1;
      yield { at: found.index, depth, opens };
    }
  }
}

/** Returns the offset after the string that starts at `start`: its first quote that is not escaped. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/**
 * Reads the values of a JSON dump; `undefined` for a text that is not JSON. Parsing with places takes five times as
 * long, so places are computed only for messages.
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
  const rest = textOutside(source.text, places);
  return rest === undefined
    ? outcome(values.map(([value, place]) => valueAt(source, value ?? null, place)))
    : failure([unreadableDump(firstCharacter(source, rest), whyRest(source.text[rest.start]))]);
}

/**
 * Parses the wanted items of a text in kubectl's layout one by one: most of a large dump is of other kinds, and parsing
 * it at once needs several times its size. `undefined` for any other text, which is then read as a whole.
 */
function wantedItems(source: Source, isWanted: WantedKind): readonly DumpValue[] | undefined {
  const { text } = source;
  const lists = kubectlLists(text);
  if (lists === undefined) return undefined;
  const values: DumpValue[] = [];
  for (const { shell, items, indent } of lists) {
    const list = parsed(shell) ?? null;
    if (textAt(list, 'kind') !== 'List' || textAt(list, 'metadata', 'continue')) return undefined;
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

/** Tests the kind of an item by the lines with its own keys. If one of them is missing, the item is parsed. */
function kindTest(indent: string, isWanted: WantedKind): (item: string) => boolean {
  const line = (key: string): RegExp => new RegExp(`\\n${indent}"${key}": "([\\w./-]+)",?\\n`);
  const [apiVersionLine, kindLine] = [line('apiVersion'), line('kind')];
  return (item) => {
    const [, apiVersion] = apiVersionLine.exec(item) ?? [];
    const [, kind] = kindLine.exec(item) ?? [];
    return apiVersion === undefined || kind === undefined || kind.endsWith('List') || isWanted(apiVersion, kind);
  };
}

/** `undefined` for text that is not JSON. The parser's message is dropped, because it may repeat a Secret. */
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

/** Returns the first text outside all values: an object that was cut off, or a message of kubectl. */
function textOutside(text: string, places: readonly JsonPlace[]): JsonPlace | undefined {
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
