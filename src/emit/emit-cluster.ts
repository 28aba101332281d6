import { clusterKustomizations } from '../gitops/kustomizations.ts';
import { annotationsFor, shortcutAnnotations, templateAnnotations } from '../gitops/sync-wave.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../ipam/addressed-model.ts';
import { expectedConfiguration } from '../liqo/expected-configuration.ts';
import { expectedNetworks } from '../liqo/expected-networks.ts';
import { gatewayTemplates } from '../liqo/gateway-templates.ts';
import { helmValues } from '../liqo/helm-values.ts';
import { lowerConnection } from '../liqo/lower-connection.ts';
import { lowerPeer } from '../liqo/lower-peer.ts';
import { lowerShortcutConnections } from '../liqo/lower-shortcut-connections.ts';
import type { Manifest } from '../liqo/manifest.ts';
import { gatewaySnippet, nodeSnippet } from '../nftables/render-snippets.ts';
import { generatedHeader } from './generated-header.ts';
import { printYaml, printYamlDocuments } from './print-yaml.ts';

type File = readonly [path: string, text: string];

/** Everything in `out/<cluster>/`. A retired cluster keeps an empty kustomization, so that its GitOps tool prunes the rest. */
export function* emitCluster(cluster: AddressedCluster, model: AddressedModel): Iterable<File> {
  const header = generatedHeader(model.fleet);
  const inFolder = (path: string, text: string): File => [`${cluster.name}/${path}`, text];
  const templates = cluster.retired ? [] : gatewayTemplates(cluster, templateAnnotations);
  const shortcuts = cluster.retired ? [] : lowerShortcutConnections(cluster, model);
  const parts = {
    hasTemplates: templates.map((it) => it.fileName),
    shortcuts: shortcuts.map((it) => `${it.manifest.metadata.name}.yaml`).sort(),
  };
  for (const { path, text } of clusterKustomizations(cluster, model.fleet, parts)) yield inFolder(path, text);
  if (cluster.retired) return;
  for (const { fileName, text } of templates) yield inFolder(`gateway-templates/${fileName}`, header + text);
  for (const { manifest } of shortcuts) {
    const annotated = annotate(manifest, shortcutAnnotations(cluster));
    yield inFolder(`shortcuts/${manifest.metadata.name}.yaml`, header + printYaml(annotated));
  }
  for (const peer of cluster.peers) {
    yield inFolder(
      `peers/${peer.name}/${peer.name}.yaml`,
      header + printYamlDocuments(peerManifests(cluster, peer, model)),
    );
    yield inFolder(`nftables/${peer.name}.nft`, gatewaySnippet(cluster, peer, model.fleet));
    yield inFolder(`nftables/nodes/${peer.name}.nft`, nodeSnippet(cluster, peer, model.fleet));
  }
  for (const [name, manifests] of expectedManifests(cluster, model)) {
    if (manifests.length > 0) yield inFolder(`expected/${name}.yaml`, header + printYamlDocuments(manifests));
  }
  yield inFolder('helm-values.yaml', header + printYaml(helmValues(cluster)));
}

function peerManifests(cluster: AddressedCluster, peer: Peer, model: AddressedModel): readonly Manifest[] {
  return lowerPeer(cluster, peer, model).map((it) =>
    annotate(withoutStatus(it), annotationsFor(cluster, peer, it.kind)),
  );
}

/** What live objects are compared with. Not among the resources: Liqo writes all of this itself. */
function expectedManifests(
  cluster: AddressedCluster,
  model: AddressedModel,
): readonly (readonly [string, readonly Manifest[]])[] {
  const { peers } = cluster;
  return [
    ['configurations', peers.map((it) => expectedConfiguration(cluster, it, model))],
    ['connections', model.fleet.emitConnections ? [] : peers.map((it) => lowerConnection(it))],
    ['foreignclusterconnections', lowerShortcutConnections(cluster, model).map((it) => it.expectedStatus)],
    ['networks', expectedNetworks(cluster)],
  ];
}

/** A status in what is applied is never taken over, and shows as a difference for ever. */
function withoutStatus({ status: _, ...rest }: Manifest): Manifest {
  return rest as Manifest;
}

function annotate(manifest: Manifest, annotations: Readonly<Record<string, string>>): Manifest {
  const all = Object.entries({ ...manifest.metadata.annotations, ...annotations }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...manifest, metadata: { ...manifest.metadata, annotations: Object.fromEntries(all) } };
}
