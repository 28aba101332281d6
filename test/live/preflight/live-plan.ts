import type { Compiled } from '../../../src/compile.ts';
import {
  groupOf,
  type KubernetesObject,
  kindKey,
  type LiveCluster,
  objectKey,
} from '../../../src/live/dumps/kubernetes-object.ts';
import { liveFiles } from '../../../src/live/preflight/live-files.ts';
import { planChanges } from '../../../src/plan/plan-changes.ts';
import { readPlanState, topologyFacts } from '../../../src/plan/plan-state.ts';

export const liveCluster = (cluster: string, objects: Iterable<KubernetesObject>): LiveCluster => {
  const all = [...objects];
  return {
    from: `dumps/${cluster}.json`,
    cluster,
    objects: new Map(all.map((it) => [objectKey(it), it])),
    listed: new Set(all.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
    forbidden: new Set(),
  };
};

/** The plan from live clusters to a compiled topology whose bundles are on disk. */
export function livePlan({ model, bundle, lock }: Compiled, live: readonly LiveCluster[]) {
  const known = topologyFacts(model);
  const files = liveFiles(live, {
    compiled: bundle,
    before: bundle,
    traitsOf: (cluster) => ({ isRenewed: model.clusters.get(cluster)?.traits.renewsCertificates ?? false }),
  });
  const [before, after] = [files, bundle].map((it) => readPlanState({ files: it, lock, known }));
  if (before === undefined || after === undefined) throw new Error('the files describe no network');
  return planChanges(before, after);
}
