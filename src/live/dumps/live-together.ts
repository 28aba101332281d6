import type { LiveCluster } from './live-cluster.ts';
import { newestByKey } from './newest-by-key.ts';

/** What several looks at one cluster show: all objects, each in its newest state. */
export function liveTogether(cluster: string, parts: readonly LiveCluster[]): LiveCluster {
  return {
    cluster,
    isCertain: parts.some((it) => it.isCertain === true),
    objects: newestByKey(
      parts.flatMap((it) => [...it.objects.values()]),
      (it) => it,
    ),
    listed: new Set(parts.flatMap((it) => [...it.listed])),
    forbidden: new Set(parts.flatMap((it) => [...it.forbidden])),
  };
}
