import { overlaps } from '../../base/net/prefix.ts';
import { readPrefix } from '../../base/net/text.ts';
import { DEFAULT_EXTERNAL_CIDR } from '../../base/releases/install-defaults.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { LiveLink } from './live-link.ts';
import { toldNetworks } from './told-networks.ts';

/** Networks of Services that installers use, for a cluster of which nothing says it: kubeadm, EKS, k3s, RKE2. */
const USUAL_SERVICES = ['10.96.0.0/12', '172.20.0.0/16', '10.43.0.0/16', '192.168.192.0/20'];

/**
 * A cluster that is known from its peers alone: its networks are what they have of it. Nothing outside it shows its Services; the
 * network is one that it could have, and no other cluster notices it.
 */
export function inferUndumped(
  cluster: string,
  links: readonly LiveLink[],
  services: readonly string[],
): ClusterSpec | null {
  const networks = toldNetworks(cluster, links)?.networks;
  const [external] = networks?.external ?? [];
  if (networks === undefined || external === undefined) return null;
  const [service] = assumedService(services, [...networks.pod, external]);
  return {
    podCIDR: networks.pod.length === 1 ? (networks.pod[0] as string) : [...networks.pod],
    ...(service === undefined ? {} : { serviceCIDR: service }),
    ...(external === DEFAULT_EXTERNAL_CIDR ? {} : { externalCIDR: external }),
  };
}

/** One network of Services beside those that are taken, a usual one of the fleet if possible; none where all are taken. */
export const assumedService = (services: readonly string[], taken: readonly string[]): readonly string[] =>
  [...services, ...USUAL_SERVICES].filter((it) => isFree(it, taken)).slice(0, 1);

function isFree(text: string, taken: readonly string[]): boolean {
  const prefix = readPrefix(text);
  return taken.every((it) => {
    const other = readPrefix(it);
    return prefix.ok && (!other.ok || !overlaps(prefix.prefix, other.prefix));
  });
}
