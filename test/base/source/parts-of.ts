import type { DocumentNode } from '../../../src/base/source/document-node.ts';

/** Every part of documents in order, with its place: equal lists are equal documents, also in the order of keys. */
export function* partsOf(node: DocumentNode, name: string): Iterable<readonly unknown[]> {
  const { kind, span } = node;
  yield [name, kind, kind === 'scalar' ? node.value : null, span.start, span.end, span.source.path];
  if (kind === 'list') for (const [i, it] of node.items.entries()) yield* partsOf(it, `${name}[${i}]`);
  if (kind !== 'map') return;
  for (const [key, { key: at, value }] of node.entries) {
    yield [name, key, at.start, at.end];
    yield* partsOf(value, `${name}.${key}`);
  }
}
