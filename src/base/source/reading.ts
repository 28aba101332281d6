import { type DocumentEntry, type DocumentNode, mergeNodes, plainOf } from './document-node.ts';
import type { Located, Span } from './source.ts';

/** The keys of a map; in a union of a text and a map, those of the map. */
type KeyOf<T> = T extends readonly unknown[] ? never : T extends object ? keyof T & string : never;

type ValueAt<T, K extends string> = T extends readonly unknown[]
  ? never
  : T extends object
    ? K extends keyof T
      ? NonNullable<T[K]>
      : never
    : never;

type ValueOf<T> = ValueAt<T, KeyOf<T>>;
type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never;
type ScalarOf<T> = Extract<T, string | number | boolean>;

/** The values that a document may contain before a schema has checked it. */
export type Unchecked = string | number | boolean | null | readonly Unchecked[] | { readonly [key: string]: Unchecked };

/** The values that a document may contain whose schema accepts no null. */
export type Untyped = string | number | boolean | readonly Untyped[] | { readonly [key: string]: Untyped };

/**
 * A place in a document, with the type of its value from the document's schema. The value may be absent; then all places
 * below are absent as well, and their spans are those of the nearest text around.
 */
export class Reading<T> {
  readonly #node: DocumentNode | undefined;
  /** The place of the value; without one, that of the nearest part around it. */
  readonly span: Span;
  /** The place of the key; without one, that of the value. */
  readonly keySpan: Span;

  private constructor(node: DocumentNode | undefined, around: Span, key?: Span) {
    this.#node = node;
    this.span = node?.span ?? around;
    this.keySpan = key ?? this.span;
  }

  /** The caller knows the type: a validator has checked the document, or it is `Unchecked`. */
  static of<T>(root: DocumentNode): Reading<T> {
    return new Reading<T>(root, root.span);
  }

  /** This place without types, for a reader that follows data instead of the types. */
  untyped(): Reading<Untyped> {
    return new Reading(this.#node, this.span, this.keySpan);
  }

  get isPresent(): boolean {
    return this.#node !== undefined;
  }

  get isList(): boolean {
    return this.#node?.kind === 'list';
  }

  /** True for null and for an absent value. */
  get isEmpty(): boolean {
    return this.#node === undefined || (this.#node.kind === 'scalar' && this.#node.value === null);
  }

  at<K extends KeyOf<T>>(key: K): Reading<ValueAt<T, K>> {
    const entry = this.#node?.kind === 'map' ? this.#node.entries.get(key) : undefined;
    return new Reading(entry?.value, this.span, entry?.key);
  }

  /** The scalar; `undefined` for null, a list, a map and an absent value. */
  scalar(): Located<ScalarOf<T>> | undefined {
    return this.#node && locatedScalar<ScalarOf<T>>(this.#node);
  }

  /** The scalar, or a default with the place of the nearest text. */
  orDefault(value: ScalarOf<T>): Located<ScalarOf<T>> {
    return this.scalar() ?? { value, at: this.span };
  }

  /** The texts of a key that allows one text or a list; `undefined` for null, a map and an absent value. */
  texts(): readonly Located<string>[] | undefined {
    if (this.#node?.kind === 'list') return this.#node.items.map(scalarText);
    return this.#node?.kind === 'scalar' && this.#node.value !== null ? [scalarText(this.#node)] : undefined;
  }

  /** The items of a list, in source order. */
  items(): readonly Reading<ItemOf<T>>[] {
    if (this.#node?.kind !== 'list') return [];
    return this.#node.items.map((it) => new Reading<ItemOf<T>>(it, it.span));
  }

  /** The entries of a map whose keys are names, in source order. */
  entries(): readonly { readonly name: Located<string>; readonly value: Reading<ValueOf<T>> }[] {
    if (this.#node?.kind !== 'map') return [];
    return [...this.#node.entries].map(([name, { key, value }]) => ({
      name: { value: name, at: key },
      value: new Reading<ValueOf<T>>(value, value.span, key),
    }));
  }

  /** The scalars of a map whose keys are names, in source order: `entries`, for maps with a hundred thousand of them. */
  *scalars(): Iterable<{ readonly name: Located<string>; readonly value: Located<ScalarOf<ValueOf<T>>> }> {
    if (this.#node?.kind !== 'map') return;
    for (const [name, { key, value }] of this.#node.entries) {
      const scalar = locatedScalar<ScalarOf<ValueOf<T>>>(value);
      if (scalar) yield { name: { value: name, at: key }, value: scalar };
    }
  }

  /** A map of texts without places; empty for an absent value. */
  textMap(): Readonly<Record<string, string>> {
    if (this.#node?.kind !== 'map') return {};
    return Object.fromEntries([...this.#node.entries].map(([key, { value }]) => [key, scalarText(value).value]));
  }

  /** The value without places; `undefined` for an absent value. */
  plain(): T | undefined {
    return this.#node && (plainOf(this.#node) as T);
  }

  /** Reads with other names for the keys of the map at `key` and of the maps in it; see `renameKeys`. */
  renamed(key: KeyOf<T>, names: ReadonlyMap<string, string>): Reading<T> {
    const entry = this.#node?.kind === 'map' ? this.#node.entries.get(key) : undefined;
    if (this.#node?.kind !== 'map' || entry === undefined) return this;
    const { kind, span } = this.#node;
    const entries = new Map(this.#node.entries).set(key, { key: entry.key, value: renameKeys(entry.value, names, 2) });
    return new Reading<T>({ kind, span, entries }, this.span, this.keySpan);
  }

  /** Merges this value onto another, key by key in maps; lists and scalars of this one replace. Places are kept. */
  over(other: Reading<T>): Reading<T> {
    if (!this.#node || !other.#node) return this.#node ? this : other;
    return Reading.of(mergeNodes(other.#node, this.#node));
  }
}

function locatedScalar<S extends string | number | boolean>(node: DocumentNode): Located<S> | undefined {
  return node.kind === 'scalar' && node.value !== null ? { value: node.value as S, at: node.span } : undefined;
}

const scalarText = (node: DocumentNode): Located<string> => ({
  value: String(node.kind === 'scalar' ? node.value : ''),
  at: node.span,
});

/**
 * Renames keys of a map and, `levels` deep, of the maps below it. Every part keeps its place. If the new key also exists, both values
 * are merged, and the value under the new key wins.
 *
 * @param names new keys by old key
 */
function renameKeys(node: DocumentNode, names: ReadonlyMap<string, string>, levels: number): DocumentNode {
  if (node.kind !== 'map' || levels === 0) return node;
  const [kept, renamed] = [new Map<string, DocumentEntry>(), new Map<string, DocumentEntry>()];
  for (const [old, { key, value }] of node.entries) {
    const name = names.get(old);
    (name === undefined ? kept : renamed).set(name ?? old, { key, value: renameKeys(value, names, levels - 1) });
  }
  const { kind, span } = node;
  return mergeNodes({ kind, span, entries: renamed }, { kind, span, entries: kept });
}
