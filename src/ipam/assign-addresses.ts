import { groupBy } from '../core/group-by.ts';
import { bug } from '../diagnostics/bug.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { inSourceOrder } from '../diagnostics/in-source-order.ts';
import { type Outcome, outcome } from '../diagnostics/outcome.ts';
import type { Decisions } from '../lock/decisions.ts';
import type { Cluster, Link, NetworkModel } from '../model/network-model.ts';
import type { AddressedCluster, AddressedModel } from './addressed-model.ts';
import { assignViews } from './assign-views.ts';
import { carveBlocks } from './carve-blocks.ts';
import { type OwnAddresses, placeOwnAddresses } from './own-addresses.ts';
import type { AddressRule } from './rules/address-rule.ts';
import { gatewaysLieOutsideTheDialler } from './rules/gateways-lie-outside-the-dialler.ts';
import { servicesUseShortcuts } from './rules/services-use-shortcuts.ts';
import { viewsNeedNoOrder } from './rules/views-need-no-order.ts';
import { viewsSurviveARebuild } from './rules/views-survive-a-rebuild.ts';
import type { Announcement } from './view-request.ts';

const RULES: readonly AddressRule[] = [
  gatewaysLieOutsideTheDialler,
  viewsNeedNoOrder,
  viewsSurviveARebuild,
  servicesUseShortcuts,
];

/** Every address of the fleet: carved blocks, what each cluster reserves for itself, and how it sees each peer. */
export function assignAddresses(model: NetworkModel, decisions: Decisions): Outcome<AddressedModel> {
  const { blocks, found: blockFound } = carveBlocks(model, decisions);
  const ownOf = (cluster: Cluster): OwnAddresses =>
    placeOwnAddresses(cluster, {
      external: blocks.external.get(cluster.name),
      internal: blocks.internal.get(cluster.name),
    });
  const own = new Map([...model.clusters.values()].map((it) => [it.name, ownOf(it)]));
  const announcements = announcementsOf(model.links, own);
  const found: Diagnostic[] = [...blockFound];
  const clusters = new Map<string, AddressedCluster>();
  for (const cluster of model.clusters.values()) {
    const addresses = ownAddressesOf(own, cluster);
    const freshIpam = () => ownOf(cluster).ipam;
    const views = assignViews(cluster, announcements.get(cluster.name) ?? [], addresses, freshIpam, decisions);
    found.push(...addresses.found, ...views.found);
    clusters.set(cluster.name, {
      ...cluster,
      externalCIDR: addresses.externalCIDR,
      internalCIDR: addresses.internalCIDR,
      peers: views.peers,
    });
  }
  const addressed: AddressedModel = { fleet: model.fleet, clusters, links: model.links };
  const broken = found.some((it) => it.severity === 'error');
  // Without every address, what the rules report would only repeat the errors.
  const remarks = broken ? [] : RULES.flatMap((rule) => [...rule(addressed)]);
  return outcome(addressed, inSourceOrder([...found, ...remarks], [model.fleet.at.source]));
}

type Own = ReadonlyMap<string, OwnAddresses>;

const ownAddressesOf = (own: Own, { name }: Cluster): OwnAddresses =>
  own.get(name) ?? bug(`"${name}" has no addresses of its own`);

/** By cluster: what its peers announce, in join order. */
function announcementsOf(links: readonly Link[], own: Own): ReadonlyMap<string, readonly Announcement[]> {
  const announced = links.flatMap((link) => [
    announcementTo(link.server.cluster, link, link.client.cluster, own),
    announcementTo(link.client.cluster, link, link.server.cluster, own),
  ]);
  return groupBy(announced, (it) => [it.viewer.name]);
}

const announcementTo = (viewer: Cluster, link: Link, peer: Cluster, own: Own): Announcement => ({
  viewer,
  link,
  peer,
  podCIDRs: peer.podCIDRs.map((it) => it.value),
  externalCIDR: ownAddressesOf(own, peer).externalCIDR,
});
