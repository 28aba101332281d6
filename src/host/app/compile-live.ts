import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { printKeysFile } from '../../fleet/keys/print-keys-file.ts';
import type { LiveCluster } from '../../live/dumps/live-cluster.ts';
import { printIdentitiesFile } from '../../live/identities/print-identities-file.ts';
import { inferFleet } from '../../live/import/infer-fleet.ts';
import { placeFindings } from '../../live/import/place-findings.ts';
import { printTopology } from '../../live/import/print-topology.ts';
import { type SharedFleet, withSharing } from '../../live/import/sharing/with-sharing.ts';
import { observeCluster } from '../../live/observed/observe-cluster.ts';
import type { ObservedCluster } from '../../live/observed/observed-cluster.ts';
import { adoptLock, withoutHistory } from './adopt-lock.ts';
import type { TopologyFiles } from './find-topology.ts';
import { foreignTemplates } from './foreign-templates.ts';
import { notWritten } from './not-written.ts';

/** Live clusters as a topology, and what that compiles to. */
interface LiveFleet {
  readonly imported: SharedFleet;
  /** What is broken there, or cannot be written down, at the lines of the topology. */
  readonly found: readonly Diagnostic[];
  readonly sources: Sources;
  readonly compiled: Compiled;
}

interface Described {
  readonly name: string;
  /** The files that the texts are for. */
  readonly files: TopologyFiles;
  /** Where an editor finds the schema, from the topology; `null` where it is not known. */
  readonly schema?: string | null;
}

/** What live clusters are, in the form in which weft knows everything else: a topology, keys, a lock, and their bundles. Pure. */
export const compileLive = (live: readonly LiveCluster[], described: Described): Outcome<LiveFleet> =>
  compileObserved(live.map(observeCluster), described);

/** The same, of clusters whose objects are no longer there. */
export function compileObserved(observed: readonly ObservedCluster[], described: Described): Outcome<LiveFleet> {
  const inferred = (foreign: ReadonlySet<string>): SharedFleet =>
    withSharing(inferFleet(observed, { ...described, foreignTemplates: foreign }), observed);
  const first = compileInferred(inferred(new Set()), described);
  if (!first.ok) return notWritten(first.diagnostics);
  const foreign = foreignTemplates(observed, first.value.compiled);
  if (foreign.size === 0) return first;
  const again = compileInferred(inferred(foreign), described);
  return again.ok ? again : notWritten(again.diagnostics);
}

function compileInferred(imported: SharedFleet, { files, schema = null }: Described): Outcome<LiveFleet> {
  const { keys: gateways, authentication, identities } = imported;
  const { text, places } = printTopology(imported, { schema });
  const topology = { path: files.topology, text };
  const placed = placeFindings(imported.findings, { source: topology, places });
  // What is not known would be reported again as missing in the topology.
  if (placed.some((it) => it.severity === 'error')) return failure(placed);
  const before: Sources = {
    topology,
    keys: { path: files.keys, text: printKeysFile({ gateways, authentication }) },
    ...(identities.size === 0 ? {} : { identities: { path: files.identities, text: printIdentitiesFile(identities) } }),
    lock: undefined,
  };
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
