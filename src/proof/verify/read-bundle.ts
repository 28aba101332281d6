import { byCodeUnit, placeInOrder } from '../../base/core/collections.ts';
import { type FolderFiles, folderOf, type SingleFiles } from '../../base/core/folder-files.ts';
import { oncePerText } from '../../base/core/once.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import { readDocument } from '../../base/source/read-document.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';
import { type KubeObject, kubeObject } from './kube-object.ts';
import { type NftFile, parseNft } from './parse-nft.ts';

/** The files of a bundle, parsed by their kind when a check reads them. */
export interface ReadBundle {
  /** Name of the folder as in the command line: `out`. */
  readonly root: string;
  /** All files, by path. */
  readonly sources: FileLookup<Source>;
  /** The paths of the files in a folder, in order, without those of the folders in it. */
  readonly filesIn: (folder: string) => readonly string[];
  /** The first parts of all paths, in order; empty for files that are in no folder. */
  readonly tops: readonly string[];
  /** YAML files of Kubernetes objects, by path. */
  readonly objects: FileLookup<readonly KubeObject[]>;
  /** YAML and JSON files with one map of another kind: Helm's values, addresses.json. */
  readonly maps: FileLookup<DocumentMap>;
  readonly rules: FileLookup<NftFile>;
  /** The files below one of `tops`, in order. */
  readonly below: (top: string) => readonly string[];
  /** Loads the files below one of `tops` into memory, which only improves the speed. */
  readonly enter: (top: string) => void;
  /** The error about a file whose contents do not match its name. */
  readonly problemOf: (path: string) => Diagnostic | undefined;
}

/** Files of one kind, by path. */
interface FileLookup<T> {
  readonly has: (path: string) => boolean;
  readonly get: (path: string) => T | undefined;
}

/**
 * Reads the files of a bundle. The texts of one folder are in memory, that of the file read last, with everything that
 * was parsed in it. So checks read all files of one cluster, and then those of the next one. Files that checks of other
 * folders also read stay in memory as text, and are parsed again.
 *
 * @param read Called once for each of `tops`, while its files are in memory: a second walk would read all of them
 * again.
 */
export function readBundle(
  files: FolderFiles,
  root: string,
  read: (bundle: ReadBundle, top: string) => void,
): ReadBundle {
  const texts = bundleTexts(files, (path) => texts.in(folderOf(path)).get(path));
  const paths = new Map<string, readonly string[]>();
  const bundle = bundleOf({ files, root, texts, has: files.has, below: (top) => paths.get(top) ?? [] });
  for (const top of bundle.tops) {
    paths.set(top, [...texts.in(top).keys()].sort(byCodeUnit));
    read(bundle, top);
  }
  return bundle;
}

/** Like `readBundle`, but before any folder is read: a file of another folder is read alone. */
export function listBundle(files: FolderFiles, { pathsIn, read }: SingleFiles, root: string): ReadBundle {
  const below = oncePerText(pathsIn);
  const has = (path: string): boolean => {
    const paths = below(folderOf(path));
    return paths[placeInOrder(paths, path)] === path;
  };
  return bundleOf({ files, root, texts: bundleTexts(files, read), has, below });
}

interface BundleParts {
  readonly files: FolderFiles;
  readonly root: string;
  readonly texts: BundleTexts;
  readonly has: (path: string) => boolean;
  readonly below: ReadBundle['below'];
}

function bundleOf({ files, root, texts, has, below }: BundleParts): ReadBundle {
  const sources = sourcesOf(has, { root, textOf: texts.textOf });
  const reading = parsedFiles(sources, texts);
  const lookup = <K extends FileReading['kind'], T>(
    kind: K,
    of: (it: FileReading & { readonly kind: K }) => T,
  ): FileLookup<T> => {
    const get = (path: string): T | undefined => {
      const it = reading(path);
      return it?.kind === kind ? of(it as FileReading & { readonly kind: K }) : undefined;
    };
    return { get, has: (path) => get(path) !== undefined };
  };
  return {
    root,
    sources,
    filesIn: (folder) => filesIn(folder, below(folder.split('/', 1)[0] ?? '')),
    tops: [...files.folders].sort(byCodeUnit),
    objects: lookup('objects', (it) => it.objects),
    maps: lookup('map', (it) => it.map),
    rules: lookup('rules', (it) => it.file),
    below,
    enter: (top) => void texts.in(top),
    problemOf: (path) => {
      const it = reading(path);
      return it?.kind === 'problem' ? it.problem : undefined;
    },
  };
}

