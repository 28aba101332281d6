import { samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster, AddressedModel, View } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { ClusterFacts, FleetFacts, LinkFacts, Remap } from './fleet-facts.ts';

/**
 * The facts of a compiled fleet. Retired clusters are left out, because they are no longer in its network.
 *
 * @param label the label by which clusters are grouped; `null` for no groups
 */
export function factsOfModel(model: AddressedModel, label: string | null): FleetFacts {
  const clusters = [...model.clusters.values()].filter((it) => !it.retired);
  return {
    clusters: clusters.map((it) => clusterFacts(it, label)),
    links: model.links.map((it) => linkFacts(model, it)),
  };
}

const clusterFacts = (cluster: AddressedCluster, label: string | null): ClusterFacts => ({
  name: cluster.name,
  release: cluster.release.version,
  podCIDRs: cluster.podCIDRs.map((it) => printPrefix(it.value)),
  group: label === null ? null : (cluster.labels[label] ?? null),
  mark: null,
  formerName: null,
  breaks: false,
});

function linkFacts({ clusters }: AddressedModel, link: Link): LinkFacts {
  const [server, client] = [link.server.cluster.name, link.client.cluster.name];
  return {
    kind: link.kind,
    hub: hubOf(link),
    server,
    client,
    remaps: [...remapsIn(clusters.get(server), client), ...remapsIn(clusters.get(client), server)],
    mark: null,
    breaks: false,
  };
}

function hubOf({ kind, server, client }: Link): string | null {
  if (kind !== 'hub') return null;
  return client.cluster.hubs.includes(server.cluster.name) ? server.cluster.name : client.cluster.name;
}

/** The remapped networks of a peer, as one cluster sees them. */
function remapsIn(cluster: AddressedCluster | undefined, of: string): readonly Remap[] {
  const peer = cluster?.peers.get(of);
  if (cluster === undefined || peer === undefined) return [];
  const remapsOf = (kind: Remap['kind'], views: readonly View[]): readonly Remap[] =>
    views
      .filter((it) => !samePrefix(it.cidr, it.seenAs))
      .map((it) => ({
        of,
        seenIn: cluster.name,
        kind,
        cidr: printPrefix(it.cidr),
        seenAs: printPrefix(it.seenAs),
        was: null,
      }));
  return [...remapsOf('pod', peer.podViews), ...remapsOf('external', [peer.externalView])];
}

/** Labels by which pictures are grouped by default; the second one is set by cloud providers. */
const USUAL: readonly string[] = ['region', 'topology.kubernetes.io/region'];

/** The first usual label that clusters have; `null` when they have none. */
export const groupingLabel = (labels: readonly string[]): string | null =>
  USUAL.find((it) => labels.includes(it)) ?? null;
