/** Groups items by their keys; an item with several keys is in several groups. Items and groups keep their order. */
export function groupBy<T, K extends string = string>(
  items: readonly T[],
  keysOf: (item: T) => readonly K[],
): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}

/** Compares two texts by code unit: the same order in every language and on every machine. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns a comparison by one text of each item: `clusters.sort(by((it) => it.name))`. */
export const by =
  <T>(textBy: (it: T) => string): ((a: T, b: T) => number) =>
  (a, b) =>
    byCodeUnit(textBy(a), textBy(b));

/** The index of a text in a sorted list; if it is missing, the index at which it would be inserted. */
export function placeInOrder(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries of a map, sorted by their keys. */
export const sortedEntries = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(by(([key]) => key));

/** All different texts, sorted. */
export const sortedUnique = <T extends string>(texts: Iterable<T>): readonly T[] =>
  [...new Set(texts)].sort(byCodeUnit);

/** Two texts, the smaller one first. */
export const inOrder = (a: string, b: string): readonly [string, string] => (a < b ? [a, b] : [b, a]);

/** The own value of a key. A key from outside may be `constructor` or `__proto__`, which every object inherits. */
export const valueAt = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** Sorts the entries of a record by key; returns the record itself if it is sorted already. */
export function sortedRecord<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const keys = Object.keys(record);
  if (keys.every((key, i) => i === 0 || (keys[i - 1] as string) < key)) return record;
  return Object.fromEntries(Object.entries(record).sort(by(([key]) => key)));
}

/** The sorted keys whose value has changed to one that another key had before. */
export function movedValues(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const had = new Set(before.values());
  return [...after]
    .flatMap(([key, value]) => (had.has(value) && before.get(key) !== value ? [key] : []))
    .sort(byCodeUnit);
}

/** Decides by itself whether two objects are equal; `undefined` to compare their parts. */
type Judge = (a: object, b: object) => boolean | undefined;

/** The number of compared objects up to which a result is not remembered, because comparing again is faster. */
const FEW_OBJECTS = 16;

/**
 * Returns a deep comparison of values; the order of keys and entries matters, too. Equal objects are remembered unless
 * they are small, because one value can be a part of many. The values must not be circular, except through objects that
 * `judge` decides.
 */
export function sameValues(judge: Judge): (a: unknown, b: unknown) => boolean {
  const found = new Map<object, object>();
  let compared = 0;
  const areEqual = (a: unknown, b: unknown): boolean => {
    if (Object.is(a, b)) return true;
    if (!isObject(a) || !isObject(b)) return false;
    if (found.get(a) === b) return true;
    const before = compared++;
    const isEqual = judge(a, b) ?? haveSameParts(a, b, areEqual);
    if (isEqual && compared - before > FEW_OBJECTS) found.set(a, b);
    return isEqual;
  };
  return areEqual;
}

const isObject = (it: unknown): it is object => typeof it === 'object' && it !== null;

type Comparison = (a: unknown, b: unknown) => boolean;

/** Values of other classes are equal only if they are identical. */
function haveSameParts(a: object, b: object, areEqual: Comparison): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && haveSameItems(a, b, areEqual);
  if (a instanceof Map) return b instanceof Map && haveSameEntries(a, b, areEqual);
  if (a instanceof Set) return b instanceof Set && a.size === b.size && haveSameItems([...a], [...b], areEqual);
  return isRecord(a) && isRecord(b) && haveSameFields(a, b, areEqual);
}

const haveSameItems = (a: readonly unknown[], b: readonly unknown[], areEqual: Comparison): boolean =>
  a.length === b.length && a.every((it, i) => areEqual(it, b[i]));

type Entries = ReadonlyMap<unknown, unknown>;

const haveSameEntries = (a: Entries, b: Entries, areEqual: Comparison): boolean =>
  haveSameItems([...a.keys()], [...b.keys()], areEqual) && haveSameItems([...a.values()], [...b.values()], areEqual);

type PlainObject = Readonly<Record<string, unknown>>;

const isRecord = (it: object): it is PlainObject => Object.getPrototypeOf(it) === Object.prototype;

function haveSameFields(a: PlainObject, b: PlainObject, areEqual: Comparison): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && areEqual(valueAt(a, key), valueAt(b, key)))
  );
}

/** The most frequent item, the first of several, and how often it occurs; `undefined` without items. Items with one text are equal. */
export function mostCommon<T>(
  items: readonly T[],
  textOf: (item: T) => string = JSON.stringify,
): { readonly value: T; readonly count: number } | undefined {
  const counts = new Map<string, { readonly value: T; count: number }>();
  for (const value of items) {
    const known = counts.get(textOf(value));
    if (known === undefined) counts.set(textOf(value), { value, count: 1 });
    else known.count++;
  }
  let most: { readonly value: T; readonly count: number } | undefined;
  for (const it of counts.values()) if (most === undefined || it.count > most.count) most = it;
  return most;
}

/** Adds items to the end of a list. More than about 100,000 arguments of one call overflow the stack. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const it of items) list.push(it);
}

/** The largest of any number of numbers, and not less than `least`. */
export const largest = (numbers: readonly number[], least = Number.NEGATIVE_INFINITY): number =>
  numbers.reduce((a, b) => Math.max(a, b), least);

/** The smallest of any number of numbers, and not more than `most`. */
export const smallest = (numbers: readonly number[], most = Number.POSITIVE_INFINITY): number =>
  numbers.reduce((a, b) => Math.min(a, b), most);

/**
 * Returns a function that describes a value as a text, which is the same one only for values that `sameValues` finds equal.
 *
 * @param nameOf the text for an object that is not described by its parts
 */
export function describeValues(nameOf: (it: object) => string | undefined): (value: unknown) => string {
  const describe = (value: unknown): string => {
    // The length shows where a text ends, whatever is in it.
    if (typeof value === 'string') return `${value.length}"${value}`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') throw new TypeError('a function has no description');
    if (!isObject(value)) return `${String(value)};`;
    const name = nameOf(value);
    if (name !== undefined) return `(${name})`;
    let parts = '';
    if (Array.isArray(value)) {
      for (const it of value) parts += describe(it);
      return `[${parts}]`;
    }
    if (value instanceof Map) {
      for (const [key, it] of value) parts += describe(key) + describe(it);
      return `m${parts}}`;
    }
    if (value instanceof Set) {
      for (const it of value) parts += describe(it);
      return `s${parts}}`;
    }
    if (!isRecord(value)) throw new TypeError(`an object of the class ${value.constructor.name} has no description`);
    for (const key of Object.keys(value)) parts += `${describe(key)}${describe(value[key])}`;
    return `{${parts}}`;
  };
  return describe;
}
