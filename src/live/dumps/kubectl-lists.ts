/** A list of objects as kubectl prints it in JSON. */
interface KubectlList {
  /** The list as a text without its items. */
  readonly shell: string;
  readonly items: readonly JsonPlace[];
  /** How far its lines are indented at the first level. */
  readonly indent: string;
}

/**
 * The lists of a text that consists of such lists only, found by the places of their brackets: a line of JSON never begins
 * within a text. `undefined` for any other text, or one that was cut off.
 */
export function kubectlLists(text: string): readonly KubectlList[] | undefined {
  const lists: KubectlList[] = [];
  let at = spaceEnd(text, 0);
  while (at < text.length) {
    const close = text.indexOf('\n}', at);
    const list = close === -1 ? undefined : listAt(text, at, close + 2);
    if (list === undefined) return undefined;
    lists.push(list);
    at = spaceEnd(text, close + 2);
  }
  return lists.length === 0 ? undefined : lists;
}

/** The end of the white space that begins at an offset. */
function spaceEnd(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

const SPACE = /[\s\ufeff]*/y;

function listAt(text: string, start: number, end: number): KubectlList | undefined {
  const [, indent] = /^\{\n( {1,8})"/.exec(text.slice(start, start + 12)) ?? [];
  if (indent === undefined) return undefined;
  const key = `\n${indent}"items": [`;
  const open = text.indexOf(key, start);
  const first = open + key.length;
  const last = text.startsWith('],', first) ? first : text.indexOf(`\n${indent}]`, first);
  if (open === -1 || last === -1 || last > end) return undefined;
  // A list that was cut off goes on with the keys of the next one.
  const nextKey = text.indexOf(`\n${indent}"`, first);
  if (nextKey !== -1 && nextKey < last) return undefined;
  const items = itemsBetween(text, { start: first, end: last }, indent + indent);
  return items && { shell: text.slice(start, first) + text.slice(last, end), items, indent };
}

/** The items between the brackets of a list; `undefined` if there is something else. */
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

/** Where a value of JSON is in a text; the end is exclusive. */
export interface JsonPlace {
  readonly start: number;
  readonly end: number;
}

/** A bracket of a JSON text, outside of strings. */
interface Bracket {
  readonly at: number;
  /** How many brackets are open after it. */
  readonly depth: number;
  readonly opens: boolean;
}

/** The values at the top of a text with JSON values one after another, as far as their brackets are balanced. */
export function jsonValues(text: string): readonly JsonPlace[] {
  const places: JsonPlace[] = [];
  let start = 0;
  for (const { at, depth, opens } of bracketsOf(text)) {
    if (depth === 0) places.push({ start, end: at + 1 });
    else if (opens && depth === 1) start = at;
  }
  return places;
}

/** The item with that index of the list that a value has as a member; `undefined` if there are fewer. */
export function itemOf(text: string, { start, end }: JsonPlace, index: number): JsonPlace | undefined {
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

/** The offset behind the string that starts at an offset: behind the first quote without an odd number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
