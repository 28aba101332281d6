import { clusterHash } from '../certificates/distinguished-name.ts';
import { LONGEST_SLICE_NAME } from '../topology/formats/dns-names.ts';

const SUFFIX = '-slice';

/**
 * The name of a slice without a name in the topology. It differs from the name of the provider, which is that of its
 * gateway: both would use one ServiceAccount. It differs from the slice of the other direction of the pair, which is in
 * the same namespace. A provider's name that is too long is cut, and its hash distinguishes it from others with the
 * same beginning. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller/virtualkubelet.go, internal/crdReplicator.
 */
export function defaultSliceName(provider: string): string {
  const name = provider + SUFFIX;
  if (name.length <= LONGEST_SLICE_NAME) return name;
  const ending = `-${clusterHash(provider)}${SUFFIX}`;
  return provider.slice(0, LONGEST_SLICE_NAME - ending.length) + ending;
}
