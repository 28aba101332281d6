import { type Compiled, compile, type Sources } from '../compile.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { printIdentitiesFile } from '../identities/print-identities-file.ts';
import type { Finding } from '../import/finding.ts';
import { inferFleet } from '../import/infer-fleet.ts';
import { printTopology } from '../import/print-topology.ts';
import { type SharedFleet, withSharing } from '../import/sharing/with-sharing.ts';
import { printKeysFile } from '../keys/print-keys-file.ts';
import type { LiveCluster } from '../live/live-cluster.ts';
import { observeCluster } from '../observed/observe-cluster.ts';
import { type Source, startOf } from '../source/source.ts';
import { adoptLock, withoutHistory } from './adopt-lock.ts';
import type { TopologyFiles } from './find-topology.ts';

/** Live clusters as a topology, and what that compiles to. */
interface LiveFleet {
  readonly imported: SharedFleet;
  /** What is broken there, or cannot be written down. */
  readonly found: readonly Diagnostic[];
  readonly sources: Sources;
  readonly compiled: Compiled;
}

interface Described {
  readonly name: string;
  /** The files that the texts are for. */
  readonly files: TopologyFiles;
}

/** What live clusters are, in the form in which weft knows everything else: a topology, keys, a lock, and their bundles. Pure. */
export function compileLive(live: readonly LiveCluster[], { name, files }: Described): Outcome<LiveFleet> {
  const clusters = live.map(observeCluster);
  const imported = withSharing(inferFleet(clusters, { name }), clusters);
  const { keys: gateways, authentication, identities } = imported;
  const before: Sources = {
    topology: { path: files.topology, text: printTopology(imported) },
    keys: { path: files.keys, text: printKeysFile({ gateways, authentication }) },
    ...(identities.size === 0 ? {} : { identities: { path: files.identities, text: printIdentitiesFile(identities) } }),
    lock: undefined,
  };
  const placed = imported.findings.map((it) => placedIn(before.topology, it));
  const adopted = adoptLock({
    sources: before,
    decisions: new Map(),
    live: imported.live,
    path: files.lock,
    keepsOrder: false,
  });
  if (!adopted.ok) return failure([...placed, ...adopted.diagnostics]);
  const { lock } = adopted.value;
  const compiled = compile({ ...before, lock }, { relock: [], only: null });
  const found = [...placed, ...adopted.diagnostics];
  if (!compiled.ok) return failure([...found, ...compiled.diagnostics]);
  // As compile writes it: with what the clusters did not say.
  const sources = { ...before, lock: { ...lock, text: compiled.value.lock } };
  return outcome({ imported, found: placed, sources, compiled: compiled.value }, [
    ...found,
    ...withoutHistory(compiled.diagnostics),
  ]);
}

const placedIn = (source: Source, { code, message, hint }: Finding): Diagnostic =>
  diagnostic(code, startOf(source), message, { hint });
