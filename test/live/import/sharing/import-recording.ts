import type { Diagnostic } from '../../../../src/base/diagnostics/diagnostic.ts';
import type { Compiled, Sources } from '../../../../src/compile.ts';
import { compileLive } from '../../../../src/host/app/compile-live.ts';
import { filesOf } from '../../../../src/host/app/find-topology.ts';
import { compareCluster, renewingPeers } from '../../../../src/live/drift/compare-cluster.ts';
import type { Finding } from '../../../../src/live/drift/drift.ts';
import { promisedObjects } from '../../../../src/live/drift/promised-objects.ts';
import { groupOf, kindKey, type LiveCluster, objectKey } from '../../../../src/live/dumps/kubernetes-object.ts';
import { readDump } from '../../../../src/live/dumps/read-dump.ts';

/** Objects as they come out of a dump: without their secrets. */
export function dumpOf(cluster: string, objects: readonly unknown[]): LiveCluster {
  const parsed = readDump({ path: `${cluster}.json`, text: JSON.stringify(objects) });
  if (!parsed.ok) throw new Error(`the dump of ${cluster} cannot be read`);
  const read = parsed.value.map((it) => it.object);
  return {
    from: `dumps/${cluster}.json`,
    cluster,
    objects: new Map(read.map((it) => [objectKey(it), it])),
    listed: new Set(read.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
    forbidden: new Set(),
  };
}

/** The Networks of the chart of a release, for recordings without them. */
export const ownNetworks = (bundle: Compiled['bundle'], cluster: string, release: string): readonly object[] =>
  [...promisedObjects(cluster, { bundle, root: 'out' }).values()]
    .map(({ object }) => object)
    .filter(({ kind, metadata }) => kind === 'Network' && metadata.labels?.['ipam.liqo.io/network-type'] !== undefined)
    .map((it) => ({
      ...it,
      metadata: { ...it.metadata, labels: { ...it.metadata.labels, 'helm.sh/chart': `liqo-v${release}` } },
    }));

interface Imported {
  readonly sources: Sources;
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
  /** The changes by applying the bundles, by cluster. */
  readonly drift: ReadonlyMap<string, readonly string[]>;
  readonly compared: number;
}

/** Imports live clusters, compiles, and compares with them. */
export function importLive(live: readonly LiveCluster[]): Imported {
  const outcome = compileLive(live, { name: 'europe', files: filesOf('topology.yaml', undefined, true) });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => `${it.code} ${it.message}`).join('\n'));
  const { sources, compiled } = outcome.value;
  const drifts = live.map((it) => {
    const declared = compiled.model.clusters.get(it.cluster);
    if (declared === undefined) throw new Error(`there is no cluster ${it.cluster}`);
    const promised = promisedObjects(it.cluster, { bundle: compiled.bundle, root: 'out' });
    return compareCluster({ promised, renewing: renewingPeers(declared, compiled.model), unknownKeys: new Set() }, it);
  });
  return {
    sources,
    compiled,
    diagnostics: outcome.diagnostics,
    drift: new Map(drifts.map((it) => [it.cluster, it.findings.filter((one) => !isForTools(one)).map(lineOf)])),
    compared: drifts.reduce((sum, it) => sum + it.compared, 0),
  };
}

/** Parts that only GitOps tools read, which no recording has. */
const isForTools = (it: Finding): boolean =>
  it.kind === 'different' && it.path[1] === 'annotations' && /argoproj|fluxcd/.test(it.path[2] ?? '');

const lineOf = (it: Finding): string =>
  [
    it.kind,
    it.object.kind,
    `${it.object.namespace ?? ''}/${it.object.name}`,
    ...(it.kind === 'different' ? [it.path.join('.')] : []),
  ].join(' ');
