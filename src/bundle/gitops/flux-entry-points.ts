import { type BundlePath, type ClusterPath, printBundleFolder, printBundlePath } from '../../base/core/bundle-path.ts';
import { type BoundedModel, boundedNamespaces } from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import type { FluxSettings, GitOps } from '../../fleet/model/network-model.ts';
import { sharingOf } from '../../fleet/sharing/shared-model.ts';
import { bundleFolder, type EntryPoint, type EntryPointManifest, objectName, repositoryPath } from './entry-point.ts';
import { CONFIGURATION_HEALTH, GATEWAY_HEALTH, OFFLOADING_HEALTH, SHARING_HEALTH } from './flux-health.ts';
import { kustomization } from './kustomization.ts';

/** The values that all Flux objects of one fleet share. */
interface FluxSetting {
  readonly model: BoundedModel;
  readonly gitops: GitOps;
  readonly flux: FluxSettings;
}

/**
 * The objects that Flux needs to apply the bundles, below `_flux/`: the source, and a folder with the Kustomizations of
 * each cluster. A Flux in cluster rome applies only `source` and `clusters/rome`; otherwise it would apply every bundle
 * to rome. The top folder is for one Flux that applies to several clusters: it lists the source and every cluster with
 * a kubeconfig. Beside the folder of each cluster is the Kustomization that applies it from git, and beside the folder
 * `clusters` the one that applies these. Yields them one by one, as a large fleet has three for each cluster.
 */
export function* fluxEntryPoints(model: BoundedModel): Iterable<EntryPoint> {
  const gitops = model.fleet.gitops;
  if (gitops === null || gitops.flux === null) return;
  const setting = { model, gitops, flux: gitops.flux };
  const clusters = [...model.clusters.values()];
  const remote = clusters.filter((it) => it.gitops.kubeConfigSecret !== null);
  const sources = emitsSource(setting.flux) ? [SOURCE_LIST] : [];
  yield list(setting, { part: 'flux' }, [...sources, ...remote.map((it) => clusterFile(it, 'kustomization'))]);
  if (emitsSource(setting.flux)) yield* sourceFolder(setting);
  yield list(
    setting,
    { part: 'flux-clusters', file: 'kustomization' },
    remote.map(({ name }) => ({ part: 'flux-cluster', cluster: name, file: 'applier' })),
  );
  yield applier(setting, objectName([model.fleet.name]), { part: 'flux-clusters', file: 'applier' });
  for (const it of clusters) yield* clusterFolder(setting, it);
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

const clusterFile = ({ name }: AddressedCluster, file: 'applier' | 'manifests' | 'kustomization'): BundlePath => ({
  part: 'flux-cluster',
  cluster: name,
  file,
});

function clusterFolder(setting: FluxSetting, cluster: AddressedCluster): readonly EntryPoint[] {
  const path = clusterFile(cluster, 'manifests');
  return [
    applier(setting, kustomizationName(setting, cluster, 'entry-points'), clusterFile(cluster, 'applier')),
    list(setting, clusterFile(cluster, 'kustomization'), [path]),
    { kind: 'manifests', path, manifests: fluxKustomizations(setting, cluster) },
  ];
}

/**
 * The Kustomization that applies the folder beside its file, the path without `.yaml`, whenever it changes. A removed
 * link's Kustomization is pruned, and its objects with it. A cluster that is removed, or moves to a Flux of its own, is
 * not: without its folder nothing is applied, and when its Kustomization is pruned, everything that it has applied
 * stays. Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`finalize`).
 */
function applier({ gitops, flux }: FluxSetting, name: string, path: BundlePath): EntryPoint {
  const folder = printBundlePath(path).replace(/\.yaml$/, '');
  const spec = { ...APPLYING, path: `./${repositoryPath(gitops, folder)}`, prune: true, deletionPolicy: 'Orphan' };
  const manifest: EntryPointManifest = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: flux.namespace },
    spec: { ...spec, sourceRef: { kind: 'GitRepository', name: flux.source } },
  };
  return { kind: 'manifests', path, manifests: [manifest] };
}

/**
 * The intervals of every Kustomization. The default of `retryInterval` is the interval: a Configuration that takes
 * longer than the timeout would delay the chain by ten minutes.
 */
const APPLYING = { interval: '10m', retryInterval: '1m', timeout: '5m' };

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
 *
 * A cluster has one chain and not one for each group of links that contend. Whatever its length, a network is moved to
 * the place where the last ones were put, so nearly every ordered link contends with every other: with networks of equal
 * length no link can leave the chain, and with mixed ones about one of forty. To prove it for a link, all orders must be
 * tried, which is possible only for chains that are short anyway.
 */
