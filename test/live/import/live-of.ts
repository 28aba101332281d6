import {
  groupOf,
  type KubernetesObject,
  kindKey,
  type LiveCluster,
  objectKey,
} from '../../../src/live/dumps/kubernetes-object.ts';
import { withholdSecrets } from '../../../src/live/dumps/read-dump.ts';

/** Objects as they are when a dump of them was read. */
export function liveOf(cluster: string, items: Iterable<unknown>): LiveCluster {
  const objects = [...(items as Iterable<KubernetesObject>)].map(withholdSecrets);
  return {
    from: `dumps/${cluster}.json`,
    cluster,
    objects: new Map(objects.map((it) => [objectKey(it), it])),
    listed: new Set(objects.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
    forbidden: new Set(),
  };
}
