import type { BundlePath, ExpectedFile } from '../../base/core/bundle-path.ts';
import { by, sortedRecord } from '../../base/core/collections.ts';
import { printHeader } from '../../base/core/generated-files.ts';
import { type BoundedModel, boundedNamespaces } from '../../fleet/boundaries/bounded-model.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import { isRenewed, sharingOf } from '../../fleet/sharing/shared-model.ts';
import { lowerProber } from '../conformance/lower-prober.ts';
import { PROBER_NAME } from '../conformance/prober-names.ts';
import { lowerFence } from '../enforcement/lower-fence.ts';
import { lowerPolicies } from '../enforcement/lower-policies.ts';
import { printFenceGuarantee, printPolicyGuarantee } from '../enforcement/print-guarantees.ts';
import { clusterKustomizations } from '../gitops/kustomization.ts';
import {
  annotationsFor,
  policyAnnotations,
  proberAnnotations,
  sharingAnnotations,
  shortcutAnnotations,
  templateAnnotations,
} from '../gitops/sync-wave.ts';
import { expectedConfiguration, expectedNetworks } from '../liqo/expected-networks.ts';
import { gatewayTemplates } from '../liqo/gateway-templates.ts';
import { helmValues } from '../liqo/helm-values.ts';
import { lowerConnection, lowerPeer } from '../liqo/lower-peer.ts';
import { lowerShortcutConnections } from '../liqo/lower-shortcut-connections.ts';
import type { Manifest } from '../liqo/manifest.ts';
import { expectedSharing } from '../liqo/sharing/expected-sharing.ts';
import { lowerOffloading, lowerSharing } from '../liqo/sharing/lower-sharing.ts';
import { prometheusRule } from '../monitoring/prometheus-rule.ts';
import { gatewaySnippet, nodeSnippet } from '../nftables/render-snippets.ts';
import type { BundleFile } from './bundle.ts';
import { printYaml, printYamlDocuments } from './print-yaml.ts';

/**
 * Everything in `out/<cluster>/`. A retired cluster keeps an empty kustomization, so that its GitOps tool prunes the
 * rest.
 */
export function* emitCluster(cluster: AddressedCluster, model: BoundedModel): Iterable<BundleFile> {
  const { name, retired } = cluster;
  const header = printHeader(model.fleet.topologyFile);
  const templates = retired ? [] : gatewayTemplates(cluster, templateAnnotations);
  const shortcuts = retired ? [] : lowerShortcutConnections(cluster, model);
  const { partners, offloads } = sharingOf(model, name);
  yield* clusterKustomizations(cluster, model.fleet, {
    templates: templates.map((it) => it.name),
    shortcuts: shortcuts.map((it) => it.manifest.metadata.name),
    partners: partners.map((it) => it.cluster.name),
    offloaded: offloads.map((it) => it.namespace),
    bounded: retired ? [] : boundedNamespaces(model, name).map((it) => it.name),
    probers: hasProber(cluster, model) ? [PROBER_NAME] : [],
    // A retired cluster has no peer: with an empty kustomization, a GitOps tool prunes its alerts.
    watched: cluster.monitoring === null ? null : [...cluster.peers.keys()],
  });
  if (retired) return;
  for (const it of templates) {
    yield { path: { part: 'gateway-templates', cluster: name, name: it.name }, text: header + it.text };
  }
  for (const { manifest } of shortcuts) {
    const text = header + printYaml(annotate(manifest, shortcutAnnotations));
    yield { path: { part: 'shortcuts', cluster: name, name: manifest.metadata.name }, text };
  }
  for (const peer of cluster.peers.values()) yield* peerFiles(cluster, peer, model);
  yield* emitSharing(cluster, model);
  yield* proberFile(cluster, model);
  yield* policyFiles(cluster, model);
  yield* alertFiles(cluster, model.fleet);
  for (const [file, manifests] of expectedManifests(cluster, model)) {
    if (manifests.length === 0) continue;
    const remark = file === 'foreignclusterconnections' ? SHORTCUT_STATUS : '';
    yield { path: { part: 'expected', cluster: name, file }, text: header + remark + printYamlDocuments(manifests) };
  }
  yield { path: { part: 'helm-values', cluster: name }, text: header + printYaml(helmValues(cluster)) };
}

/** Two revisions of the operator write different statuses. Source: Gabbe64/foreign_cluster_connector@5fa34ef. */
const SHORTCUT_STATUS = `# podCIDR is the view that this hub has of the other end, as the fork needs it and the operator of the fork writes it.
# The published operator (5fa34ef) writes the real pod CIDR there; remappedPodCIDR is the same with both.
`;

