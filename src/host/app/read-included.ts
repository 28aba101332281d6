import { dirname, join } from 'node:path';
import { type Diagnostic, diagnostic, type Related } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Located } from '../../base/source/located.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import { EnvironmentError } from '../disk/environment-error.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import type { TextReader } from './ports.ts';
import { sourceIn } from './source-in.ts';

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
  const sources = files.map((it, i) => sourceOf(it, read[i] ?? { kind: 'missing' }, links[i]));
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

function sourceOf({ path, at }: IncludedFile, read: ReadResult, link: string | undefined): Outcome<Source> {
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
