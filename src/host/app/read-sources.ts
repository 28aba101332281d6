import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Source } from '../../base/source/source.ts';
import type { Sources } from '../../compile.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import { nearMiss, type TopologyFiles } from './find-topology.ts';
import { OperationRefused } from './operation-refused.ts';
import type { FileReader, TextReader } from './ports.ts';
import { readIncluded } from './read-included.ts';
import { type ReadableFile, sourceIn } from './source-in.ts';

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
    keys: sourceOf(keys),
    identities: sourceOf(identities),
    lock: sourceOf(lock),
  });
}

const sourceOf = (read: Outcome<Source> | undefined): Source | undefined => (read?.ok ? read.value : undefined);

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
