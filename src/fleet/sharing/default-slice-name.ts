import { clusterHash } from '../certificates/distinguished-name.ts';
import { LONGEST_SLICE_NAME } from '../topology/formats/dns-names.ts';

const SUFFIX = '-slice';

/**
 * The name of a slice that has none in the topology. It is never the name of the provider: its gateway is called like that,
 * and both would use one ServiceAccount. It is never the one that the other direction of the pair has, which is in the same
 * namespace there. A provider whose name leaves no room is cut, and its hash tells it from others that begin alike.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller/virtualkubelet.go,
 * internal/crdReplicator.
 */
export function defaultSliceName(provider: string): string {
  const name = provider + SUFFIX;
  if (name.length <= LONGEST_SLICE_NAME) return name;
  const ending = `-${clusterHash(provider)}${SUFFIX}`;
  return provider.slice(0, LONGEST_SLICE_NAME - ending.length) + ending;
}
