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
