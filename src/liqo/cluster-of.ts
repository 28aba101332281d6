import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';

/** A cluster by its name. Peers and links name only clusters of the model, so that another name is a fault of ours. */
export function clusterOf(name: string, model: AddressedModel): AddressedCluster {
  const cluster = model.clusters.get(name);
  if (cluster === undefined) throw new RangeError(`"${name}" is not a cluster of the model`);
  return cluster;
}
