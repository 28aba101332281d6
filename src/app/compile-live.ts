import { adoptLive } from '../adopt/adopt-live.ts';
import { type Compiled, compile, type Sources } from '../compile.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import type { ImportedFleet } from '../import/imported-fleet.ts';
import { inferFleet } from '../import/infer-fleet.ts';
import { printTopology } from '../import/print-topology.ts';
import { printKeysFile } from '../keys/print-keys-file.ts';
import type { LiveCluster } from '../live/live-cluster.ts';
import { printLock } from '../lock/print-lock.ts';
import { observeCluster } from '../observed/observe-cluster.ts';
import type { TopologyFiles } from './find-topology.ts';

/** Live clusters as a topology, and what that compiles to. */
interface LiveFleet {
  readonly imported: ImportedFleet;
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
  const imported = inferFleet(live.map(observeCluster), { name });
  const before: Sources = {
    topology: { path: files.topology, text: printTopology(imported) },
    keys: { path: files.keys, text: printKeysFile({ gateways: imported.keys, authentication: new Map() }) },
    lock: undefined,
  };
  const settings = { relock: [], only: null };
  // Without the lock only addresses and ports are others; which links there are is known.
  const undecided = compile(before, settings);
  if (!undecided.ok) return failure([...imported.diagnostics, ...undecided.diagnostics]);
  const { decisions } = adoptLive(undecided.value.model, imported.live);
  const lock = { path: files.lock, text: printLock(undecided.value.model.fleet.topologyFile, decisions) };
  const compiled = compile({ ...before, lock }, settings);
  if (!compiled.ok) return failure([...imported.diagnostics, ...compiled.diagnostics]);
  // As compile writes it: with what the clusters did not say.
  const sources = { ...before, lock: { ...lock, text: compiled.value.lock } };
  return outcome({ imported, sources, compiled: compiled.value }, [...imported.diagnostics, ...compiled.diagnostics]);
}
