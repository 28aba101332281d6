import type { Compiled } from '../../compile.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import { compareCluster } from '../../live/drift/compare-cluster.ts';
import { type ExplainedCluster, explainCluster } from '../../live/drift/explain-cluster.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { renewingPeers } from '../../live/drift/renewing-peers.ts';
import { peersWithUnknownKey } from '../../live/drift/unknown-keys.ts';
import type { LiveCluster } from '../../live/dumps/live-cluster.ts';

/** What differs in one cluster from its bundle, and why. Nothing of its objects is kept but what is reported. */
export function explainLive({ model, bundle }: Compiled, root: string, live: LiveCluster): ExplainedCluster {
  const cluster = clusterNamed(model, live.cluster);
  const promised = promisedObjects(live.cluster, { bundle, root });
  const [renewing, unknownKeys] = [renewingPeers(cluster, model), peersWithUnknownKey(cluster)];
  const drift = compareCluster({ promised, renewing, unknownKeys }, live);
  return explainCluster({ model, cluster, promised, live, drift, root });
}
