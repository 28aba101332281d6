import type { Compiled } from '../compile.ts';
import { compareCluster } from '../drift/compare-cluster.ts';
import { type ExplainedCluster, explainCluster } from '../drift/explain-cluster.ts';
import { promisedObjects } from '../drift/promised-objects.ts';
import { renewingPeers } from '../drift/renewing-peers.ts';
import { peersWithUnknownKey } from '../drift/unknown-keys.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import type { LiveCluster } from '../live/live-cluster.ts';

/** What differs in one cluster from its bundle, and why. Nothing of its objects is kept but what is reported. */
export function explainLive({ model, bundle }: Compiled, root: string, live: LiveCluster): ExplainedCluster {
  const cluster = clusterNamed(model, live.cluster);
  const promised = promisedObjects(live.cluster, { bundle, root });
  const [renewing, unknownKeys] = [renewingPeers(cluster, model), peersWithUnknownKey(cluster)];
  const drift = compareCluster({ promised, renewing, unknownKeys }, live);
  return explainCluster({ model, cluster, promised, live, drift, root });
}
