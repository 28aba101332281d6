import type { JsonPlace } from './json-values.ts';

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
