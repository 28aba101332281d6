import { type BundlePath, type ClusterPath, printBundleFolder } from '../core/bundle-path.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../ipam/addressed-model.ts';
import type { FluxSettings, GitOps } from '../model/network-model.ts';
import { tenantNamespace } from '../releases/tenant-namespace.ts';
import type { EntryPoint, EntryPointManifest } from './entry-point.ts';
import { CONFIGURATION_HEALTH, GATEWAY_HEALTH } from './flux-health.ts';
import { kustomization } from './kustomization.ts';
import { isChained } from './kustomizations.ts';
import { objectName } from './object-name.ts';
import { bundleFolder, repositoryPath } from './repository-path.ts';

/** Everything that one fleet's Flux objects have in common. */
interface Setting {
  readonly model: AddressedModel;
  readonly gitops: GitOps;
  readonly flux: FluxSettings;
}

/**
 * What Flux needs to apply the bundles, below `_flux/`: the source, and a folder with the Kustomizations of each cluster.
 * A Flux that runs in rome takes `source` and `clusters/rome`, and nobody else's, or rome would get the bundles of all.
 * The top folder is for one Flux that serves several clusters: it has the source and every cluster with a kubeconfig.
 */
export function fluxEntryPoints(model: AddressedModel): readonly EntryPoint[] {
  const gitops = model.fleet.gitops;
  if (gitops === null || gitops.flux === null) return [];
  const setting = { model, gitops, flux: gitops.flux };
  const clusters = [...model.clusters.values()];
  const remote = clusters
    .filter((it) => it.gitops.kubeConfigSecret !== null)
    .map((it) => clusterFile(it, 'kustomization'));
  const sources = makesSource(setting.flux) ? [SOURCE_LIST] : [];
  return [
    list(setting, { part: 'flux' }, [...sources, ...remote]),
    ...(makesSource(setting.flux) ? sourceFolder(setting) : []),
    ...clusters.flatMap((it) => clusterFolder(setting, it)),
  ];
}

/** `flux bootstrap` makes a GitRepository of this name and keeps it as it wants; ours beside it would undo that. */
const makesSource = (flux: FluxSettings): boolean => flux.source !== 'flux-system';

const list = ({ model }: Setting, path: BundlePath, lists: readonly BundlePath[]): EntryPoint =>
  kustomization({ path, topologyFile: model.fleet.topologyFile, lists });

const SOURCE_LIST: BundlePath = { part: 'flux-source', file: 'kustomization' };

function sourceFolder(setting: Setting): readonly EntryPoint[] {
  const path: BundlePath = { part: 'flux-source', file: 'gitrepository' };
  return [list(setting, SOURCE_LIST, [path]), { kind: 'manifests', path, manifests: [gitRepository(setting)] }];
}

const clusterFile = ({ name }: AddressedCluster, file: 'manifests' | 'kustomization'): BundlePath => ({
  part: 'flux-cluster',
  cluster: name,
  file,
});

function clusterFolder(setting: Setting, cluster: AddressedCluster): readonly EntryPoint[] {
  const path = clusterFile(cluster, 'manifests');
  return [
    list(setting, clusterFile(cluster, 'kustomization'), [path]),
    { kind: 'manifests', path, manifests: fluxKustomizations(setting, cluster) },
  ];
}

function gitRepository({ gitops, flux }: Setting): EntryPointManifest {
  const folder = bundleFolder(gitops).join('/');
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: flux.source, namespace: flux.namespace },
    spec: {
      interval: '1m',
      url: urlForFlux(gitops.repository),
      ref: refOf(gitops.revision),
      // Needs source-controller 1.6; an older one drops the field and checks out the whole repository.
      ...(folder === '' ? {} : { sparseCheckout: [folder] }),
    },
  };
}

/** Flux takes URLs only, where git and Argo CD also take `git@host:path`. */
function urlForFlux(repository: string): string {
  const [, account, path] = /^([^/:]+@[^/:]+):(?!\/\/)(.*)$/.exec(repository) ?? [];
  return account === undefined || path === undefined ? repository : `ssh://${account}/${path.replace(/^\//, '')}`;
}

