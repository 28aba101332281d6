import { basename } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { COMPARED_KINDS } from '../drift/compared-kinds.ts';
import type { ExplainedCluster } from '../drift/explain-cluster.ts';
import { explainFleet } from '../drift/explain-fleet.ts';
import { compileLive } from './compile-live.ts';
import type { Unanswered } from './compile-topology.ts';
import { explainLive } from './explain-live.ts';
import { filesOf, type TopologyFiles } from './find-topology.ts';
import type { DumpRequest } from './list-dumps.ts';
import type { LivePorts } from './live-ports.ts';
import type { FileReader } from './ports.ts';
import type { ContextRequest } from './read-context.ts';
import { readLiveClusters } from './read-live-clusters.ts';
import type { StartPorts } from './start-fleet.ts';

interface ImportRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
  /** The topology to write. */
  readonly topology: string;
  /** Of the fleet; `null` for that of the file. */
  readonly name: string | null;
}

interface ImportPorts extends LivePorts {
  readonly files: FileReader;
  readonly start: Pick<StartPorts, 'writeFile'>;
}

type ImportResult =
  | Unanswered
  /** A dump cannot be read, or it is not clear of which cluster it is. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] }
  | ImportedFiles;

interface ImportedFiles {
  readonly kind: 'imported';
  readonly files: TopologyFiles;
  readonly written: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** What applying the compiled bundles would change in each cluster. */
  readonly changes: readonly ExplainedCluster[];
}

/** Writes the topology, the keys and the lock that describe live clusters. Nothing that is there is replaced. */
export async function importFleet(ports: ImportPorts, request: ImportRequest): Promise<ImportResult> {
  const files = filesOf(request.topology, undefined, false);
  if (request.dumps.length + request.contexts.length === 0)
    return { kind: 'refused', refusal: { kind: 'no-live-cluster', command: 'import' } };
  const targets = [files.topology, files.keys, files.identities, files.lock];
  const reads = await Promise.all(targets.map((it) => ports.files.readText(it)));
  const existing = targets.filter((_, index) => reads[index]?.kind !== 'missing');
  if (existing.length > 0)
    return { kind: 'refused', refusal: { kind: 'files-exist', paths: existing, command: 'import' } };
  const live = await readLiveClusters(ports, request, { known: null, kinds: COMPARED_KINDS }, (it) => it);
  if (!live.ok) return { kind: 'unreadable', diagnostics: live.diagnostics };
  const name = request.name ?? basename(request.topology).replace(/\.ya?ml$/, '');
  const clusters = [...live.value.values()];
  const fleet = compileLive(clusters, { name, files });
  if (!fleet.ok) return { kind: 'errors', diagnostics: fleet.diagnostics };
  const { compiled, sources } = fleet.value;
  const texts = [sources.topology, sources.keys, sources.identities, sources.lock].filter((it) => it !== undefined);
  for (const { path, text } of texts) await ports.start.writeFile(path, text);
  const changes = explainFleet(clusters.map((it) => explainLive(compiled, 'out', it)));
  return { kind: 'imported', files, written: texts.map((it) => it.path), diagnostics: fleet.diagnostics, changes };
}
