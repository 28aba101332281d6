import type { DocumentNode } from '../source/document-node.ts';
import type { Span } from '../source/source.ts';

/** Visits every key and every string of a document, with its place. */
export function visitTexts(node: DocumentNode, visit: (text: string, at: Span) => void): void {
  if (node.kind === 'scalar') {
    if (typeof node.value === 'string') visit(node.value, node.span);
  } else if (node.kind === 'list') {
    for (const item of node.items) visitTexts(item, visit);
  } else {
    node.entries.forEach(({ key, value }, name) => {
      visit(name, key);
      visitTexts(value, visit);
    });
  }
}
