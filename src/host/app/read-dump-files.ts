import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';
import type { WantedKind } from '../../live/dumps/json.ts';
import type { LiveObject } from '../../live/dumps/kubernetes-object.ts';
import { readDump } from '../../live/dumps/read-dump.ts';
import { nearMiss } from './find-topology.ts';
import type { DumpFiles } from './list-dumps.ts';
import type { FileReader, LivePorts } from './ports.ts';
import { requireReadable } from './read-sources.ts';
import { OperationRefused } from './refusal.ts';

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
