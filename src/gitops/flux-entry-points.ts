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

/** The values that all Flux objects of one fleet share. */
interface Setting {
  readonly model: AddressedModel;
  readonly gitops: GitOps;
  readonly flux: FluxSettings;
}

/**
 * The objects that Flux needs to apply the bundles, below `_flux/`: the source, and a folder with the Kustomizations of
 * each cluster. A Flux in cluster rome applies `source` and `clusters/rome` only, or it would apply every bundle to
 * rome. The top folder is for one Flux that applies to several clusters: it has the source and every cluster with a
 * kubeconfig.
 */
export function fluxEntryPoints(model: AddressedModel): readonly EntryPoint[] {
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

/** `flux bootstrap` creates and updates a GitRepository of this name; ours would overwrite it. */
const emitsSource = (flux: FluxSettings): boolean => flux.source !== 'flux-system';

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
      // Requires source-controller 1.6; an older one ignores the field and checks out the whole repository.
      ...(folder === '' ? {} : { sparseCheckout: [folder] }),
    },
  };
}

/** Flux accepts URLs only, where git and Argo CD also accept `git@host:path`. */
function urlForFlux(repository: string): string {
  const [, account, path] = /^([^/:]+@[^/:]+):(?!\/\/)(.*)$/.exec(repository) ?? [];
  return account === undefined || path === undefined ? repository : `ssh://${account}/${path.replace(/^\//, '')}`;
}

/** Argo CD has one field for a branch, a tag or a commit; Flux has a field for each. */
function refOf(revision: string): { readonly [kind: string]: string } {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision };
  if (revision.startsWith('refs/')) return { name: revision };
  return /^v?\d+\.\d+\.\d+([-+].*)?$/.test(revision) ? { tag: revision } : { branch: revision };
}

/**
 * One Kustomization for the whole cluster, or a chain where links need an order: first everything else, then one link
 * after the other. A chain never includes other clusters: peers that depend on each other would wait forever.
 */
function fluxKustomizations(setting: Setting, cluster: AddressedCluster): readonly EntryPointManifest[] {
  const first = clusterKustomization(setting, cluster);
  if (!isChained(cluster, setting.model.fleet)) return [first];
  const ordered = [...cluster.peers.values()].filter((it) => it.remapped);
  const names = [first.metadata.name, ...ordered.map((it) => linkName(setting, cluster, it))];
  const links = ordered.map((it, i) => linkKustomization(setting, cluster, it, names[i]));
  return [first, ...links];
}

const linkName = ({ model }: Setting, cluster: AddressedCluster, peer: Peer): string =>
  objectName([model.fleet.name, cluster.name, peer.name]);

function clusterKustomization(setting: Setting, cluster: AddressedCluster): EntryPointManifest {
  const chained = isChained(cluster, setting.model.fleet);
  return fluxKustomization(setting, cluster, {
    name: objectName([setting.model.fleet.name, cluster.name]),
    applies: { part: chained ? 'unordered' : 'kustomization', cluster: cluster.name },
    dependsOn: setting.flux.dependsOn.map((name) => ({ name })),
    spec: {
      // Removing a cluster from Flux must not remove its tunnels; `retired` in the topology does that.
      deletionPolicy: 'Orphan',
      wait: true,
      // A chain continues when the addresses are assigned. Without an expression gateways count as healthy at once, so
      // a gateway that waits for its keys does not delay the chain.
      healthCheckExprs: chained ? [CONFIGURATION_HEALTH] : [CONFIGURATION_HEALTH, ...GATEWAY_HEALTH],
    },
  });
}

/** One link of a chain. When the link is removed, its Kustomization is removed and its objects are pruned. */
function linkKustomization(
  setting: Setting,
  cluster: AddressedCluster,
  peer: Peer,
  before: string | undefined,
): EntryPointManifest {
  const { apiVersion, kind } = CONFIGURATION_HEALTH;
  return fluxKustomization(setting, cluster, {
    name: linkName(setting, cluster, peer),
    applies: { part: 'peer', cluster: cluster.name, peer: peer.name, file: 'kustomization' },
    dependsOn: before === undefined ? [] : [onceReady(setting.flux, before)],
    spec: {
      healthChecks: [{ apiVersion, kind, name: peer.name, namespace: tenantNamespace(peer.name) }],
      healthCheckExprs: [CONFIGURATION_HEALTH],
    },
  });
}

type Dependency = { readonly name: string; readonly readyExpr?: string };

/**
 * A dependency that has been applied and healthy once. Flux itself requires more: that the dependency is ready at the
 * commit that is being applied. Then each commit, whatever it changes, would walk through the whole chain, and a link
 * that is unhealthy later would hold up all the links after it.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`checkDependencies`; `reconcile`
 * sets lastAppliedRevision after the health checks).
 */
const onceReady = (flux: FluxSettings, name: string): Dependency =>
  flux.evaluatesReadyExpr ? { name, readyExpr: 'has(dep.status.lastAppliedRevision)' } : { name };

interface KustomizationStep {
  readonly name: string;
  /** The kustomization.yaml whose folder it applies. */
  readonly applies: ClusterPath;
  /** Kustomizations in the same namespace. */
  readonly dependsOn: readonly Dependency[];
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
      // Its default is the interval: a Configuration that takes longer than the timeout would delay the chain ten
      // minutes.
      retryInterval: '1m',
      timeout: '5m',
      path: `./${repositoryPath(gitops, printBundleFolder(step.applies))}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: flux.source },
      ...(step.dependsOn.length === 0 ? {} : { dependsOn: step.dependsOn }),
      ...(kubeConfigSecret === null ? {} : { kubeConfig: { secretRef: { name: kubeConfigSecret } } }),
      ...step.spec,
    },
  };
}
