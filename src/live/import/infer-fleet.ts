import { groupBy } from '../../base/core/group-by.ts';
import { sortedUnique } from '../../base/core/order.ts';
import type { ObservedCluster } from '../observed/observed-cluster.ts';
import { fleetComments } from './comments.ts';
import { servedAs } from './dialled.ts';
import { findings } from './findings/findings.ts';
import { gatewayKeys } from './gateway-keys.ts';
import type { ImportedFleet } from './imported-fleet.ts';
import { inferTopology } from './infer-topology.ts';
import { inferUndumped } from './infer-undumped.ts';
import { liveLinks } from './live-link.ts';
import { liveNetworkOf } from './live-network-of.ts';
import { annotationsInTemplate } from './templates-of.ts';

interface Described {
  readonly name: string;
  /** Clusters whose gateway templates weft would not write as they are, so that links name them. */
  readonly foreignTemplates?: ReadonlySet<string>;
}

/** A topology, keys and decisions that describe live clusters, in the form in which a person would have written them. */
export function inferFleet(
  observed: readonly ObservedCluster[],
  { name, foreignTemplates = new Set() }: Described,
): ImportedFleet {
  const clusters = new Map(observed.map((it) => [it.cluster, it]));
  const links = liveLinks(clusters);
  const linksOf = groupBy(links, (it) => it.ends.map((end) => end.cluster));
  const isDescribed = (cluster: string): boolean =>
    clusters.has(cluster) || inferUndumped(cluster, linksOf.get(cluster) ?? [], []) !== null;
  const served = links.flatMap((it) => {
    const found = it.ends.every((end) => isDescribed(end.cluster)) ? servedAs(it) : null;
    if (found === null) return [];
    const inTemplate = foreignTemplates.has(it.server.cluster) ? {} : annotationsInTemplate(it.server, clusters);
    return [{ ...found, annotations: { ...inTemplate, ...found.annotations } }];
  });
  const names = sortedUnique([...clusters.keys(), ...served.flatMap(({ link }) => link.ends.map((it) => it.cluster))]);
  const live = { clusters, links, served, names };
  const topology = inferTopology(live, { name, foreignTemplates });
  return {
    topology,
    comments: fleetComments(live, topology),
    keys: gatewayKeys(live).keys,
    live: liveNetworkOf(observed),
    findings: findings(live),
  };
}
