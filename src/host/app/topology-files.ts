import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { readDocument } from '../../base/source/read-document.ts';
import { type Located, type Source, type Span, startOf } from '../../base/source/source.ts';
import type { Sources } from '../../compile.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { cannotInclude, includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import { parseTopology, type TopologyDocument } from '../../fleet/topology/parse-topology.ts';
import { EnvironmentError } from '../disk/disk-error.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import { findTopology, nearMiss, type TopologyFiles } from './find-topology.ts';
import type { FileReader, TextReader } from './ports.ts';
import { OperationRefused } from './refusal.ts';

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
