import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import type { ReadResult } from '../disk/read-text-file.ts';
import type { WantedKind } from '../live/dump-value.ts';
import type { LiveObject } from '../live/kubernetes-object.ts';
import { emptyDump } from '../live/live-diagnostics.ts';
import { readDump } from '../live/read-dump.ts';
import { type Source, type Span, startOf } from '../source/source.ts';
import { nearMiss } from './find-topology.ts';
import type { LivePorts } from './live-ports.ts';
import { OperationRefused } from './operation-refused.ts';
import type { FileReader } from './ports.ts';
import { requireReadable } from './read-sources.ts';

/** A dump as a user names it. */
export interface DumpRequest {
  /** The cluster in front of the path; `null` if there is none. */
  readonly cluster: string | null;
  /** A file, a folder with files, or `-` for stdin. */
  readonly path: string;
}

/** What was dumped of one cluster, perhaps in several files. */
interface Dump {
  /** The cluster that the user names. */
  readonly named: string | null;
  /** The name of its file or folder, without the ending; `null` for stdin. */
  readonly stem: string | null;
  readonly at: Span;
  readonly objects: readonly LiveObject[];
}

export interface DumpReader extends Pick<LivePorts, 'readDump' | 'readPipedDump'> {
  readonly files: FileReader;
}

const isDumpFile = (path: string): boolean => /\.(json|ya?ml)$/.test(path);

/** Reads dumps, each with the objects of the wanted kinds. Every mistake in each of them is reported. */
export async function readDumps(
  ports: DumpReader,
  requests: readonly DumpRequest[],
  isWanted: WantedKind,
): Promise<Outcome<readonly Dump[]>> {
  const dumps: Dump[] = [];
  const problems: Diagnostic[] = [];
  // One after the other: their texts together may be larger than memory.
  for (const request of requests) {
    const texts = await textsOf(ports, request);
    if (!texts.ok) problems.push(...texts.diagnostics);
    else
      for (const { stem, sources } of texts.value) {
        const read = sources.map((it) => readDump(it, isWanted));
        problems.push(...read.flatMap((it) => it.diagnostics));
        dumps.push({
          named: request.cluster,
          stem,
          at: startOf({ path: sources[0]?.path ?? request.path, text: '' }),
          objects: read.flatMap((it) => (it.ok ? it.value : [])),
        });
      }
  }
  return outcome<readonly Dump[]>(dumps, problems);
}

/** Texts of one cluster. */
interface DumpTexts {
  readonly stem: string | null;
  readonly sources: readonly Source[];
}

async function textsOf(ports: DumpReader, { cluster, path }: DumpRequest): Promise<Outcome<readonly DumpTexts[]>> {
  if (path === '-') {
    const source = await sourceOf(ports, 'stdin', await ports.readPipedDump());
    return source.ok ? outcome([{ stem: null, sources: [source.value] }]) : source;
  }
  const read = await ports.readDump(path);
  if (read.kind === 'is-directory') return textsInFolder(ports, { cluster, path });
  const source = await sourceOf(ports, path, read);
  return source.ok ? outcome([{ stem: stemOf(path), sources: [source.value] }]) : source;
}

/** Everything below a folder is of the named cluster; without a name each file or folder in it is of one cluster. */
async function textsInFolder(
  { files }: DumpReader,
  { cluster, path }: DumpRequest,
): Promise<Outcome<readonly DumpTexts[]>> {
  const root = path.replace(/(?<=.)\/+$/, '');
  const folder = await files.readFolder(root, isDumpFile);
  const found = folder.kind === 'read' ? [...folder.files] : [];
  if (found.length === 0) return failure([emptyDump(startOf({ path: root, text: '' }))]);
  const sources = found.map(([name, text]) => ({ name, source: { path: `${root}/${name}`, text } }));
  if (cluster !== null) return outcome([{ stem: stemOf(root), sources: sources.map((it) => it.source) }]);
  const stems = [...new Set(sources.map((it) => stemOf(it.name.split('/')[0] ?? '')))];
  return outcome(
    stems.map((stem) => ({
      stem,
      sources: sources.filter((it) => stemOf(it.name.split('/')[0] ?? '') === stem).map((it) => it.source),
    })),
  );
}

const stemOf = (path: string): string => (path.split(/[/\\]/).at(-1) ?? '').replace(/\.(json|ya?ml)$/, '');

async function sourceOf({ files }: DumpReader, path: string, result: ReadResult): Promise<Outcome<Source>> {
  const read = requireReadable(path, result);
  const at = startOf({ path, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path, text: read.text });
    case 'missing':
      throw new OperationRefused({ kind: 'no-file', path, suggestion: await nearMiss(files, path) });
    case 'not-utf8':
      return failure([
        diagnostic('source/not-text', at, 'the dump is not UTF-8 text', {
          hint: 'in PowerShell, write it with "kubectl ... | Out-File -Encoding utf8 FILE"',
        }),
      ]);
    case 'too-large':
      return failure([
        diagnostic('source/too-large', at, `the dump has more than ${read.limitBytes} bytes`, {
          hint: 'dump only the kinds that are needed, or one kind into each file of a folder',
        }),
      ]);
  }
}
