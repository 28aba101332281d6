import {
  type DocumentMap,
  type DocumentNode,
  type DocumentPath,
  nodeAt,
  spanAt,
} from '../../base/source/document-node.ts';
import { Reading, type Unchecked } from '../../base/source/reading.ts';
import type { Span } from '../../base/source/source.ts';

/** A Kubernetes object in a file, with the place of every part. */
export interface KubeObject {
  readonly node: DocumentMap;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The value of `kind`: the shortest text that identifies the object. */
  readonly at: Span;
}

/** A scalar in a file as text, or the place where it should be. */
export interface FoundText {
  readonly text: string | undefined;
  readonly at: Span;
  /** Set when the value is not a string: `30742` and `"30742"` are equal texts, but not equal for an API server. */
  readonly type?: ScalarType;
}

/** The type of a scalar that is no string. */
export type ScalarType = 'number' | 'boolean';

/** `undefined` for a value that no API server accepts as an object. A Kustomization file needs no name. */
export function kubeObject(node: DocumentNode): KubeObject | undefined {
  if (node.kind !== 'map') return undefined;
  const object = Reading.of<Unchecked>(node);
  const [apiVersion, kind] = [object.at('apiVersion').scalar(), object.at('kind').scalar()];
  if (typeof apiVersion?.value !== 'string' || typeof kind?.value !== 'string') return undefined;
  const name = object.at('metadata').at('name').scalar()?.value;
  return {
    node,
    apiVersion: apiVersion.value,
    kind: kind.value,
    name: typeof name === 'string' ? name : '',
    at: kind.at,
  };
}

/** A scalar as text, with its type. */
export function textAt(node: DocumentNode, path: DocumentPath): FoundText {
  const found = nodeAt(node, path);
  if (found?.kind !== 'scalar') return { text: undefined, at: nearestKey(node, path) };
  const { value, span: at } = found;
  if (typeof value === 'string') return { text: value, at };
  if (value === null) return { text: undefined, at };
  return { text: String(value), at, type: typeof value === 'number' ? 'number' : 'boolean' };
}

/** The items of a list of scalars; empty where there is none. */
export function textsAt(node: DocumentNode, path: DocumentPath): readonly FoundText[] {
  const found = nodeAt(node, path);
  if (found?.kind !== 'list') return [];
  return found.items.map((it, index) => ({ ...textAt(it, []), at: spanAt(node, [...path, index]) }));
}

/** The key of a path, or the nearest existing key above it: one word instead of a whole block. */
export function nearestKey(node: DocumentNode, path: DocumentPath): Span {
  let here = node;
  let nearest: Span | undefined;
  for (const step of path) {
    const entry = here.kind === 'map' ? here.entries.get(String(step)) : undefined;
    const next: DocumentNode | undefined = here.kind === 'list' ? here.items[Number(step)] : entry?.value;
    if (next === undefined) break;
    nearest = entry?.key ?? next.span;
    here = next;
  }
  if (nearest) return nearest;
  if (node.kind !== 'map') return node.span;
  const [first] = node.entries.values();
  return node.entries.get('kind')?.value.span ?? first?.key ?? node.span;
}
