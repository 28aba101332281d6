import { parseAllDocuments } from 'yaml';
import { admitTenants, answerSlices, useIdentities } from './authentication.ts';
import { watchForeignClusters } from './foreign-clusters.ts';
import { makeNamespaces, offloadNamespaces } from './namespaces.ts';
import { replicate } from './replication.ts';
import { type Faults, type Simulated, SimulatedCluster } from './simulated-cluster.ts';
import { makeQuotas, makeVirtualNodes, runVirtualNodes } from './virtual-nodes.ts';

/** The applied objects of each cluster, without those of `expected/`. */
export function appliedObjects(
  bundle: ReadonlyMap<string, string>,
  clusters: Iterable<string>,
): ReadonlyMap<string, readonly Simulated[]> {
  const isApplied = (path: string, cluster: string): boolean =>
    path.startsWith(`${cluster}/`) && /^[^/]+\/(peers|sharing|offloading)\/.*(?<!kustomization)\.yaml$/.test(path);
  return new Map(
    [...clusters].map((cluster) => {
      const texts = [...bundle].filter(([path]) => isApplied(path, cluster)).map(([, text]) => text);
      return [cluster, texts.flatMap((it) => parseAllDocuments(it).map((one) => one.toJS() as Simulated))];
    }),
  );
}

/**
 * The controllers of Liqo v1.2.0 for sharing, all of them in every cluster, until nothing changes any more. Written from what
 * they do, and only from what is applied: nothing of it is shared with what the compiler expects.
 */
export function runLiqo(
  applied: ReadonlyMap<string, readonly Simulated[]>,
  faults: Faults = {},
): ReadonlyMap<string, SimulatedCluster> {
  const world = new Map([...applied].map(([id, objects]) => [id, new SimulatedCluster(id, objects, faults)]));
  const picture = (): string => JSON.stringify([...world.values()].map((it) => it.all()));
  for (let round = 0, before = ''; round < 30; round++) {
    if (picture() === before) return world;
    before = picture();
    for (const it of world.values()) {
      admitTenants(it);
      useIdentities(it);
      replicate(it, world);
      answerSlices(it);
      makeQuotas(it);
      makeVirtualNodes(it);
      runVirtualNodes(it);
      offloadNamespaces(it);
      makeNamespaces(it);
      watchForeignClusters(it);
    }
  }
  throw new Error('the simulated controllers do not come to rest');
}
