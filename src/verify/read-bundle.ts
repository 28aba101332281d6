import { by } from '../core/order.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { DocumentMap, DocumentNode } from '../source/document-node.ts';
import { readDocument } from '../source/read-document.ts';
import { readYamlDocuments } from '../source/read-yaml-documents.ts';
import { type Source, type Span, startOf } from '../source/source.ts';
import { type KubeObject, kubeObject } from './kube-object.ts';
import { type NftFile, parseNft } from './parse-nft.ts';

/** The files of a bundle, parsed by their kind. */
export interface ReadBundle {
  /** As in the command line: `out`. */
  readonly root: string;
  readonly sources: ReadonlyMap<string, Source>;
  /** By folder the paths of the files in it, in order; folders without files of their own are not in it. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** YAML files of Kubernetes objects, by path. */
  readonly objects: ReadonlyMap<string, readonly KubeObject[]>;
  /** YAML and JSON files with one map of another kind: Helm's values, addresses.json. */
  readonly maps: ReadonlyMap<string, DocumentMap>;
  readonly rules: ReadonlyMap<string, NftFile>;
  /** Errors about files whose contents do not match their name. */
  readonly problems: readonly Diagnostic[];
}

/** Reads every file by its name. A file that cannot be read is reported as a problem and left out of the other maps. */
export function readBundle(files: ReadonlyMap<string, string>, root: string): ReadBundle {
  const sources = new Map<string, Source>();
  const objects = new Map<string, readonly KubeObject[]>();
  const maps = new Map<string, DocumentMap>();
  const rules = new Map<string, NftFile>();
  const problems: Diagnostic[] = [];
  for (const [path, text] of [...files].sort(by(([path]) => path))) {
    const source = { path: `${root}/${path}`, text };
    sources.set(path, source);
    const reading = readFile(path, source);
    if (reading.kind === 'objects') objects.set(path, reading.objects);
    if (reading.kind === 'map') maps.set(path, reading.map);
    if (reading.kind === 'rules') rules.set(path, reading.file);
    if (reading.kind === 'problem') problems.push(reading.problem);
  }
  return { root, sources, folders: foldersOf(sources.keys()), objects, maps, rules, problems };
}

function foldersOf(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const known = folders.get(folder);
    if (known) known.push(path);
    else folders.set(folder, [path]);
  }
  return folders;
}

/** The objects of each file in a folder, by path. */
export const objectsIn = (
  { folders, objects }: ReadBundle,
  folder: string,
): readonly (readonly [path: string, objects: readonly KubeObject[]])[] =>
  (folders.get(folder) ?? []).flatMap((path) => {
    const found = objects.get(path);
    return found ? [[path, found] as const] : [];
  });

type FileReading =
  | { readonly kind: 'objects'; readonly objects: readonly KubeObject[] }
  | { readonly kind: 'map'; readonly map: DocumentMap }
  | { readonly kind: 'rules'; readonly file: NftFile }
  | { readonly kind: 'problem'; readonly problem: Diagnostic }
  | { readonly kind: 'other' };

/** YAML files that contain a map and no object. Deeper down the name may be that of a cluster. */
const MAP_FILE = /^[^/]+\/helm-values\.yaml$/;

function readFile(path: string, source: Source): FileReading {
  if (path.endsWith('.nft')) return readRules(source);
  if (path.endsWith('.json')) return readJson(source);
  if (!/\.ya?ml$/.test(path)) return { kind: 'other' };
  return MAP_FILE.test(path) ? readMap(source) : readObjects(source);
}

const unreadable = (at: Span, message: string): FileReading => ({
  kind: 'problem',
  problem: diagnostic('verify/unreadable', at, message, { hint: 'run "weft compile" to write the file again' }),
});

function readRules(source: Source): FileReading {
  const reading = parseNft(source);
  return reading.ok ? { kind: 'rules', file: reading.file } : unreadable(reading.at, reading.message);
}

function readJson(source: Source): FileReading {
  const result = readDocument(source, { language: 'json' });
  if (result.ok) return { kind: 'map', map: result.root };
  const [problem] = result.problems;
  return unreadable(problem?.span ?? startOf(source), problem?.message ?? 'this is not one map of keys');
}

const notAMap = (source: Source): FileReading => unreadable(startOf(source), 'this is not one map of keys');

function readMap(source: Source): FileReading {
  const read = documentsOf(source);
  if ('kind' in read) return read;
  const [map, ...more] = read.documents;
  if (map?.kind !== 'map' || more.length > 0) return notAMap(source);
  return { kind: 'map', map };
}

function readObjects(source: Source): FileReading {
  const read = documentsOf(source);
  if ('kind' in read) return read;
  const objects: KubeObject[] = [];
  for (const document of read.documents) {
    const object = kubeObject(document);
    if (!object) return unreadable(document.span, 'this is not a Kubernetes object');
    objects.push(object);
  }
  return { kind: 'objects', objects };
}

function documentsOf(source: Source): FileReading | { readonly documents: readonly DocumentNode[] } {
  const reading = readYamlDocuments(source);
  if (reading.ok) return { documents: reading.documents };
  return unreadable(reading.problem.span, reading.problem.message);
}
