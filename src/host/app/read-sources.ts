import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic, type Related } from '../../base/diagnostics/diagnostic.ts';
import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Located, type Source, type Span, startOf } from '../../base/source/source.ts';
import type { Sources } from '../../compile.ts';
import { includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import { parseTopology, type TopologyDocument } from '../../fleet/topology/parse-topology.ts';
import { EnvironmentError } from '../disk/disk-error.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import { nearMiss, type TopologyFiles } from './find-topology.ts';
import type { FileReader, TextReader } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/** The texts of a topology and the files beside it. A file that is not text is a mistake with a place. */
export async function readSources(reader: FileReader, files: TopologyFiles): Promise<Outcome<Sources>> {
  const sources = await readSourcesIfThere(reader, files);
  if (sources !== undefined) return sources;
  const suggestion = await nearMiss(reader, files.topology);
  throw new OperationRefused({ kind: 'no-file', path: files.topology, suggestion });
}

/** The same from another folder or from a commit; `undefined` without a topology there. */
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

/** `undefined` when there is no such file. */
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

/** The most files of one topology: a file for each of a thousand teams. */
const MOST_FILES = 1000;

/** A file that is included, and the entry that includes it. */
interface IncludedFile {
  readonly path: string;
  readonly at: Span;
}

/** Reads what a topology includes, in that order; the files of a folder by name. */
export async function readIncluded(reader: TextReader, topology: Source): Promise<Outcome<readonly Source[]>> {
  const entries = includesOf(topology);
  if (entries.length === 0) return outcome([]);
  const folder = dirname(topology.path);
  const listed = await Promise.all(entries.map((it) => filesOf(reader, folder, it)));
  const files = listed.flatMap((it) => (it.ok ? it.value : []));
  const mistakes = [...listed.flatMap((it) => it.diagnostics), ...twice(files), ...tooMany(files)];
  if (mistakes.length > 0) return failure(mistakes);
  const read = await reader.readTexts(files.map((it) => it.path));
  const links = await Promise.all(files.map((it) => reader.linkBelow(folder, it.path)));
  const sources = files.map((it, i) => includedSource(it, read[i] ?? { kind: 'missing' }, links[i]));
  return outcome(
    sources.flatMap((it) => (it.ok ? [it.value] : [])),
    sources.flatMap((it) => it.diagnostics),
  );
}

/** The file of an entry, or those in its folder. */
async function filesOf(
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
  // Its path decides who reviews a file, so the text must be there.
  if (link !== undefined) {
    const message = link === path ? `${path} is a symbolic link` : `${path} is behind the symbolic link ${link}`;
    return failure([cannotInclude(at, message, 'put the file itself there, so that its owners review each edit')]);
  }
  return sourceIn(path, read) ?? failure([cannotInclude(at, `there is no file ${path}`)]);
}

/** A file is included once, whether by its name or with its folder. */
function* twice(files: readonly IncludedFile[]): Iterable<Diagnostic> {
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

function* tooMany(files: readonly IncludedFile[]): Iterable<Diagnostic> {
  const last = files[MOST_FILES];
  if (last === undefined) return;
  const message = `the topology includes ${files.length} files, and at most ${MOST_FILES} are read`;
  yield cannotInclude(last.at, message, 'write more clusters into each file');
}

const cannotInclude = (
  at: Span,
  message: string,
  hint: string | undefined = 'check the path, which begins in the folder of the topology, or remove the entry',
  related: readonly Related[] = [],
): Diagnostic => diagnostic('topology/cannot-include', at, message, { hint, related });

type ReadableFile = Exclude<ReadResult, { kind: 'is-directory' | 'unreadable' }>;

/** What was read at a path as a source; `undefined` when there is no such file. */
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

/** The topology at a path with what it includes; `undefined` where there is none, and for one with mistakes. */
export async function parseTopologyAt(reader: TextReader, path: string): Promise<TopologyDocument | undefined> {
  const read = await reader.readText(path);
  if (read.kind !== 'ok') return undefined;
  const topology = { path, text: read.text };
  const parsed = andThen(await readIncluded(reader, topology), (included) => parseTopology(topology, included));
  return parsed.ok ? parsed.value : undefined;
}

/** The text of a topology together with those of the files that it includes. */
export const topologyText = ({ topology, included = [] }: Sources): string =>
  [topology, ...included].map((it) => it.text).join('\n');