/** @param below All files below the top of the folder, in order. */
function filesIn(folder: string, below: readonly string[]): readonly string[] {
  const start = `${folder}/`;
  const found: string[] = [];
  for (let i = placeInOrder(below, start); below[i]?.startsWith(start); i++) {
    const path = below[i];
    if (path !== undefined && !path.includes('/', start.length)) found.push(path);
  }
  return found;
}

/** Creates sources on demand: a fleet has a hundred thousand files, and few of them have an error. */
const sourcesOf = (has: (path: string) => boolean, out: Out): FileLookup<Source> => ({
  has,
  get: (path) => (has(path) ? new FileSource(out, path) : undefined),
});

/** A file whose text is read again when it is needed: places in it stay in memory, the text does not. */
class FileSource implements Source {
  readonly #out: Out;
  readonly #file: string;

  constructor(out: Out, file: string) {
    this.#out = out;
    this.#file = file;
  }

  get path(): string {
    return `${this.#out.root}/${this.#file}`;
  }

  get text(): string {
    return this.#out.textOf(this.#file);
  }
}

/** The folder that files are in. */
interface Out {
  readonly root: string;
  readonly textOf: (file: string) => string;
}

interface BundleTexts {
  /** The files of a folder, which are in memory from then on instead of those of the last one. */
  readonly in: (top: string) => ReadonlyMap<string, string>;
  readonly textOf: (path: string) => string;
  /** The folder whose texts are in memory. */
  readonly folder: () => string | undefined;
}

/** Paths of files that checks of the other end of a pair also read. */
const READ_ELSEWHERE = /^[^/]+\/(?:sharing\/|nftables\/[^/]+$)/;

/** @param readOther reads a file that is in another folder than the one in memory. */
function bundleTexts(files: FolderFiles, readOther: (path: string) => string | undefined): BundleTexts {
  const elsewhere = new Map<string, string>();
  const entered = new Set<string>();
  let folder: string | undefined;
  let texts: ReadonlyMap<string, string> = new Map();
  const enter = (top: string): ReadonlyMap<string, string> => {
    if (folder === top) return texts;
    [folder, texts] = [top, files.inFolder(top)];
    if (entered.has(top)) return texts;
    entered.add(top);
    for (const [path, text] of texts) if (READ_ELSEWHERE.test(path)) elsewhere.set(path, text);
    return texts;
  };
  return {
    in: enter,
    textOf: (path) => (folder === folderOf(path) ? texts.get(path) : (elsewhere.get(path) ?? readOther(path))) ?? '',
    folder: () => folder,
  };
}

/** Number of files of other folders that are kept in parsed form. */
const MOST_OTHERS = 256;

/** The folder with the files of all clusters for Flux, which are read one after the other. */
const FOR_FLUX = '_flux/clusters/';

/**
 * Parses on demand. A map that is no longer needed is replaced, not cleared: V8 links the storage of a cleared map to the next one, and with
 * one of them among the objects that live long, all that follow stay until the next full collection.
 */
function parsedFiles(sources: FileLookup<Source>, texts: BundleTexts): (path: string) => FileReading | undefined {
  let here = new Map<string, FileReading>();
  let others = new Map<string, FileReading>();
  let forFlux = new Map<string, FileReading>();
  let folder: string | undefined;
  return (path) => {
    const known = here.get(path) ?? others.get(path) ?? forFlux.get(path);
    if (known !== undefined) return known;
    const source = sources.get(path);
    if (source === undefined) return undefined;
    const reading = readFile(path, source);
    if (folder !== texts.folder()) {
      folder = texts.folder();
      here = new Map();
    }
    forFlux = new Map();
    if (others.size >= MOST_OTHERS) others = new Map();
    const kept = path.startsWith(FOR_FLUX) ? forFlux : folderOf(path) === folder ? here : others;
    kept.set(path, reading);
    return reading;
  };
}

/** The objects of each file in a folder, by path. */
export const objectsIn = (
  bundle: ReadBundle,
  folder: string,
): readonly (readonly [path: string, objects: readonly KubeObject[]])[] =>
  bundle.filesIn(folder).flatMap((path) => {
    const found = bundle.objects.get(path);
    return found ? [[path, found] as const] : [];
  });

type FileReading =
  | { readonly kind: 'objects'; readonly objects: readonly KubeObject[] }
  | { readonly kind: 'map'; readonly map: DocumentMap }
  | { readonly kind: 'rules'; readonly file: NftFile }
  | { readonly kind: 'problem'; readonly problem: Diagnostic }
  | { readonly kind: 'other' };

/** Paths of YAML files that contain a map and no object. In deeper folders the name may be that of a cluster. */
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
  const result = readDocument(source, { language: 'json-rows' });
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
