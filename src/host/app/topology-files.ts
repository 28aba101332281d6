import { basename, dirname, join, resolve } from 'node:path';
import { HEADER_START } from '../../base/core/generated-files.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { readDocument } from '../../base/source/read-document.ts';
import { type Located, type Source, type Span, startOf } from '../../base/source/source.ts';
import type { Sources } from '../../compile.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { cannotInclude, includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import { parseTopology, type TopologyDocument } from '../../fleet/topology/parse-topology.ts';
import { EnvironmentError } from '../disk/disk-error.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import { type FileReader, type TextReader, TOPOLOGIES } from './ports.ts';
import { OperationRefused, type Refusal } from './refusal.ts';

const DEFAULT = 'topology.yaml';

/** The files of one topology: paths as the user would type them, relative to the working folder. */
export interface TopologyFiles {
  readonly topology: string;
  /** True when it was found without being named. */
  readonly byDefault: boolean;
  readonly keys: string;
  readonly identities: string;
  readonly lock: string;
}

/** Finds the topology to use: the named one, the only one in the named folder, or the default one. */
export async function findTopology(
  files: FileReader,
  named: string | undefined,
  lock: string | undefined,
): Promise<TopologyFiles> {
  const path = named === undefined ? await onlyTopologyIn(files, TOPOLOGIES, true) : await namedTopology(files, named);
  const found = filesOf(path, lock, named === undefined);
  const refusal = lock === undefined ? undefined : await refuseLock(files, found);
  if (refusal !== undefined) throw new OperationRefused(refusal);
  return found;
}

/** Finds every topology of `topologies/` or of the named folder, sorted by name. */
export async function findAllTopologies(
  files: FileReader,
  named: string | undefined,
): Promise<readonly TopologyFiles[]> {
  const folder = named ?? TOPOLOGIES;
  const entries = await files.namesIn(folder);
  if (entries === undefined) throw new OperationRefused({ kind: 'no-folder', folder });
  const names = entries.filter(isTopologyName);
  if (names.length === 0) throw nothingIn(folder, entries);
  return names.map((it) => filesOf(join(folder, it), undefined, names.length === 1 && named === undefined));
}

/** The common start of the topology, lock and keys paths: `topologies/topology` for `topologies/topology.yaml`. */
const stemOf = (topology: string): string => topology.replace(/\.ya?ml$/, '');

export function filesOf(topology: string, lock: string | undefined, byDefault: boolean): TopologyFiles {
  const stem = stemOf(topology);
  return {
    topology,
    byDefault,
    keys: `${stem}.keys.yaml`,
    identities: `${stem}.identities.yaml`,
    lock: lock ?? `${stem}.lock.yaml`,
  };
}

async function namedTopology(files: FileReader, named: string): Promise<string> {
  if ((await files.namesIn(named)) !== undefined) return onlyTopologyIn(files, named, false);
  const companion = /^(.*)\.(lock|keys|identities)\.(ya?ml)$/.exec(named);
  if (companion === null) return named;
  const [, stem = '', kind = '', ending = ''] = companion;
  const what = kind === 'lock' || kind === 'identities' ? kind : 'keys';
  throw new OperationRefused({ kind: 'not-a-topology', path: named, what, topology: `${stem}.${ending}` });
}

async function onlyTopologyIn(files: FileReader, folder: string, byDefault: boolean): Promise<string> {
  const entries = await files.namesIn(folder);
  if (entries === undefined) throw new OperationRefused({ kind: 'no-topologies', folder });
  const names = entries.filter(isTopologyName);
  const [first] = names;
  if (names.includes(DEFAULT)) return join(folder, DEFAULT);
  if (first === undefined) throw nothingIn(folder, entries);
  if (names.length === 1) return join(folder, first);
  const topologies = names.map((it) => join(folder, it));
  throw new OperationRefused({ kind: 'several-topologies', folder, topologies, preferred: byDefault ? DEFAULT : null });
}

