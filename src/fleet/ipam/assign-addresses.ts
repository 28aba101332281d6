import { groupBy } from '../../base/core/collections.ts';
import { type Diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { bug, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Decisions } from '../lock/decisions.ts';
import type { Cluster, Link, NetworkModel } from '../model/network-model.ts';
import type { AddressedCluster, AddressedModel, AddressRule, Peer } from './addressed-model.ts';
import { assignViews } from './assign-views.ts';
import { carveBlocks } from './carve-blocks.ts';
import { type OwnAddresses, placeOwnAddresses } from './own-addresses.ts';
import { gatewaysLieOutsideTheDialler, gatewaysLieOutsideTheirOwnCluster } from './rules/gateways.ts';
import { servicesUseShortcuts } from './rules/shortcuts.ts';
import { blocksHoldWhatLiqoAssigns, viewsNeedNoOrder, viewsSurviveARebuild } from './rules/views.ts';
import { type Announcement, leavingViews } from './view-request.ts';

const RULES: readonly AddressRule[] = [
  gatewaysLieOutsideTheDialler,
  gatewaysLieOutsideTheirOwnCluster,
  blocksHoldWhatLiqoAssigns,
  viewsNeedNoOrder,
  viewsSurviveARebuild,
  servicesUseShortcuts,
];

/** Assigns every address of the fleet: carved blocks, each cluster's own networks, and its views of each peer. */
export function assignAddresses(model: NetworkModel, decisions: Decisions): Outcome<AddressedModel> {
  const { blocks, found: blockFound } = carveBlocks(model, decisions);
  const ownOf = (cluster: Cluster): OwnAddresses =>
    placeOwnAddresses(cluster, {
      external: blocks.external.get(cluster.name),
      internal: blocks.internal.get(cluster.name),
    });
  const own = new Map([...model.clusters.values()].map((it) => [it.name, ownOf(it)]));
  const found: Diagnostic[] = [...blockFound];
  // Peers refer to each other's clusters, so all clusters are created before the first peer.
  const peers = new Map([...model.clusters.keys()].map((name) => [name, new Map<string, Peer>()]));
  const clusters = new Map(
    [...model.clusters.values()].map((it): [string, AddressedCluster] => {
      const { externalCIDR, internalCIDR } = entryOf(own, it);
      return [it.name, { ...it, externalCIDR, internalCIDR, peers: entryOf(peers, it) }];
    }),
  );
  const announcements = announcementsOf(model.links, clusters);
  const leaving = leavingViews(model.links, decisions);
  for (const cluster of clusters.values()) {
    const addresses = entryOf(own, cluster);
    const views = assignViews({
      cluster,
      announcements: announcements.get(cluster.name) ?? [],
      leaving: leaving.get(cluster.name) ?? [],
      own: addresses,
      freshIpam: () => ownOf(cluster).ipam,
      decisions,
    });
    for (const it of [addresses.found, views.found].flat()) found.push(it);
    for (const it of views.peers) entryOf(peers, cluster).set(it.name, it);
  }
  const addressed: AddressedModel = { fleet: model.fleet, clusters, links: model.links };
  const broken = found.some((it) => it.severity === 'error');
  // Without every address, the rules would only repeat the errors.
  const remarks = broken ? [] : RULES.flatMap((rule) => [...rule(addressed)]);
  return outcome(addressed, inSourceOrder([...found, ...remarks], [model.fleet.at.source]));
}

/** Every map of this file has an entry for every cluster of the model. */
const entryOf = <T>(byCluster: ReadonlyMap<string, T>, { name }: Cluster): T =>
  byCluster.get(name) ?? bug(`"${name}" is not a cluster of the model`);

/** The announcements of the peers of each cluster, in join order. */
function announcementsOf(
  links: readonly Link[],
  clusters: ReadonlyMap<string, AddressedCluster>,
): ReadonlyMap<string, readonly Announcement[]> {
  const announced = links.flatMap((link): readonly Announcement[] => {
    const [server, client] = [entryOf(clusters, link.server.cluster), entryOf(clusters, link.client.cluster)];
    return [
      { viewer: server, link, peer: client },
      { viewer: client, link, peer: server },
    ];
  });
  return groupBy(announced, (it) => [it.viewer.name]);
}
