/** The items under each of their keys; an item with several keys is in each of their groups. Orders are kept. */
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

/** The order of all texts that weft sorts: by code unit, which is the same in every language and on every machine. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A comparison by one text of each thing: `clusters.sort(by((it) => it.name))`. */
export const by =
  <T>(textOf: (it: T) => string): ((a: T, b: T) => number) =>
  (a, b) =>
    byCodeUnit(textOf(a), textOf(b));

/** The index of a text in a list in this order; where it is missing, the index it would have. */
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

/** Every text once, in order. */
export const sortedUnique = <T extends string>(texts: Iterable<T>): readonly T[] =>
  [...new Set(texts)].sort(byCodeUnit);

/** Two texts, the smaller one first. */
export const inOrder = (a: string, b: string): readonly [string, string] => (a < b ? [a, b] : [b, a]);

/** The same entries, in order of their keys: often the record itself. */
export function sortedRecord<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const keys = Object.keys(record);
  if (keys.every((key, i) => i === 0 || (keys[i - 1] as string) < key)) return record;
  return Object.fromEntries(Object.entries(record).sort(by(([key]) => key)));
}

/** The keys, in order, whose value is another one than before and belonged to another key then. */
export function movedValues(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const had = new Set(before.values());
  return [...after]
    .flatMap(([key, value]) => (had.has(value) && before.get(key) !== value ? [key] : []))
    .sort(byCodeUnit);
}

/** Says of two values, by themselves, whether they count as the same; `undefined` when their parts decide. */
type Judge = (a: object, b: object) => boolean | undefined;

/** Comparing so many objects again takes less time than remembering that they were the same. */
const FEW_OBJECTS = 16;

/**
 * A comparison of values by all their parts, and of keys and entries by their order, too. What it has found to be the same it does
 * not look at again, unless it is small, as a value is a part of many. The values have no circles, other than through what `judge`
 * decides.
 */
export function sameValues(judge: Judge): (a: unknown, b: unknown) => boolean {
  const found = new Map<object, object>();
  let compared = 0;
  const areSame = (a: unknown, b: unknown): boolean => {
    if (Object.is(a, b)) return true;
    if (!isObject(a) || !isObject(b)) return false;
    if (found.get(a) === b) return true;
    const before = compared++;
    const isSame = judge(a, b) ?? haveSameParts(a, b, areSame);
    if (isSame && compared - before > FEW_OBJECTS) found.set(a, b);
    return isSame;
  };
  return areSame;
}

const isObject = (it: unknown): it is object => typeof it === 'object' && it !== null;

type Comparison = (a: unknown, b: unknown) => boolean;

/** Values of other classes than these are the same only if they are one. */
function haveSameParts(a: object, b: object, areSame: Comparison): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && haveSameItems(a, b, areSame);
  if (a instanceof Map) return b instanceof Map && haveSameEntries(a, b, areSame);
  if (a instanceof Set) return b instanceof Set && a.size === b.size && haveSameItems([...a], [...b], areSame);
  return isRecord(a) && isRecord(b) && haveSameFields(a, b, areSame);
}

const haveSameItems = (a: readonly unknown[], b: readonly unknown[], areSame: Comparison): boolean =>
  a.length === b.length && a.every((it, i) => areSame(it, b[i]));

type Entries = ReadonlyMap<unknown, unknown>;

const haveSameEntries = (a: Entries, b: Entries, areSame: Comparison): boolean =>
  haveSameItems([...a.keys()], [...b.keys()], areSame) && haveSameItems([...a.values()], [...b.values()], areSame);

type PlainObject = Readonly<Record<string, unknown>>;

const isRecord = (it: object): it is PlainObject => Object.getPrototypeOf(it) === Object.prototype;

function haveSameFields(a: PlainObject, b: PlainObject, areSame: Comparison): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key, i) => key === others[i] && areSame(a[key], b[key]));
}
