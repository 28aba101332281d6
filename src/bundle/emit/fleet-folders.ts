import { printHeader } from '../../base/core/generated-files.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressesFile, AddressesGateway, AddressesView } from '../../base/schema-types/addresses.ts';
import type { AddressedCluster, AddressedModel, Peer, View } from '../../fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { argoEntryPoints } from '../gitops/argo-entry-points.ts';
import type { EntryPoint } from '../gitops/entry-point.ts';
import { fluxEntryPoints } from '../gitops/flux-entry-points.ts';
import { type BundleFile, filesByPath } from './bundle.ts';
import { printYamlDocuments } from './print-yaml.ts';

/** The folders of a bundle that belong to no cluster; the empty name is that of files in no folder. */
export type FleetFolder = '_argocd' | '_flux' | '';

/** The printers of these folders. */
export const FLEET_FOLDERS: Readonly<Record<FleetFolder, (model: SharedModel) => ReadonlyMap<string, string>>> = {
  _argocd: (model) => filesByPath(filesOf(argoEntryPoints(model), model)),
  _flux: (model) => filesByPath(filesOf(fluxEntryPoints(model), model)),
  '': (model) => filesByPath([{ path: { part: 'addresses' }, text: emitAddresses(model) }]),
};

export const isFleetFolder = (folder: string): folder is FleetFolder => Object.hasOwn(FLEET_FOLDERS, folder);

const filesOf = (entryPoints: readonly EntryPoint[], model: SharedModel): readonly BundleFile[] =>
  entryPoints.map((it) => ({ path: it.path, text: entryPointText(it, model) }));

function entryPointText(entryPoint: EntryPoint, model: SharedModel): string {
  if (entryPoint.kind === 'text') return entryPoint.text;
  return printHeader(model.fleet.topologyFile) + printYamlDocuments(entryPoint.manifests);
}

/**
 * `addresses.json`: every view and gateway for programs, one row per line, by cluster and then in apply order. Empty lines, one
 * between peers and two between clusters, keep changed lines of neighbours apart: git does not merge changes that touch.
 */
function emitAddresses(model: AddressedModel): string {
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