/** Argo CD takes a branch, a tag or a commit in one field; Flux wants to know which. */
function refOf(revision: string): { readonly [kind: string]: string } {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision };
  if (revision.startsWith('refs/')) return { name: revision };
  return /^v?\d+\.\d+\.\d+([-+].*)?$/.test(revision) ? { tag: revision } : { branch: revision };
}

/**
 * One Kustomization for all of the cluster, or where links need an order a chain: first everything else, then one link
 * after the other. The chain stays inside the cluster: peers that waited for each other would wait forever.
 */
function fluxKustomizations(setting: Setting, cluster: AddressedCluster): readonly EntryPointManifest[] {
  const first = clusterKustomization(setting, cluster);
  if (!isChained(cluster, setting.model.fleet)) return [first];
  const ordered = [...cluster.peers.values()].filter((it) => it.orderDependent);
  const names = [first.metadata.name, ...ordered.map((it) => linkName(setting, cluster, it))];
  const links = ordered.map((it, i) => linkKustomization(setting, cluster, it, names.slice(i, i + 1)));
  return [first, ...links];
}

const linkName = ({ model }: Setting, cluster: AddressedCluster, peer: Peer): string =>
  objectName([model.fleet.name, cluster.name, peer.name]);

function clusterKustomization(setting: Setting, cluster: AddressedCluster): EntryPointManifest {
  const chained = isChained(cluster, setting.model.fleet);
  return fluxKustomization(setting, cluster, {
    name: objectName([setting.model.fleet.name, cluster.name]),
    applies: { part: chained ? 'unordered' : 'kustomization', cluster: cluster.name },
    dependsOn: setting.flux.dependsOn,
    spec: {
      // To take a cluster out of Flux must not take its tunnels down; `retired` in the topology does that.
      deletionPolicy: 'Orphan',
      wait: true,
      // A chain goes on when the addresses are decided. Without an expression gateways count as healthy at once, so one
      // that waits for its keys holds nothing up.
      healthCheckExprs: chained ? [CONFIGURATION_HEALTH] : [CONFIGURATION_HEALTH, ...GATEWAY_HEALTH],
    },
  });
}

/** One link of a chain. When the link goes, its Kustomization goes, and takes the objects along. */
function linkKustomization(
  setting: Setting,
  cluster: AddressedCluster,
  peer: Peer,
  dependsOn: readonly string[],
): EntryPointManifest {
  const { apiVersion, kind } = CONFIGURATION_HEALTH;
  return fluxKustomization(setting, cluster, {
    name: linkName(setting, cluster, peer),
    applies: { part: 'peer', cluster: cluster.name, peer: peer.name, file: 'kustomization' },
    dependsOn,
    spec: {
      healthChecks: [{ apiVersion, kind, name: peer.name, namespace: tenantNamespace(peer.name) }],
      healthCheckExprs: [CONFIGURATION_HEALTH],
    },
  });
}

interface KustomizationStep {
  readonly name: string;
  /** The kustomization.yaml whose folder it applies. */
  readonly applies: ClusterPath;
  /** Names of Kustomizations in the same namespace. */
  readonly dependsOn: readonly string[];
  readonly spec: EntryPointManifest['spec'];
}

function fluxKustomization(
  { gitops, flux }: Setting,
  cluster: AddressedCluster,
  step: KustomizationStep,
): EntryPointManifest {
  const { kubeConfigSecret } = cluster.gitops;
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: step.name, namespace: flux.namespace },
    spec: {
      interval: '10m',
      // Left out it would be the interval: a Configuration that needs longer than the timeout would cost ten minutes.
      retryInterval: '1m',
      timeout: '5m',
      path: `./${repositoryPath(gitops, printBundleFolder(step.applies))}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: flux.source },
      ...(step.dependsOn.length === 0 ? {} : { dependsOn: step.dependsOn.map((name) => ({ name })) }),
      ...(kubeConfigSecret === null ? {} : { kubeConfig: { secretRef: { name: kubeConfigSecret } } }),
      ...step.spec,
    },
  };
}