function fluxKustomizations(setting: FluxSetting, cluster: AddressedCluster): readonly EntryPointManifest[] {
  const first = clusterKustomization(setting, cluster);
  const ordered = [...cluster.peers.values()].filter((it) => it.remapped);
  const names = new Map(ordered.map((it) => [it.name, linkName(setting, cluster, it)]));
  const links = ordered.map((it, i) => {
    const before = names.get(ordered[i - 1]?.name ?? '');
    return linkKustomization(setting, cluster, it, afterFirst(setting.flux, first, before));
  });
  const { partners, offloads } = sharingOf(setting.model, cluster.name);
  const lastPartner = ordered.findLast((it) => partners.some(({ cluster }) => cluster.name === it.name));
  const loans = afterFirst(setting.flux, first, names.get(lastPartner?.name ?? ''));
  return [
    first,
    ...links,
    ...(partners.length > 0 ? [loansKustomization(setting, cluster, loans)] : []),
    ...(offloads.length > 0 ? [offloadingKustomization(setting, cluster)] : []),
    ...(setting.model.fleet.conformance && !cluster.retired
      ? [separateKustomization(setting, cluster, 'conformance')]
      : []),
    ...(boundedNamespaces(setting.model, cluster.name).length > 0
      ? [separateKustomization(setting, cluster, 'boundaries')]
      : []),
  ];
}

/** The Kustomization with the objects that need no order, and another one of the cluster after it. */
const afterFirst = (flux: FluxSettings, first: EntryPointManifest, other: string | undefined): readonly Dependency[] =>
  [first.metadata.name, ...(other === undefined ? [] : [other])].map((it) => onceReady(flux, it));

const linkName = ({ model }: FluxSetting, cluster: AddressedCluster, peer: Peer): string =>
  objectName([model.fleet.name, cluster.name, peer.name]);

function clusterKustomization(setting: FluxSetting, cluster: AddressedCluster): EntryPointManifest {
  const { partners, offloads } = sharingOf(setting.model, cluster.name);
  const free = [...cluster.peers.values()].filter((it) => !it.remapped);
  const isFirstOfMany = free.length < cluster.peers.size || partners.length + offloads.length > 0;
  return fluxKustomization(setting, cluster, {
    name: objectName([setting.model.fleet.name, cluster.name]),
    applies: { part: 'unordered', cluster: cluster.name },
    dependsOn: givenDependencies(setting.flux),
    spec: {
      // Removing a cluster from Flux must not remove its tunnels; `retired` in the topology does that.
      deletionPolicy: 'Orphan',
      // With `wait`, Flux checks what it has just applied, and not the list: a commit that removes a link may be applied
      // before this list is, and Flux would wait for the removed Configuration until the timeout. The list is there because
      // it changes the generation of the Kustomization with each link, and only where others wait for this one.
      wait: true,
      ...(isFirstOfMany && free.length > 0 && { healthChecks: free.map(configurationOf) }),
      // A chain continues when the addresses are assigned: a gateway that waits for its keys does not delay it.
      healthCheckExprs: [CONFIGURATION_HEALTH, ...(isFirstOfMany ? [] : GATEWAY_HEALTH)],
    },
  });
}

/** One link of a chain. When the link is removed, its Kustomization is removed and its objects are pruned. */
function linkKustomization(
  setting: FluxSetting,
  cluster: AddressedCluster,
  peer: Peer,
  dependsOn: readonly Dependency[],
): EntryPointManifest {
  return fluxKustomization(setting, cluster, {
    name: linkName(setting, cluster, peer),
    applies: { part: 'peer', cluster: cluster.name, peer: peer.name, file: 'kustomization' },
    dependsOn,
    spec: { healthChecks: [configurationOf(peer)], healthCheckExprs: [CONFIGURATION_HEALTH] },
  });
}

function configurationOf(peer: Peer): EntryPointManifest['spec'] {
  const { apiVersion, kind } = CONFIGURATION_HEALTH;
  const { configuration, namespace } = ownEnd(peer).names;
  return { apiVersion, kind, name: configuration, namespace };
}

/**
 * The name of a sharing Kustomization. It has four parts, so it is unique: a cluster may have the name `sharing`, and
 * the link to it has a name of three parts.
 */
const kustomizationName = ({ model }: FluxSetting, { name }: AddressedCluster, folder: string): string =>
  objectName([model.fleet.name, name, 'folder', folder]);

/** Timeout of health checks: while one waits, older versions of Flux apply no later commit. */
const TIMEOUT = '2m';

/**
 * The Kustomization of loans. It is separate from the links, like that of offloaded namespaces: Flux applies nothing of a
 * Kustomization when one of its objects is refused, and objects that wait for another cluster would keep a Kustomization
 * from being ready for days. No other Kustomization depends on either. It is applied after the Configurations of all
 * partners, because a virtual kubelet reads its network and the status of its Configuration once, when it starts.
 * Namespaces of tenants are applied with the links, too. Source: fluxcd/pkg ssa/manager_apply.go (ApplyAllStaged),
 * liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go.
 */
