import { scalarAt, stringMapAt } from '../source/located.ts';
import { nodeAt, spanAt, type YamlNode } from '../source/yaml-node.ts';
import type { Assertion, Selector } from './declaration.ts';

/** The entries of `assertions`, in source order. The schema has checked what they look like. */
export function readAssertions(root: YamlNode): readonly Assertion[] {
  const list = nodeAt(root, ['assertions']);
  return list?.kind === 'list' ? list.items.map(readAssertion) : [];
}

function readAssertion(node: YamlNode): Assertion {
  return {
    at: node.span,
    from: readSelector(node, 'from'),
    to: readSelector(node, 'to'),
    expect: scalarAt<string>(node, ['expect'])?.value === 'unreachable' ? 'unreachable' : 'reachable',
    via: readVia(node),
  };
}

function readSelector(node: YamlNode, key: 'from' | 'to'): Selector {
  const name = scalarAt<string>(node, [key]);
  if (name) return { kind: 'cluster', name: name.value, at: name.at };
  return { kind: 'labels', labels: stringMapAt(node, [key]), at: spanAt(node, [key]) };
}

function readVia(node: YamlNode): Assertion['via'] {
  const via = scalarAt<string>(node, ['via'])?.value;
  return via === 'shortcut' || via === 'hub' ? via : null;
}
