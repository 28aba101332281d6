import { type DocumentNode, type DocumentPath, nodeAt, spanAt } from './document-node.ts';
import type { Span } from './source.ts';

/** A value with the text that said it; a default points at the nearest text there is. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

/** The scalar at a path with its place. `undefined` where the topology says nothing; the schema has checked the type. */
export function scalarAt<T extends string | number | boolean>(
  node: DocumentNode,
  path: DocumentPath,
): Located<T> | undefined {
  const found = nodeAt(node, path);
  return found?.kind === 'scalar' && found.value !== null ? { value: found.value as T, at: found.span } : undefined;
}

/** The strings at a path, for keys that take one or a list. `undefined` where the topology says nothing. */
export function stringsAt(node: DocumentNode, path: DocumentPath): readonly Located<string>[] | undefined {
  const found = nodeAt(node, path);
  if (found === undefined) return undefined;
  if (found.kind === 'scalar')
    return found.value === null ? undefined : [{ value: String(found.value), at: found.span }];
  if (found.kind !== 'list') return undefined;
  return found.items.map((it) => ({ value: String(it.kind === 'scalar' ? it.value : ''), at: it.span }));
}

/** A string map at a path; empty where the topology says nothing. */
export function stringMapAt(node: DocumentNode, path: DocumentPath): Readonly<Record<string, string>> {
  const found = nodeAt(node, path);
  if (found?.kind !== 'map') return {};
  const pairs = [...found.entries].map(
    ([key, { value }]) => [key, String(value.kind === 'scalar' ? value.value : '')] as const,
  );
  return Object.fromEntries(pairs);
}

/** What the topology says at a path, or a default that points at the nearest text there is. */
export function orDefault<T extends string | number | boolean>(
  node: DocumentNode,
  path: DocumentPath,
  value: T,
): Located<T> {
  return scalarAt<T>(node, path) ?? { value, at: spanAt(node, path) };
}
