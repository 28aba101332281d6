import { type DocumentNode, nodeAt, spanAt } from '../source/document-node.ts';
import { scalarAt, stringMapAt } from '../source/located.ts';
import type { Assertion, Selector } from './declaration.ts';

/** The entries of `assertions`, in source order. The schema has checked what they look like. */
export function readAssertions(root: DocumentNode): readonly Assertion[] {
  const list = nodeAt(root, ['assertions']);
  return list?.kind === 'list' ? list.items.map(readAssertion) : [];
}

function readAssertion(node: DocumentNode): Assertion {
  return {
    at: node.span,
    from: readSelector(node, 'from'),
    to: readSelector(node, 'to'),
    expect: scalarAt<string>(node, ['expect'])?.value === 'unreachable' ? 'unreachable' : 'reachable',
    via: readVia(node),
  };
}

function readSelector(node: DocumentNode, key: 'from' | 'to'): Selector {
  const name = scalarAt<string>(node, [key]);
  if (name) return { kind: 'cluster', name: name.value, at: name.at };
  return { kind: 'labels', labels: stringMapAt(node, [key]), at: spanAt(node, [key]) };
}

function readVia(node: DocumentNode): Assertion['via'] {
  const via = scalarAt<string>(node, ['via'])?.value;
  return via === 'shortcut' || via === 'hub' ? via : null;
}
