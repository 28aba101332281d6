import type { Span } from './source.ts';

/**
 * A value of YAML or JSON with the place of every part. Anchors, aliases and tags are refused before. Parts may be
 * computed lazily, so a node is never copied with `...`.
 */
export type DocumentNode = DocumentMap | DocumentList | DocumentScalar;

export interface DocumentMap {
  readonly kind: 'map';
  readonly span: Span;
  /** In source order. */
  readonly entries: ReadonlyMap<string, DocumentEntry>;
}

export interface DocumentEntry {
  readonly key: Span;
  readonly value: DocumentNode;
}

export interface DocumentList {
  readonly kind: 'list';
  readonly span: Span;
  readonly items: readonly DocumentNode[];
}

export interface DocumentScalar {
  readonly kind: 'scalar';
  readonly span: Span;
  readonly value: string | number | boolean | null;
}

export type DocumentPath = readonly (string | number)[];

export function nodeAt(node: DocumentNode, path: DocumentPath): DocumentNode | undefined {
  let here: DocumentNode | undefined = node;
  for (const step of path) {
    if (here === undefined) return undefined;
    if (here.kind === 'map') here = here.entries.get(String(step))?.value;
    else if (here.kind === 'list') here = here.items[Number(step)];
    else return undefined;
  }
  return here;
}

/** The place of the value at a path; without one, that of the nearest value around it. */
export function spanAt(node: DocumentNode, path: DocumentPath): Span {
  for (let length = path.length; length > 0; length--) {
    const found = nodeAt(node, path.slice(0, length));
    if (found) return found.span;
  }
  return node.span;
}

/** The place of the key at the end of a path; that of the value if the path ends in a list. */
export function keySpanAt(node: DocumentNode, path: DocumentPath): Span {
  const parent = nodeAt(node, path.slice(0, -1));
  const last = path.at(-1);
  const entry = parent?.kind === 'map' && last !== undefined ? parent.entries.get(String(last)) : undefined;
  return entry?.key ?? spanAt(node, path);
}

/** The plain value, as `JSON.parse` would return it. `__proto__` becomes an ordinary own key. */
export function plainOf(node: DocumentNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plainOf);
  const plain: Record<string, unknown> = {};
  for (const [key, { value }] of node.entries) {
    // Defining a property takes several times as long as assigning, and a lock has a hundred thousand keys.
    if (key !== '__proto__') plain[key] = plainOf(value);
    else
      Object.defineProperty(plain, key, {
        value: plainOf(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
  return plain;
}

/** `over` merged onto `under`, key by key in maps; lists and scalars of `over` replace. Every part keeps its place. */
export function mergeNodes(under: DocumentNode, over: DocumentNode): DocumentNode {
  if (under.kind !== 'map' || over.kind !== 'map') return over;
  const entries = new Map(under.entries);
  for (const [name, entry] of over.entries) {
    const below = entries.get(name);
    entries.set(name, below ? { key: entry.key, value: mergeNodes(below.value, entry.value) } : entry);
  }
  return { kind: 'map', span: over.span, entries };
}
