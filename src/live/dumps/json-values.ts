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
