import { groupBy } from '../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';
import type { WantedKind } from '../../live/dumps/json.ts';
import type { LiveObject } from '../../live/dumps/kubernetes-object.ts';
import { emptyFolder } from '../../live/dumps/live-diagnostics.ts';
import { readDump } from '../../live/dumps/read-dump.ts';
import { nearMiss } from './find-topology.ts';
import type { FileReader, LivePorts } from './ports.ts';
import type { ContextRequest } from './read-context.ts';
import { requireReadable } from './read-sources.ts';
import { OperationRefused } from './refusal.ts';

/** A dump as a user names it. */
export interface DumpRequest {
  /** The cluster in front of the path; `null` if none is named. */
  readonly cluster: string | null;
  /** A file, a folder with files, or `-` for stdin. */
  readonly path: string;
}

/** The files of one cluster, grouped by their names. */
export interface DumpFiles {
  /** The cluster that the user names; `null` if none is named. */
  readonly named: string | null;
  /** The name of the file or folder without its extension; `null` for stdin. */
  readonly stem: string | null;
  /** At least one path; `-` for stdin. */
  readonly paths: readonly string[];
}

const isDumpFile = (path: string): boolean => /\.(json|ya?ml)$/.test(path);

const dumpStem = (path: string): string => (path.split(/[/\\]/).at(-1) ?? '').replace(/\.(json|ya?ml)$/, '');

interface ListedDumps {
  readonly files: readonly DumpFiles[];
  readonly problems: readonly Diagnostic[];
}

/** Lists the files of dumps without reading them. */
export async function listDumps(
  ports: Pick<LivePorts, 'listFolder'>,
  requests: readonly DumpRequest[],
): Promise<ListedDumps> {
  const files: DumpFiles[] = [];
  const problems: Diagnostic[] = [];
  for (const it of requests) {
    const found = await dumpFilesAt(ports, it);
    if (found.length === 0) problems.push(emptyFolder(startOf({ path: it.path, text: '' })));
    else files.push(...found);
  }
  return { files, problems };
}

/**
 * The files of a dump. Files below a folder belong to the named cluster; without a name, each file or folder in it
 * belongs to a separate cluster.
 */
async function dumpFilesAt(
  ports: Pick<LivePorts, 'listFolder'>,
  { cluster, path }: DumpRequest,
): Promise<readonly DumpFiles[]> {
  if (path === '-') return [{ named: cluster, stem: null, paths: [path] }];
  const listing = await ports.listFolder(path, isDumpFile);
  if (listing.kind !== 'listed') return [{ named: cluster, stem: dumpStem(path), paths: [path] }];
  const root = path.replace(/(?<=.)\/+$/, '');
  const placed = (names: readonly string[]): readonly string[] => names.map((it) => `${root}/${it}`);
  const byStem = groupBy(listing.paths, (it) => [cluster === null ? dumpStem(it.split('/')[0] ?? '') : dumpStem(root)]);
  return [...byStem].map(([stem, names]) => ({ named: cluster, stem, paths: placed(names) }));
}

/** The dumps and contexts from which a user lets weft read live clusters. */
export interface LiveRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}

/** The dump of one cluster, in one file or several. */
interface Dump extends Omit<DumpFiles, 'paths'> {
  readonly at: Span;
  /** The objects of the files that can be read. */
  readonly objects: readonly LiveObject[];
}

interface DumpReading {
  readonly dump: Dump;
  readonly problems: readonly Diagnostic[];
}

export interface DumpReader extends Pick<LivePorts, 'readDump' | 'readPipedDump'> {
  readonly files: FileReader;
}

/** Reads the objects of the wanted kinds from some files, and reports the mistakes of all files. */
export async function readDumpFiles(
  ports: DumpReader,
  { named, stem, paths }: DumpFiles,
  isWanted: WantedKind,
): Promise<DumpReading> {
  const objects: LiveObject[] = [];
  const problems: Diagnostic[] = [];
  // Files are read one after the other, because their texts together may exceed the memory.
  for (const path of paths) {
    const source = await dumpSource(ports, path);
    const read = source.ok ? readDump(source.value, isWanted) : source;
    problems.push(...read.diagnostics);
    if (read.ok) for (const it of read.value) objects.push(it);
  }
  const [first = '-'] = paths;
  const at = startOf({ path: first === '-' ? 'stdin' : first, text: '' });
  return { dump: { named, stem, at, objects }, problems };
}

async function dumpSource(ports: DumpReader, name: string): Promise<Outcome<Source>> {
  const isPiped = name === '-';
  const path = isPiped ? 'stdin' : name;
  const read = requireReadable(path, await (isPiped ? ports.readPipedDump() : ports.readDump(path)));
  const at = startOf({ path, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path, text: read.text });
    case 'missing':
      throw new OperationRefused({ kind: 'no-file', path, suggestion: await nearMiss(ports.files, path) });
    case 'not-utf8':
      return failure([
        diagnostic('source/not-text', at, 'the dump is not UTF-8 text', {
          hint: 'in PowerShell, write it with "kubectl ... | Out-File -Encoding utf8 FILE"',
        }),
      ]);
    case 'too-large':
      return failure([
        diagnostic('source/too-large', at, `the dump has more than ${read.limitBytes / (1024 * 1024)} MiB`, {
          hint: 'write the dump of this cluster into a folder that is named after it, one kind of object into each file, and only the kinds that are needed',
        }),
      ]);
  }
}
