import type { DocumentNode } from '../source/document-node.ts';
import type { Span } from '../source/source.ts';

/** Every key and every string of a document, with its place. */
export function* textsBelow(node: DocumentNode): Iterable<readonly [text: string, at: Span]> {
  if (node.kind === 'scalar') {
    if (typeof node.value === 'string') yield [node.value, node.span];
  } else if (node.kind === 'list') {
    for (const item of node.items) yield* textsBelow(item);
  } else {
    for (const [key, entry] of node.entries) {
      yield [key, entry.key];
      yield* textsBelow(entry.value);
    }
  }
}
