import type { Compiled } from '../../src/compile.ts';
import { compareCluster } from '../../src/drift/compare-cluster.ts';
import { promisedObjects } from '../../src/drift/promised-objects.ts';
import { clusterNamed } from '../../src/ipam/cluster-named.ts';
import { liveClusterOf } from './live-cluster-of.ts';
import type { KubernetesList } from './objects.ts';

/** What drift finds in simulated clusters: `cluster kind Kind namespace/name`, and for a difference what is at which path. */
export function driftLines(
  { bundle, model }: Pick<Compiled, 'bundle' | 'model'>,
  dumps: ReadonlyMap<string, KubernetesList>,
): readonly string[] {
  return [...dumps].flatMap(([cluster, list]) => {
    const promised = promisedObjects(cluster, { bundle, root: 'out' });
    const { traits } = clusterNamed(model, cluster);
    return compareCluster({ promised, traits }, liveClusterOf(cluster, list)).findings.map((it) => {
      const object = `${it.object.kind} ${it.object.namespace ?? ''}/${it.object.name}`;
      const what = it.kind === 'different' ? `${it.path.join('.')}: ${JSON.stringify([it.promised, it.live])}` : '';
      return `${cluster} ${it.kind} ${object} ${what}`.trim();
    });
  });
}