const nothingIn = (folder: string, entries: readonly string[]): OperationRefused =>
  new OperationRefused({ kind: 'no-topology-in-folder', folder, entries });

export const isTopologyName = (name: string): boolean =>
  /\.yaml$/.test(name) && !/\.(lock|keys|identities)\.yaml$/.test(name);

/** The file with the most similar name in the folder of a missing one. */
export async function nearMiss(files: FileReader, path: string): Promise<string | undefined> {
  const entries = await files.namesIn(dirname(path));
  const suggestion = didYouMean(basename(path), entries ?? []);
  return suggestion === undefined ? undefined : join(dirname(path), suggestion);
}

/**
 * Refuses a path of `--lock` at which another file is or belongs, because compile would replace it. Invalid decisions
 * in a lock are reported elsewhere, with their places.
 */
async function refuseLock(
  files: FileReader,
  { topology, keys, lock }: { readonly topology: string; readonly keys: string; readonly lock: string },
): Promise<Refusal | undefined> {
  const isLockPath = (path: string): boolean => resolve(files.folder, path) === resolve(files.folder, lock);
  if (isLockPath(topology)) return { kind: 'not-a-lock', path: lock, what: 'topology' };
  if (isLockPath(keys) || /\.keys\.ya?ml$/.test(lock)) return { kind: 'not-a-lock', path: lock, what: 'keys' };
  if (lock.split(/[\\/]/).includes('.git')) return { kind: 'not-a-lock', path: lock, what: 'git' };
  const owner = await ownerOf(files, lock);
  if (owner !== undefined && resolve(files.folder, owner) !== resolve(files.folder, topology))
    return { kind: 'lock-of-another-topology', path: lock, topology, owner };
  const read = await files.readText(lock);
  const isOther = read.kind === 'not-utf8' || read.kind === 'too-large';
  if (isOther || (read.kind === 'ok' && !isLock(read.text))) return { kind: 'not-a-lock', path: lock, what: 'other' };
  return undefined;
}

/** The topology whose lock has this path by default. */
async function ownerOf(files: FileReader, lock: string): Promise<string | undefined> {
  const [, stem] = /^(.*)\.lock\.yaml$/.exec(lock) ?? [];
  if (stem === undefined) return undefined;
  for (const path of [`${stem}.yaml`, `${stem}.yml`]) if ((await files.readText(path)).kind === 'ok') return path;
  return undefined;
}

/** True for an empty file and for the remains of a lock: the stage that reads it reports what is missing. */
const isLock = (text: string): boolean =>
  text.trim() === '' ||
  text.split('\n').some((it) => it.startsWith('decisions:') || it.startsWith(`# ${HEADER_START}`));

/** Reads a topology and the files beside it. A file that is not text is reported with its place. */
export async function readSources(reader: FileReader, files: TopologyFiles): Promise<Outcome<Sources>> {
  const sources = await readSourcesIfThere(reader, files);
  if (sources !== undefined) return sources;
  const suggestion = await nearMiss(reader, files.topology);
  throw new OperationRefused({ kind: 'no-file', path: files.topology, suggestion });
}

/** Like `readSources`, from any folder or commit; `undefined` without a topology there. */
export async function readSourcesIfThere(
  reader: TextReader,
  files: TopologyFiles,
): Promise<Outcome<Sources> | undefined> {
  const { readText } = reader;
  const [topology, keys, identities, lock] = await Promise.all([
    readSource(readText, files.topology),
    readSource(readText, files.keys),
    readSource(readText, files.identities),
    readSource(readText, files.lock),
  ]);
  if (topology === undefined) return undefined;
  const included = topology.ok ? await readIncluded(reader, topology.value) : outcome([]);
  const mistakes = [topology, included, keys, identities, lock].flatMap((it) => it?.diagnostics ?? []);
  if (!topology.ok || !included.ok || mistakes.length > 0) return failure(mistakes);
  return outcome({
    topology: topology.value,
    ...(included.value.length === 0 ? {} : { included: included.value }),
    keys: sourceIfThere(keys),
    identities: sourceIfThere(identities),
    lock: sourceIfThere(lock),
  });
}

