import { DEFAULT_EXTERNAL_CIDR } from '../../base/releases/install-defaults.ts';
import type { Topology } from '../../base/schema-types/topology.ts';
import type { LiveFleet } from './live-fleet.ts';

/** A line above what is not as weft would choose it, by path. */
export function fleetComments({ clusters, names }: LiveFleet, topology: Topology): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const id of names.filter((it) => !clusters.has(it)))
    comments.set(`clusters.${id}`, 'Not dumped: this is what its peers have of it, and the service CIDR is assumed.');
  if (sharesExternalCIDR(topology))
    comments.set(
      'clusters',
      `All have the external CIDR ${DEFAULT_EXTERNAL_CIDR}, so each sees its peers' as another.`,
    );
  return comments;
}

function sharesExternalCIDR({ clusters, defaults }: Topology): boolean {
  const specs = Object.values(clusters);
  const own = specs.map((it) => it.externalCIDR ?? defaults?.externalCIDR ?? DEFAULT_EXTERNAL_CIDR);
  return specs.length > 1 && own.every((it) => it === DEFAULT_EXTERNAL_CIDR);
}
