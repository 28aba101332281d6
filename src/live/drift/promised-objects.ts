import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { type DocumentNode, keySpanAt, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import type { Span } from '../../base/source/source.ts';
import { isJsonMap, type Json } from '../dumps/json.ts';
import { type KubernetesObject, objectKey } from '../dumps/kubernetes-object.ts';
import { promisedRules } from './nat-rules.ts';

/** By `objectKey`. */
export type PromisedObjects = ReadonlyMap<string, PromisedObject>;

interface CompiledFiles {
  /** Path below `out/` to text. */
  readonly bundle: ReadonlyMap<string, string>;
  /** The folder in messages. */
  readonly root: string;
}

/** Returns all objects that the bundle of a cluster promises, applied or expected. */
export function promisedObjects(cluster: string, { bundle, root }: CompiledFiles): PromisedObjects {
  const files = filesByFolder(bundle).get(cluster) ?? [];
  const promised = new Map<string, PromisedObject>();
  const configurations = new Map<string, KubernetesObject['metadata']>();
  // Liqo adds to applied objects, so these are read first.
  for (const part of ['applied', 'expected'] as const) {
    for (const path of files.filter((it) => partOf(it) === part)) {
      for (const node of documentsOf(`${root}/${path}`, bundle.get(path) ?? '')) {
        const it: PromisedObject = {
          object: plainOf(node) as KubernetesObject,
          nodes: [node],
          isApplied: part === 'applied',
        };
        const key = objectKey(it.object);
        const earlier = promised.get(key);
        promised.set(key, earlier === undefined ? it : bothPromises(earlier, it));
        const where = parseBundlePath(path);
        if (where?.part === 'peer' && it.object.kind === 'Configuration')
          configurations.set(where.peer, it.object.metadata);
      }
    }
  }
  for (const path of files) {
    const where = parseBundlePath(path);
    if (where?.part !== 'gateway-rules' && where?.part !== 'node-rules') continue;
    const of = configurations.get(where.peer);
    if (of === undefined) continue;
    for (const { object, node } of promisedRules({ path: `${root}/${path}`, text: bundle.get(path) ?? '' }, of))
      promised.set(objectKey(object), { object, nodes: [node], isApplied: false });
  }
  return promised;
}

/** `undefined` for files without objects: values, rules, kustomizations. */
function partOf(text: string): 'applied' | 'expected' | undefined {
  const path = parseBundlePath(text);
  if (path === undefined || !text.endsWith('.yaml')) return undefined;
  if (path.part === 'expected') return 'expected';
  return isKustomization(path) || path.part === 'helm-values' ? undefined : 'applied';
}

function documentsOf(path: string, text: string): readonly DocumentNode[] {
  const reading = readYamlDocuments({ path, text });
  if (!reading.ok) return bug(`${path} is not YAML: ${reading.problem.message}`);
  return reading.documents.filter((it) => it.kind === 'map');
}

/** An object that a bundle promises: the applied fields, merged with those that controllers add. */
interface PromisedObject {
  readonly object: KubernetesObject;
  /** Its places in the bundle: applied ones first, then expected ones. */
  readonly nodes: readonly [DocumentNode, ...DocumentNode[]];
  /** False for an object that Liqo creates from applied ones. */
  readonly isApplied: boolean;
}

/** Source: argoproj/argo-cd docs/user-guide/sync-waves.md: 0 without the annotation. */
export const waveOf = ({ metadata }: KubernetesObject): number =>
  Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0) || 0;

/** Merges two promises about one object: the later one adds to the earlier one, and replaces its values. */
const bothPromises = (earlier: PromisedObject, later: PromisedObject): PromisedObject => ({
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

/** The place of a part: its key, preferably in the expected object; the kind when the part is absent. */
export function promisedSpan({ nodes }: PromisedObject, path: readonly string[]): Span {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const node = nodes.findLast((it) => nodeAt(it, part) !== undefined);
    if (node !== undefined) return keySpanAt(node, part);
  }
  const [first] = nodes;
  return nodeAt(first, ['kind'])?.span ?? first.span;
}

export type Files = ReadonlyMap<string, string>;
/** The paths of a bundle by their first folder, sorted. Cached, because it is called for each cluster. */
const filesByFolder = oncePer((bundle: Files) =>
  groupBy([...bundle.keys()].sort(byCodeUnit), (it) => [it.split('/', 1)[0] ?? '']),
);
