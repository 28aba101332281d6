import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Bundle } from '../../src/bundle/emit/bundle.ts';

/** The fields of a Kubernetes object that tests read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The purpose of a `.yaml` file of a bundle. */
export type FileKind = 'kustomization' | 'values' | 'health-checks' | 'entry-point' | 'object';

export function fileKind(path: string): FileKind {
  if (path.endsWith('/kustomization.yaml')) return 'kustomization';
  if (path.endsWith('/helm-values.yaml')) return 'values';
  if (path.endsWith('/argocd-cm-patch.yaml')) return 'health-checks';
  return path.startsWith('_') ? 'entry-point' : 'object';
}

const read = new Map<string, readonly unknown[]>();

/**
 * The documents of a file as a parser of that version of YAML gives them; throws on whatever it minds. Many tests read
 * the same files of the same fleets, so each text is parsed once and what comes of it is shared.
 */
export function documentsOf(text: string, version: '1.1' | '1.2' = '1.2'): readonly unknown[] {
  const key = `${version} ${text}`;
  const documents =
    read.get(key) ??
    parseAllDocuments(text, { version, uniqueKeys: true }).map((it) => {
      const [problem] = [...it.errors, ...it.warnings];
      if (problem) throw problem;
      return it.toJS() as unknown;
    });
  read.set(key, documents);
  return documents;
}

export const objectsIn = (text: string): readonly KubernetesObject[] => documentsOf(text) as KubernetesObject[];

/** All objects that kustomize is to find from a folder, by reading its kustomization as it would; throws where it would. */
export function resourcesBelow(bundle: Bundle, folder: string): readonly KubernetesObject[] {
  return filesBelow(bundle, folder).flatMap((it) => objectsIn(bundle.get(it) ?? ''));
}

/** The files that a folder's kustomization reaches. */
export function filesBelow(bundle: Bundle, folder: string): readonly string[] {
  const text = bundle.get(`${folder}/kustomization.yaml`);
  if (text === undefined) throw new Error(`${folder} has no kustomization.yaml`);
  return (parse(text) as { readonly resources: readonly string[] }).resources.flatMap((it) => {
    const path = join(folder, it);
    return path.endsWith('.yaml') ? [path] : filesBelow(bundle, path);
  });
}

/** The folders of a bundle that have a kustomization. */
export const kustomizedFolders = (bundle: Bundle): readonly string[] =>
  [...bundle.keys()].filter((it) => it.endsWith('/kustomization.yaml')).map((it) => dirname(it));

/** The folders that no other kustomization of the cluster or tool leads to: who builds those has built all. */
export function kustomizationRoots(bundle: Bundle): readonly string[] {
  const reached = new Set<string>();
  for (const folder of kustomizedFolders(bundle)) {
    const { resources } = parse(bundle.get(`${folder}/kustomization.yaml`) ?? '') as { resources: readonly string[] };
    for (const it of resources) if (!it.endsWith('.yaml')) reached.add(join(folder, it));
  }
  return kustomizedFolders(bundle).filter((it) => !reached.has(it));
}

/** Writes a bundle below a folder. */
export function writeBundle(root: string, bundle: ReadonlyMap<string, string>): void {
  for (const [path, text] of bundle) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A value as text, equal for equal values whatever the order of their keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(',')}}`;
}