const sourceIfThere = (read: Outcome<Source> | undefined): Source | undefined => (read?.ok ? read.value : undefined);

/** Returns `undefined` when the file is missing. */
const readSource = async (readText: TextReader['readText'], path: string): Promise<Outcome<Source> | undefined> =>
  sourceIn(path, requireReadable(path, await readText(path)));

/** Refuses a folder at the path of a file, and a file that the system does not let weft read. */
export function requireReadable(path: string, read: ReadResult): ReadableFile {
  switch (read.kind) {
    case 'is-directory':
      throw new OperationRefused({ kind: 'file-is-folder', path });
    case 'unreadable':
      throw new OperationRefused({ kind: 'file-unreadable', path, reason: read.reason, advice: read.hint });
    default:
      return read;
  }
}

/** The largest number of files of one topology: enough for a file for each of a thousand teams. */
const MOST_FILES = 1000;

/** An included file, and the position of the entry that includes it. */
interface IncludedFile {
  readonly path: string;
  readonly at: Span;
}

/** Reads the files that a topology includes, in order of the entries; the files of a folder in order of their names. */
export async function readIncluded(reader: TextReader, topology: Source): Promise<Outcome<readonly Source[]>> {
  const entries = includesOf(topology);
  if (entries.length === 0) return outcome([]);
  const folder = dirname(topology.path);
  const listed = await Promise.all(entries.map((it) => filesOfEntry(reader, folder, it)));
  const files = listed.flatMap((it) => (it.ok ? it.value : []));
  const mistakes = [...listed.flatMap((it) => it.diagnostics), ...includedTwice(files), ...tooManyIncluded(files)];
  if (mistakes.length > 0) return failure(mistakes);
  const read = await reader.readTexts(files.map((it) => it.path));
  const links = await Promise.all(files.map((it) => reader.linkBelow(folder, it.path)));
  const sources = files.map((it, i) => includedSource(it, read[i] ?? { kind: 'missing' }, links[i]));
  return outcome(
    sources.flatMap((it) => (it.ok ? [it.value] : [])),
    sources.flatMap((it) => it.diagnostics),
  );
}

/** The file of an entry, or the files in its folder. */
async function filesOfEntry(
  reader: TextReader,
  folder: string,
  { value, at }: Located<string>,
): Promise<Outcome<readonly IncludedFile[]>> {
  const path = join(folder, value);
  if (!isFolder(value)) return outcome([{ path, at }]);
  try {
    const names = await reader.namesIn(path);
    if (names === undefined) return failure([cannotInclude(at, `there is no folder ${path}`)]);
    const files = names.filter(isIncludedName).map((it) => ({ path: join(path, it), at }));
    return files.length > 0 ? outcome(files) : failure([cannotInclude(at, `there is no YAML file in ${path}`)]);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return failure([cannotInclude(at, error.message, error.hint)]);
  }
}

function includedSource({ path, at }: IncludedFile, read: ReadResult, link: string | undefined): Outcome<Source> {
  if (read.kind === 'unreadable') return failure([cannotInclude(at, `cannot read ${path}: ${read.reason}`, read.hint)]);
  if (read.kind === 'is-directory')
    return failure([cannotInclude(at, `${path} is a folder`, 'write a slash behind it to include its files')]);
  // The path of a file decides who reviews it, so the text must be at that path.
  if (link !== undefined) {
    const message = link === path ? `${path} is a symbolic link` : `${path} is behind the symbolic link ${link}`;
    return failure([cannotInclude(at, message, 'put the file itself there, so that its owners review each edit')]);
  }
  return sourceIn(path, read) ?? failure([cannotInclude(at, `there is no file ${path}`)]);
}