function* peerFiles(cluster: AddressedCluster, peer: Peer, model: BoundedModel): Iterable<BundleFile> {
  const { fleet } = model;
  const ends = { cluster: cluster.name, peer: peer.name };
  const header = printHeader(fleet.topologyFile);
  const fence = lowerFence(cluster, peer, model);
  const annotated = (it: Manifest): Manifest => annotate(withoutStatus(it), annotationsFor(peer, it.kind));
  const text =
    header +
    printYamlDocuments(lowerPeer(cluster, peer, fleet).map(annotated)) +
    (fence === undefined ? '' : `---\n${printFenceGuarantee(cluster, peer, model)}${printYaml(annotated(fence))}`);
  yield { path: { part: 'peer', ...ends, file: 'manifests' }, text };
  yield { path: { part: 'gateway-rules', ...ends }, text: gatewaySnippet(cluster, peer, fleet) };
  yield { path: { part: 'node-rules', ...ends }, text: nodeSnippet(cluster, peer, fleet) };
}

const hasProber = ({ retired }: AddressedCluster, { fleet }: BoundedModel): boolean => fleet.conformance && !retired;

function* proberFile(cluster: AddressedCluster, model: BoundedModel): Iterable<BundleFile> {
  if (!hasProber(cluster, model)) return;
  const manifests = lowerProber(cluster).map((it) => annotate(it, proberAnnotations));
  const path: BundlePath = { part: 'conformance', cluster: cluster.name, name: PROBER_NAME };
  yield { path, text: printHeader(model.fleet.topologyFile) + printYamlDocuments(manifests) };
}

function* policyFiles(cluster: AddressedCluster, model: BoundedModel): Iterable<BundleFile> {
  for (const it of boundedNamespaces(model, cluster.name)) {
    const policies = lowerPolicies(cluster, it, model).map((one) => annotate(one, policyAnnotations));
    const header = printHeader(model.fleet.topologyFile) + printPolicyGuarantee(cluster, it);
    const path: BundlePath = { part: 'boundaries', cluster: cluster.name, name: it.name };
    yield { path, text: header + printYamlDocuments(policies) };
  }
}

function* alertFiles(cluster: AddressedCluster, fleet: Fleet): Iterable<BundleFile> {
  const { monitoring } = cluster;
  if (monitoring === null) return;
  for (const peer of cluster.peers.values()) {
    const text = printHeader(fleet.topologyFile) + printYaml(prometheusRule(cluster, peer, monitoring));
    yield { path: { part: 'monitoring', cluster: cluster.name, name: peer.name }, text };
  }
}

/** Expected objects, for comparison with live ones. They are no resources, because Liqo writes them itself. */
function expectedManifests(
  cluster: AddressedCluster,
  model: BoundedModel,
): readonly (readonly [ExpectedFile, readonly Manifest[]])[] {
  // By name and not in apply order: the newest peers are the last ones in that order, so two branches that each add a
  // cluster would add lines at the same place.
  const peers = [...cluster.peers.values()].sort(by((it) => it.name));
  return [
    ['configurations', peers.map((it) => expectedConfiguration(cluster, it))],
    ['connections', model.fleet.emitConnections ? [] : peers.map((it) => lowerConnection(it))],
    ['foreignclusterconnections', lowerShortcutConnections(cluster, model).map((it) => it.expectedStatus)],
    ['networks', expectedNetworks(cluster)],
    ...expectedSharing(cluster, model),
  ];
}

/**
 * The manifest without its status. Kubernetes ignores an applied status, so GitOps tools would always report it as a
 * difference.
 */
function withoutStatus(manifest: Manifest): Manifest {
  if (manifest.status === undefined) return manifest;
  const { status: _, ...rest } = manifest;
  return rest as Manifest;
}

/** The files about lending, borrowing and offloading: one for each remote cluster, and one for each namespace. */
function* emitSharing(cluster: AddressedCluster, model: BoundedModel): Iterable<BundleFile> {
  const { partners, offloads } = sharingOf(model, cluster.name);
  const header = printHeader(model.fleet.topologyFile);
  const print = (manifests: readonly Manifest[], renewed: boolean): string =>
    printYamlDocuments(manifests.map((it) => annotate(it, sharingAnnotations({ kind: it.kind, renewed }))));
  for (const it of partners) {
    const { name } = it.cluster;
    const manifests = lowerSharing(cluster, it);
    const renewed = it.borrowed !== null && isRenewed(it.borrowed);
    const remark = renewed && manifests.some(({ kind }) => kind === 'Identity') ? RENEWED_IDENTITY : '';
    yield { path: { part: 'sharing', cluster: cluster.name, name }, text: header + remark + print(manifests, renewed) };
  }
  for (const it of offloads) {
    const path: BundlePath = { part: 'offloading', cluster: cluster.name, name: it.namespace };
    yield { path, text: header + print(lowerOffloading(it), false) };
  }
}

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller. */
const RENEWED_IDENTITY = `# Liqo renews the certificate in the Identity, so Argo CD and Flux create the Identity and never change it. If the answer of
# the provider changes in another way (an API server that moved, a new key), apply this file once with kubectl apply.
`;

/** The object with additional annotations. */
function annotate(manifest: Manifest, annotations: Readonly<Record<string, string>>): Manifest {
  const { annotations: own } = manifest.metadata;
  const all = sortedRecord(own === undefined ? annotations : { ...own, ...annotations });
  return { ...manifest, metadata: { ...manifest.metadata, annotations: all } };
}
