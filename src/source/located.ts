import { type DocumentNode, type DocumentPath, nodeAt } from './document-node.ts';
import type { Span } from './source.ts';

/** A value with the text that said it; a default points at the nearest text there is. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

/** The scalar at a path with its place. For verify/ until it reads by `Reading<Unchecked>`. */
export function scalarAt<T extends string | number | boolean>(
  node: DocumentNode,
  path: DocumentPath,
): Located<T> | undefined {
  const found = nodeAt(node, path);
  return found?.kind === 'scalar' && found.value !== null ? { value: found.value as T, at: found.span } : undefined;
}
