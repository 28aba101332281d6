import { printPrefix } from '../../base/net/text.ts';
import type { AddressesFile, AddressesGateway, AddressesView } from '../../base/schema-types/addresses.ts';
import type { AddressedCluster, AddressedModel, Peer, View } from '../../fleet/ipam/addressed-model.ts';

/**
 * `addresses.json`: every view and gateway for programs, one row per line, by cluster and then in apply order. Empty lines, one
 * between peers and two between clusters, keep changed lines of neighbours apart: git does not merge changes that touch.
 */
export function emitAddresses(model: AddressedModel): string {
  const version: AddressesFile['version'] = 1;
  const views = printRows(model, viewRows);
  const gateways = printRows(model, (cluster, peer) => [gatewayRow(cluster, peer)]);
  return `{\n  "version": ${version},\n  "topology": ${JSON.stringify(model.fleet.name)},\n  "views": ${views},\n  "gateways": ${gateways}\n}\n`;
}

function printRows(
  { clusters }: AddressedModel,
  rowsOf: (cluster: AddressedCluster, peer: Peer) => readonly (AddressesView | AddressesGateway)[],
): string {
  const printed = [...clusters.values()].flatMap((cluster) => {
    const peers = [...cluster.peers.values()].map((peer) =>
      rowsOf(cluster, peer)
        .map((it) => `    ${JSON.stringify(it)}`)
        .join(',\n'),
    );
    return peers.length === 0 ? [] : [peers.join(',\n\n')];
  });
  return printed.length === 0 ? '[]' : `[\n${printed.join(',\n\n\n')}\n  ]`;
}

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
