import type { Sources } from '../compile.ts';
import { diagnostic } from '../diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import { type Source, startOf } from '../source/source.ts';
import { nearMiss, type TopologyFiles } from './find-topology.ts';
import { OperationRefused } from './operation-refused.ts';
import type { FileReader } from './ports.ts';

/** The texts of a topology and the files beside it. A file that is not text is a mistake with a place. */
export async function readSources(reader: FileReader, files: TopologyFiles): Promise<Outcome<Sources>> {
  const sources = await readSourcesIfThere(reader.readText, files);
  if (sources !== undefined) return sources;
  const suggestion = await nearMiss(reader, files.topology);
  throw new OperationRefused({ kind: 'no-file', path: files.topology, suggestion });
}

/** The same from another folder or from a commit; `undefined` without a topology there. */
export async function readSourcesIfThere(
  readText: FileReader['readText'],
  files: TopologyFiles,
): Promise<Outcome<Sources> | undefined> {
  const [topology, keys, identities, lock] = await Promise.all([
    readSource(readText, files.topology),
    readSource(readText, files.keys),
    readSource(readText, files.identities),
    readSource(readText, files.lock),
  ]);
  if (topology === undefined) return undefined;
  const mistakes = [topology, keys, identities, lock].flatMap((it) => it?.diagnostics ?? []);
  if (!topology.ok || mistakes.length > 0) return failure(mistakes);
  return outcome({
    topology: topology.value,
    keys: sourceOf(keys),
    identities: sourceOf(identities),
    lock: sourceOf(lock),
  });
}

const sourceOf = (read: Outcome<Source> | undefined): Source | undefined => (read?.ok ? read.value : undefined);

/** `undefined` when there is no such file. */
async function readSource(readText: FileReader['readText'], path: string): Promise<Outcome<Source> | undefined> {
  const read = requireReadable(path, await readText(path));
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

type ReadableFile = Exclude<ReadResult, { kind: 'is-directory' | 'unreadable' }>;

const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MiB`;
