import type { Compiled } from '../compile.ts';
import { compareCluster } from '../drift/compare-cluster.ts';
import type { ClusterDrift } from '../drift/drift.ts';
import { promisedObjects } from '../drift/promised-objects.ts';
import { renewingPeers } from '../drift/renewing-peers.ts';
import { peersWithUnknownKey } from '../drift/unknown-keys.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import type { LiveCluster } from '../live/live-cluster.ts';

/** What differs in one cluster from its bundle, without its reasons. */
export function driftOf({ model, bundle }: Compiled, live: LiveCluster): ClusterDrift {
  const cluster = clusterNamed(model, live.cluster);
  const promised = promisedObjects(live.cluster, { bundle, root: 'out' });
  const [renewing, unknownKeys] = [renewingPeers(cluster, model), peersWithUnknownKey(cluster)];
  return compareCluster({ promised, renewing, unknownKeys }, live);
}
