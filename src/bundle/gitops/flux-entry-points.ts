import type { BundlePath } from '../../base/core/bundle-path.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { FluxSettings } from '../../fleet/model/network-model.ts';
import { type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';
import { bundleFolder, type EntryPoint, type EntryPointManifest, objectName } from './entry-point.ts';
import { CONFIGURATION_HEALTH, GATEWAY_HEALTH } from './flux-health.ts';
import { type FluxSetting, fluxKustomization, givenDependencies, onceReady } from './flux-kustomization.ts';
import { sharingKustomizations } from './flux-sharing.ts';
import { kustomization } from './kustomization.ts';
import { hasOrderedLinks } from './sync-wave.ts';

/**
 * The objects that Flux needs to apply the bundles, below `_flux/`: the source, and a folder with the Kustomizations of
 * each cluster. A Flux in cluster rome applies only `source` and `clusters/rome`; otherwise it would apply every bundle
 * to rome. The top folder is for one Flux that applies to several clusters: it lists the source and every cluster with
 * a kubeconfig.
 */
export function fluxEntryPoints(model: SharedModel): readonly EntryPoint[] {
  const gitops = model.fleet.gitops;
  if (gitops === null || gitops.flux === null) return [];
  const setting = { model, gitops, flux: gitops.flux };
  const clusters = [...model.clusters.values()];
  const remote = clusters
    .filter((it) => it.gitops.kubeConfigSecret !== null)
    .map((it) => clusterFile(it, 'kustomization'));
  const sources = emitsSource(setting.flux) ? [SOURCE_LIST] : [];
  return [
    list(setting, { part: 'flux' }, [...sources, ...remote]),
    ...(emitsSource(setting.flux) ? sourceFolder(setting) : []),
    ...clusters.flatMap((it) => clusterFolder(setting, it)),
  ];
}

/**
 * True unless the source is the GitRepository that `flux bootstrap` creates and updates, which weft's would overwrite.
 */
const emitsSource = (flux: FluxSettings): boolean => flux.source !== 'flux-system';

const list = ({ model }: FluxSetting, path: BundlePath, lists: readonly BundlePath[]): EntryPoint =>
  kustomization({ path, topologyFile: model.fleet.topologyFile, lists });

const SOURCE_LIST: BundlePath = { part: 'flux-source', file: 'kustomization' };

function sourceFolder(setting: FluxSetting): readonly EntryPoint[] {
  const path: BundlePath = { part: 'flux-source', file: 'gitrepository' };
  return [list(setting, SOURCE_LIST, [path]), { kind: 'manifests', path, manifests: [gitRepository(setting)] }];
}

const clusterFile = ({ name }: AddressedCluster, file: 'manifests' | 'kustomization'): BundlePath => ({
  part: 'flux-cluster',
  cluster: name,
  file,
});

function clusterFolder(setting: FluxSetting, cluster: AddressedCluster): readonly EntryPoint[] {
  const path = clusterFile(cluster, 'manifests');
  return [
    list(setting, clusterFile(cluster, 'kustomization'), [path]),
    { kind: 'manifests', path, manifests: fluxKustomizations(setting, cluster) },
  ];
}

function gitRepository({ gitops, flux }: FluxSetting): EntryPointManifest {
  const folder = bundleFolder(gitops).join('/');
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: flux.source, namespace: flux.namespace },
    spec: {
      interval: '1m',
      url: urlForFlux(gitops.repository),
      ref: refOf(gitops.revision),
      // Requires source-controller 1.6; an older one ignores the field and checks out the whole repository.
      ...(folder === '' ? {} : { sparseCheckout: [folder] }),
    },
  };
}

/** The repository as a URL. Flux accepts only URLs, while git and Argo CD also accept `git@host:path`. */
function urlForFlux(repository: string): string {
  const [, account, path] = /^([^/:]+@[^/:]+):(?!\/\/)(.*)$/.exec(repository) ?? [];
  return account === undefined || path === undefined ? repository : `ssh://${account}/${path.replace(/^\//, '')}`;
}

/** The reference of a revision. Argo CD has one field for a branch, a tag or a commit; Flux has one for each. */
function refOf(revision: string): { readonly [kind: string]: string } {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision };
  if (revision.startsWith('refs/')) return { name: revision };
  return /^v?\d+\.\d+\.\d+([-+].*)?$/.test(revision) ? { tag: revision } : { branch: revision };
}

/**
 * One Kustomization for the whole cluster, or a chain when links need an order: first everything else, then one link
 * after the other. Sharing has Kustomizations of its own. A chain never includes other clusters: peers that depend on
 * each other would wait forever.
 */
function fluxKustomizations(setting: FluxSetting, cluster: AddressedCluster): readonly EntryPointManifest[] {
  const first = clusterKustomization(setting, cluster);
  const ordered = [...cluster.peers.values()].filter((it) => it.remapped);
  const names = [first.metadata.name, ...ordered.map((it) => linkName(setting, cluster, it))];
  const links = ordered.map((it, i) => linkKustomization(setting, cluster, it, names[i]));
  const byPeer = new Map(ordered.map((it, i) => [it.name, names[i + 1] ?? first.metadata.name]));
  return [first, ...links, ...sharingKustomizations(setting, cluster, { first: first.metadata.name, ordered: byPeer })];
}

const linkName = ({ model }: FluxSetting, cluster: AddressedCluster, peer: Peer): string =>
  objectName([model.fleet.name, cluster.name, peer.name]);

function clusterKustomization(setting: FluxSetting, cluster: AddressedCluster): EntryPointManifest {
  const { partners, offloads } = sharingOf(setting.model, cluster.name);
  const isFirstOfMany = hasOrderedLinks(cluster) || partners.length + offloads.length > 0;
  return fluxKustomization(setting, cluster, {
    name: objectName([setting.model.fleet.name, cluster.name]),
    applies: { part: 'unordered', cluster: cluster.name },
    dependsOn: givenDependencies(setting.flux),
    spec: {
      // Removing a cluster from Flux must not remove its tunnels; `retired` in the topology does that.
      deletionPolicy: 'Orphan',
      wait: true,
      // A chain continues when the addresses are assigned. Gateways without an expression are healthy at once, so a
      // gateway that waits for its keys does not delay the chain.
      healthCheckExprs: isFirstOfMany ? [CONFIGURATION_HEALTH] : [CONFIGURATION_HEALTH, ...GATEWAY_HEALTH],
    },
  });
}

/** One link of a chain. When the link is removed, its Kustomization is removed and its objects are pruned. */
function linkKustomization(
  setting: FluxSetting,
  cluster: AddressedCluster,
  peer: Peer,
  before: string | undefined,
): EntryPointManifest {
  const { apiVersion, kind } = CONFIGURATION_HEALTH;
  const { configuration, namespace } = ownEnd(peer).names;
  return fluxKustomization(setting, cluster, {
    name: linkName(setting, cluster, peer),
    applies: { part: 'peer', cluster: cluster.name, peer: peer.name, file: 'kustomization' },
    dependsOn: before === undefined ? [] : [onceReady(setting.flux, before)],
    spec: {
      healthChecks: [{ apiVersion, kind, name: configuration, namespace }],
      healthCheckExprs: [CONFIGURATION_HEALTH],
    },
  });
}