/** Reports files that are included twice, by name or with their folder. */
function* includedTwice(files: readonly IncludedFile[]): Iterable<Diagnostic> {
  const first = new Map<string, IncludedFile>();
  for (const file of files) {
    const earlier = first.get(file.path);
    if (earlier === undefined) first.set(file.path, file);
    else {
      yield cannotInclude(file.at, `${file.path} is included twice`, 'remove one of the two entries', [
        { message: 'the first entry', span: earlier.at },
      ]);
    }
  }
}

function* tooManyIncluded(files: readonly IncludedFile[]): Iterable<Diagnostic> {
  const last = files[MOST_FILES];
  if (last === undefined) return;
  const message = `the topology includes ${files.length} files, and at most ${MOST_FILES} are read`;
  yield cannotInclude(last.at, message, 'write more clusters into each file');
}

type ReadableFile = Exclude<ReadResult, { kind: 'is-directory' | 'unreadable' }>;

/** Converts a read result into a source; `undefined` when the file is missing. */
function sourceIn(path: string, read: ReadableFile): Outcome<Source> | undefined {
  const at = startOf({ path, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path, text: read.text });
    case 'missing':
      return undefined;
    case 'not-utf8':
      return failure([
        diagnostic('source/not-text', at, 'the file is not UTF-8 text', {
          hint: 'save it as UTF-8, or check the path',
        }),
      ]);
    case 'too-large': {
      const size = read.bytes === null ? 'its size is unknown' : `it has ${inMebibytes(read.bytes)}`;
      return failure([
        diagnostic('source/too-large', at, `the file is larger than ${inMebibytes(read.limitBytes)}: ${size}`, {
          hint: 'check the path: even a topology of ten thousand clusters is smaller',
        }),
      ]);
    }
  }
}

const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MiB`;

/** Parses the topology at a path with its included files; `undefined` when it is missing or has errors. */
export async function parseTopologyAt(reader: TextReader, path: string): Promise<TopologyDocument | undefined> {
  const read = await reader.readText(path);
  if (read.kind !== 'ok') return undefined;
  const topology = { path, text: read.text };
  const parsed = andThen(await readIncluded(reader, topology), (included) => parseTopology(topology, included));
  return parsed.ok ? parsed.value : undefined;
}

/** The name of the fleet of a topology; `undefined` when the topology is missing or has errors. */
export async function fleetNameAt(reader: TextReader, path: string): Promise<string | undefined> {
  const document = await parseTopologyAt(reader, path);
  const checked = document && checkTopology(document);
  return checked?.ok ? checked.value.name.value : undefined;
}

/** The text of a topology together with those of its included files. */
export const topologyText = ({ topology, included = [] }: Sources): string =>
  [topology, ...included].map((it) => it.text).join('\n');

/** Matches valid cluster names, as in the schema of the topology. Shells would expand other keys. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The cluster names of a topology and its included files as they are written, for shell completion. Nothing is checked; a
 * file that is missing or cannot be read contributes no names.
 */
export async function clusterNames(files: FileReader, topology: string | undefined): Promise<readonly string[]> {
  const source = await topologySourceAt(files, topology);
  if (source === undefined) return [];
  const included = await readIncluded(files, source);
  return [source, ...(included.ok ? included.value : [])].flatMap(clusterNamesIn).filter((it) => NAME.test(it));
}

async function topologySourceAt(files: FileReader, topology: string | undefined): Promise<Source | undefined> {
  try {
    const { topology: path } = await findTopology(files, topology, undefined);
    const read = await files.readText(path);
    return read.kind === 'ok' ? { path, text: read.text } : undefined;
  } catch (error) {
    if (error instanceof OperationRefused) return undefined;
    throw error;
  }
}

function clusterNamesIn(source: Source): readonly string[] {
  const read = readDocument(source, { language: 'yaml' });
  const clusters = read.ok ? read.root.entries.get('clusters')?.value : undefined;
  return clusters?.kind === 'map' ? [...clusters.entries.keys()] : [];
}
