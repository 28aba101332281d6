import type { Compiled } from '../../../src/compile.ts';
import { compileLive } from '../../../src/host/app/compile-live.ts';
import { filesOf } from '../../../src/host/app/find-topology.ts';
import { driftOf } from '../../../src/host/app/import-fleet.ts';
import type { ClusterDrift } from '../../../src/live/drift/drift.ts';
import type { LiveCluster } from '../../../src/live/dumps/kubernetes-object.ts';

const files = filesOf('topologies/fleet.yaml', undefined, false);

/** Live clusters as they are imported; throws where they cannot be. */
export function importLive(live: readonly LiveCluster[], name = 'fleet') {
  const imported = compileLive(live, { name, files });
  if (!imported.ok) throw new Error(imported.diagnostics.map((it) => it.message).join('\n'));
  return { ...imported.value, diagnostics: imported.diagnostics };
}

/** The changes by applying compiled bundles in each cluster. */
export const whatWouldChange = (compiled: Compiled, live: readonly LiveCluster[]): readonly ClusterDrift[] =>
  live.map((it) => driftOf(compiled, it));