function loansKustomization(
  setting: FluxSetting,
  cluster: AddressedCluster,
  dependsOn: readonly Dependency[],
): EntryPointManifest {
  return fluxKustomization(setting, cluster, {
    name: kustomizationName(setting, cluster, 'sharing'),
    applies: { part: 'sharing', cluster: cluster.name, name: 'kustomization' },
    dependsOn,
    spec: { timeout: TIMEOUT, wait: true, healthCheckExprs: SHARING_HEALTH },
  });
}

/**
 * The Kustomization of offloaded namespaces. It waits for no provider: Liqo offloads a namespace to each new provider,
 * and only pods that are created afterwards are sent to it.
 */
function offloadingKustomization(setting: FluxSetting, cluster: AddressedCluster): EntryPointManifest {
  return fluxKustomization(setting, cluster, {
    name: kustomizationName(setting, cluster, 'offloading'),
    applies: { part: 'offloading', cluster: cluster.name, name: 'kustomization' },
    dependsOn: givenDependencies(setting.flux),
    spec: { timeout: TIMEOUT, wait: true, healthCheckExprs: OFFLOADING_HEALTH },
  });
}

/**
 * The Kustomization of the prober, or of the policies. It is separate and nothing waits for it, so the network depends neither on
 * an image that cannot be pulled nor on a namespace that is missing, in which case Flux applies nothing of a Kustomization. Flux
 * itself knows when a Deployment is healthy. With the key it is removed, and so are its objects.
 */
const separateKustomization = (
  setting: FluxSetting,
  cluster: AddressedCluster,
  part: 'conformance' | 'boundaries',
): EntryPointManifest =>
  fluxKustomization(setting, cluster, {
    name: kustomizationName(setting, cluster, part),
    applies: { part, cluster: cluster.name, name: 'kustomization' },
    dependsOn: givenDependencies(setting.flux),
    spec: { timeout: TIMEOUT, wait: true },
  });

type Dependency = { readonly name: string; readonly readyExpr?: string };

const hasReady = (kustomization: 'dep' | 'self', status: 'True' | 'False'): string =>
  `${kustomization}.status.conditions.exists(it, it.type == 'Ready' && it.status == '${status}')`;

/**
 * The expression for a dependency that is healthy now, at any commit. Flux itself requires readiness at the commit that
 * is being applied. Then each commit, whatever it changes, would pass through the whole chain.
 *
 * A dependency that was ready with an older list of Configurations is not: its new ones have no addresses yet. At a new
 * commit all Kustomizations are reconciled at once, so a healthy dependency may be `Unknown`, or its new list not
 * observed. It is also `Unknown` while its Configuration is created again after an outage, when dependents must continue
 * to wait. The state of the dependent Kustomization distinguishes the two: after an outage it is not ready, either, and a
 * new one has never been.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`checkDependencies`; `reconcile`
 * sets Ready to Unknown before it applies anything, and lastAppliedRevision after the health checks; `finalizeStatus` sets
 * observedGeneration only when Ready is true).
 */
const READY_EXPR =
  `has(dep.status.lastAppliedRevision) && has(dep.status.conditions) && (` +
  `(${hasReady('dep', 'True')} && dep.status.observedGeneration == dep.metadata.generation) || ` +
  `(!${hasReady('dep', 'False')} && has(self.status.conditions) && ${hasReady('self', 'True')}))`;

const onceReady = (flux: FluxSettings, name: string): Dependency =>
  flux.evaluatesReadyExpr ? { name, readyExpr: READY_EXPR } : { name };

/** The dependencies that the topology lists for every cluster, usually Liqo itself. */
const givenDependencies = (flux: FluxSettings): readonly Dependency[] => flux.dependsOn.map((name) => ({ name }));

interface KustomizationStep {
  readonly name: string;
  /** The kustomization.yaml in the folder that it applies. */
  readonly applies: ClusterPath;
  /** Kustomizations in the same namespace. */
  readonly dependsOn: readonly Dependency[];
  readonly spec: EntryPointManifest['spec'];
}

/** One Kustomization of Flux for a folder of a cluster's bundle. */
function fluxKustomization(
  { gitops, flux }: FluxSetting,
  cluster: AddressedCluster,
  step: KustomizationStep,
): EntryPointManifest {
  const { kubeConfigSecret } = cluster.gitops;
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: step.name, namespace: flux.namespace },
    spec: {
      ...APPLYING,
      path: `./${repositoryPath(gitops, printBundleFolder(step.applies))}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: flux.source },
      ...(step.dependsOn.length === 0 ? {} : { dependsOn: step.dependsOn }),
      ...(kubeConfigSecret === null ? {} : { kubeConfig: { secretRef: { name: kubeConfigSecret } } }),
      ...step.spec,
    },
  };
}
