import type { Compiled } from '../../compile.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import { compareCluster } from '../../live/drift/compare-cluster.ts';
import type { ClusterDrift } from '../../live/drift/drift.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { renewingPeers } from '../../live/drift/renewing-peers.ts';
import { peersWithUnknownKey } from '../../live/drift/unknown-keys.ts';
import type { LiveCluster } from '../../live/dumps/live-cluster.ts';

/** What differs in one cluster from its bundle, without its reasons. */
export function driftOf({ model, bundle }: Compiled, live: LiveCluster): ClusterDrift {
  const cluster = clusterNamed(model, live.cluster);
  const promised = promisedObjects(live.cluster, { bundle, root: 'out' });
  const [renewing, unknownKeys] = [renewingPeers(cluster, model), peersWithUnknownKey(cluster)];
  return compareCluster({ promised, renewing, unknownKeys }, live);
}
