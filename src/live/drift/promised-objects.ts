import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { bug } from '../../base/diagnostics/bug.ts';
import { type DocumentNode, plainOf } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import { type KubernetesObject, objectKey } from '../dumps/kubernetes-object.ts';
import { filesByFolder } from './files-by-folder.ts';
import { promisedRules } from './nat-rules.ts';
import { bothPromises, type PromisedObject } from './promised-object.ts';

/** By `objectKey`. */
export type PromisedObjects = ReadonlyMap<string, PromisedObject>;

interface CompiledFiles {
  /** Path below `out/` to text. */
  readonly bundle: ReadonlyMap<string, string>;
  /** The folder as messages show it. */
  readonly root: string;
}

/** Everything that the bundle of a cluster promises, applied or expected. */
export function promisedObjects(cluster: string, { bundle, root }: CompiledFiles): PromisedObjects {
  const files = filesByFolder(bundle).get(cluster) ?? [];
  const promised = new Map<string, PromisedObject>();
  const configurations = new Map<string, KubernetesObject['metadata']>();
  // Liqo adds to what is applied, so that is read first.
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

/** `undefined` for files without objects: values, rules, lists for kustomize. */
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
