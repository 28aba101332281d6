import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import { type LiveCluster, objectKey } from '../../../src/live/dumps/kubernetes-object.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';
import type { KubernetesList } from './objects.ts';

/** A simulated list as weft reads it with a context: every compared kind was listed, empty or not. */
export function liveClusterOf(cluster: string, list: KubernetesList): LiveCluster {
  const objects = readDump({ path: `${cluster}.json`, text: JSON.stringify(list) });
  if (!objects.ok) throw new Error(objects.diagnostics[0]?.message);
  return {
    from: `dumps/${cluster}.json`,
    cluster,
    objects: new Map(objects.value.map(({ object }) => [objectKey(object), object])),
    listed: new Set(COMPARED_KINDS.map((it) => it.key)),
    forbidden: new Set(),
  };
}
