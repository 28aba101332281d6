import { type DocumentNode, keySpanAt, nodeAt } from '../../base/source/document-node.ts';
import type { Span } from '../../base/source/source.ts';
import { isJsonMap, type Json } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';

/** An object that a bundle promises: what is applied, and what controllers make of it, as one. */
export interface PromisedObject {
  readonly object: KubernetesObject;
  /** Where the bundle has it: first what is applied, then what is expected. */
  readonly nodes: readonly [DocumentNode, ...DocumentNode[]];
  /** False for an object that Liqo makes of applied ones. */
  readonly isApplied: boolean;
}

/** Source: argoproj/argo-cd docs/user-guide/sync-waves.md: 0 without the annotation. */
export const waveOf = ({ metadata }: KubernetesObject): number =>
  Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0) || 0;

/** Both promises about one object: the later one adds to the earlier one, and replaces its values. */
export const bothPromises = (earlier: PromisedObject, later: PromisedObject): PromisedObject => ({
  object: merged(earlier.object, later.object) as KubernetesObject,
  nodes: [...earlier.nodes, ...later.nodes],
  isApplied: earlier.isApplied || later.isApplied,
});

function merged(under: object, over: object): object {
  const both = Object.entries(over).map(([key, value]: [string, Json | undefined]) => {
    const below = (under as Readonly<Record<string, Json | undefined>>)[key];
    return [key, isJsonMap(below) && isJsonMap(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

/** The place of a part: the key that has it, of what is expected before what is applied; the kind where no part is there. */
export function placeOf({ nodes }: PromisedObject, path: readonly string[]): Span {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const node = nodes.findLast((it) => nodeAt(it, part) !== undefined);
    if (node !== undefined) return keySpanAt(node, part);
  }
  const [first] = nodes;
  return nodeAt(first, ['kind'])?.span ?? first.span;
}
