import type { AddressedCluster, AddressedModel, Peer, View } from '../ipam/addressed-model.ts';
import { printPrefix } from '../net/text.ts';
import type { AddressesFile, AddressesGateway, AddressesView } from '../schema-types/addresses.ts';

/** `addresses.json`: every view and gateway for programs, one row per line, by cluster and then in apply order. */
export function emitAddresses(model: AddressedModel): string {
  const ends = [...model.clusters.values()].flatMap((cluster) =>
    [...cluster.peers.values()].map((peer) => [cluster, peer] as const),
  );
  const file: AddressesFile = {
    version: 1,
    topology: model.fleet.name,
    views: ends.flatMap(([cluster, peer]) => viewRows(cluster, peer)),
    gateways: ends.map(([cluster, peer]) => gatewayRow(cluster, peer)),
  };
  const { version, topology, views, gateways } = file;
  return `{\n  "version": ${version},\n  "topology": ${JSON.stringify(topology)},\n  "views": ${rows(views)},\n  "gateways": ${rows(gateways)}\n}\n`;
}

const rows = (list: readonly object[]): string =>
  list.length === 0 ? '[]' : `[\n${list.map((it) => `    ${JSON.stringify(it)}`).join(',\n')}\n  ]`;

function viewRows(cluster: AddressedCluster, peer: Peer): readonly AddressesView[] {
  const row = (kind: 'pod' | 'external', view: View): AddressesView => ({
    cluster: cluster.name,
    peer: peer.name,
    kind,
    cidr: printPrefix(view.cidr),
    seenAs: printPrefix(view.seenAs),
    link: peer.link.kind,
    orderDependent: peer.orderDependent,
    history: view.history,
  });
  return [...peer.podViews.map((it) => row('pod', it)), row('external', peer.externalView)];
}

function gatewayRow(cluster: AddressedCluster, { name, role, link }: Peer): AddressesGateway {
  const { address, port } = link.endpoint;
  return { cluster: cluster.name, peer: name, role, address, port, mtu: link.mtuBytes };
}
