import { type ArgoFile, type BundlePath, printBundleFolder } from '../../base/core/bundle-path.ts';
import { sortedUnique } from '../../base/core/collections.ts';
import { printHeader } from '../../base/core/generated-files.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../base/releases/labels.ts';
import { render } from '../../base/text/render.ts';
import { type BoundedModel, boundedNamespaces, isFenced } from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, ownEnd } from '../../fleet/ipam/addressed-model.ts';
import type { ArgoSettings, Fleet, GitOps } from '../../fleet/model/network-model.ts';
import { isRenewed, namespaceOfConsumer, type Share, sharingOf } from '../../fleet/sharing/shared-model.ts';
import { PROBER_NAMESPACE } from '../conformance/prober-names.ts';
import {
  bundleFolder,
  type EntryPoint,
  type EntryPointField,
  type EntryPointManifest,
  objectName,
  repositoryPath,
} from './entry-point.ts';
import { kustomization } from './kustomization.ts';

/**
 * The objects that Argo CD needs to apply the bundles, below `_argocd/`: a project, an ApplicationSet and health
 * checks.
 */
export function argoEntryPoints(model: BoundedModel): readonly EntryPoint[] {
  const gitops = model.fleet.gitops;
  if (gitops === null || gitops.argo === null) return [];
  const setting = { model, gitops, argo: gitops.argo };
  const manifests: readonly EntryPoint[] = [
    { kind: 'manifests', path: argoFile('applicationset'), manifests: [applicationSet(setting)] },
    ...(emitsProject(setting.argo) ? [projectFile(setting)] : []),
  ];
  return [
    ...manifests,
    { kind: 'manifests', path: argoFile('application'), manifests: [entryPointsApplication(setting)] },
    { kind: 'text', path: argoFile('argocd-cm-patch'), text: argoHealthChecks(model.fleet, setting.argo) },
    kustomization({
      path: argoFile('kustomization'),
      topologyFile: model.fleet.topologyFile,
      lists: manifests.map((it) => it.path),
    }),
  ];
}

const argoFile = (file: ArgoFile): BundlePath => ({ part: 'argocd', file });

/**
 * True unless the project is `default`, which every Argo CD has: replacing it would remove permissions from all other
 * applications.
 */
const emitsProject = (argo: ArgoSettings): boolean => argo.project !== 'default';

const projectFile = (setting: ArgoSetting): EntryPoint => ({
  kind: 'manifests',
  path: argoFile('appproject'),
  manifests: [appProject(setting)],
});

/**
 * The Application that applies the entry points from git whenever they change. It is not among them: an operator applies
 * it and decides where they come from, and no commit changes that. It prunes nothing, because the Applications belong to
 * the ApplicationSet. It creates the project, so it cannot be in it. Source: argoproj/argo-cd
 * docs/operator-manual/cluster-bootstrapping.md.
 */
const entryPointsApplication = ({ model, gitops, argo }: ArgoSetting): EntryPointManifest => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: objectName([model.fleet.name]),
    namespace: argo.namespace,
    annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' },
  },
  spec: {
    project: 'default',
    source: {
      repoURL: gitops.repository,
      targetRevision: gitops.revision,
      path: repositoryPath(gitops, printBundleFolder(argoFile('application'))),
    },
    destination: { server: 'https://kubernetes.default.svc', namespace: argo.namespace },
    syncPolicy: {
      automated: { prune: false, selfHeal: true },
      syncOptions: ['ServerSideApply=true'],
      retry: RETRY,
    },
  },
});

/** With `refresh` a retry uses the newest commit; Argo CD before 3.2 ignores it. */
const RETRY = { limit: -1, refresh: true, backoff: { duration: '10s', factor: 2, maxDuration: '5m' } };

function applicationSet({ model, gitops, argo }: ArgoSetting): EntryPointManifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: objectName([model.fleet.name]), namespace: argo.namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      // When a folder is missing, Argo CD must not delete the Application, which would delete the cluster's tunnels.
      syncPolicy: { applicationsSync: 'create-update', preserveResourcesOnDeletion: true },
      // A person pauses an Application with it, before Liqo is installed again.
      preservedFields: { annotations: ['argocd.argoproj.io/skip-reconcile'] },
      generators: generatorsOf(gitops, [...model.clusters.values()]),
      template: applicationTemplate({ model, gitops, argo }),
      // The template itself can only set strings, and `allowEmpty` is a boolean.
      templatePatch: 'spec:\n  syncPolicy:\n    automated:\n      allowEmpty: {{.values.allowEmpty}}\n',
    },
  };
}

/** The values that every generator passes to the template, besides `path.path` and `path.basename`. */
interface ArgoValues {
  readonly [name: string]: string;
  /** Name of the cluster in Argo CD; empty when `server` is set. */
  readonly name: string;
  readonly server: string;
  readonly namespace: string;
  readonly allowEmpty: 'true' | 'false';
}

/** The values of a cluster when they all follow from the name of its folder. */
const FROM_FOLDER: ArgoValues = { name: '{{.path.basename}}', server: '', namespace: 'liqo', allowEmpty: 'false' };

/** The git generator finds most clusters by their folders; a list contains those with other values. */
function generatorsOf(gitops: GitOps, clusters: readonly AddressedCluster[]): readonly EntryPointField[] {
  const listed = clusters.filter((it) => !canUseFolders(gitops) || !followsFromFolder(it));
  return [
    ...(listed.length === clusters.length ? [] : [folderGenerator(gitops, listed)]),
    ...(listed.length === 0 ? [] : [{ list: { elements: listed.map((it) => listElement(gitops, it)) } }]),
  ];
}

/**
 * True when the folders identify the bundles: the root of a repository also contains other folders, and Argo CD reads
 * the path as a glob.
 */
function canUseFolders(gitops: GitOps): boolean {
  return bundleFolder(gitops).length > 0 && !/[*?[\\]/.test(gitops.path);
}

function followsFromFolder({ name, gitops, liqoNamespace, retired }: AddressedCluster): boolean {
  return !retired && gitops.name === name && gitops.server === null && liqoNamespace === FROM_FOLDER.namespace;
}

function folderGenerator(gitops: GitOps, listed: readonly AddressedCluster[]): EntryPointField {
  const excluded = ['_*', ...listed.map((it) => it.name)];
  return {
    git: {
      repoURL: gitops.repository,
      revision: gitops.revision,
      directories: [
        { path: repositoryPath(gitops, '*') },
        ...excluded.map((it) => ({ path: repositoryPath(gitops, it), exclude: true })),
      ],
      values: FROM_FOLDER,
    },
  };
}

/**
 * The element of one cluster. Argo CD refuses to delete all resources of an application unless `allowEmpty` is set. It
 * is set only for retired clusters, whose resources must be pruned; an empty bundle of any other cluster is a mistake.
 */
function listElement(gitops: GitOps, cluster: AddressedCluster): EntryPointField {
  const { name, server } = cluster.gitops;
  const values: ArgoValues = {
    // Argo CD refuses a destination with both.
    name: server === null ? name : '',
    server: server ?? '',
    namespace: cluster.liqoNamespace,
    allowEmpty: cluster.retired ? 'true' : 'false',
  };
  return { path: { path: repositoryPath(gitops, cluster.name), basename: cluster.name }, values };
}

function applicationTemplate({ model, gitops, argo }: ArgoSetting): EntryPointField {
  const ignored = ignoredDifferences(model);
  return {
    metadata: {
      name: `${objectName([model.fleet.name])}.{{.path.basename}}`,
      annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' },
    },
    spec: {
      // A constant and not a parameter: anyone who can write to the repository could choose a project with more
      // permissions.
      project: argo.project,
      source: { repoURL: gitops.repository, targetRevision: gitops.revision, path: '{{.path.path}}' },
      destination: { name: '{{.values.name}}', server: '{{.values.server}}', namespace: '{{.values.namespace}}' },
      ...(ignored.length === 0 ? {} : { ignoreDifferences: ignored }),
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: [
          'ServerSideApply=true',
          // Without a rule about the object it changes nothing. With one, Argo CD applies the live value, and so owns it, too.
          ...(ignored.length === 0 ? [] : ['RespectIgnoreDifferences=true']),
          // Never `ApplyOutOfSyncOnly=true`: a retry would no longer look at a Configuration that is in sync and has a wrong
          // address, and would go on with the next wave.
          // Source: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go (filterOutOfSyncTasks).
          'FailOnSharedResource=true',
          // The default waits in the foreground for what an object owns, and Liqo makes the Networks of a Configuration again as
          // long as that has not gone: the IPAM then keeps addresses of them, so a link that comes back gets others.
          // Source: liqotech/liqo@v1.2.0 .../external-network/configuration/configuration_controller.go (Reconcile).
          'PrunePropagationPolicy=background',
        ],
        retry: RETRY,
      },
    },
  };
}

/**
 * Fields in git that Liqo changes: the UID of a tunnel's gateway, and certificates that it renews. Fields that git lacks
 * (the local CIDRs of a Configuration, finalizers, a slice's certificate request, labels of an offloaded namespace) are
 * no difference with server-side apply, and stay.
 */
function ignoredDifferences({ fleet, shares }: BoundedModel): readonly EntryPointField[] {
  const jsonPointers = ['/metadata/ownerReferences', '/spec/gatewayRef/uid'];
  return [
    ...(fleet.emitConnections ? [{ group: 'networking.liqo.io', kind: 'Connection', jsonPointers }] : []),
    ...renewedIdentities(shares.filter((it) => it.auth === 'handshake')),
  ];
}

/**
 * Rules that ignore renewed certificates, which Argo CD would otherwise replace with the first ones. A certificate that
 * is not renewed must still be applied, so a fleet of several releases has a rule for each pair. One ApplicationSet
 * serves all clusters, so a pair is identified by fields that are equal in git and in the cluster; the name of an
 * Identity contains only the provider. Source: argoproj/argo-cd util/argo/normalizers/diff_normalizer.go (`del` of the
 * expression), controller/sync.go (normalizeTargetResources).
 */
function renewedIdentities(shares: readonly Share[]): readonly EntryPointField[] {
  const renewed = shares.filter(isRenewed);
  if (renewed.length === 0) return [];
  const identity = { group: 'authentication.liqo.io', kind: 'Identity' };
  if (renewed.length === shares.length) return [{ ...identity, jsonPointers: ['/spec/authParams'] }];
  return [{ ...identity, jqPathExpressions: renewed.map(pathOfCertificate) }];
}

const pathOfCertificate = (share: Share): string =>
  `select(.spec.clusterID == "${share.provider.name}" and .spec.namespace == "${namespaceOfConsumer(share)}") | .spec.authParams`;

/** Keys of `argocd-cm` end in group and kind. Source: argoproj/argo-cd docs/operator-manual/health.md. */
const CHECKS = [
  { object: 'authentication.liqo.io_Identity', script: 'gitops/health/identity.lua' },
  { object: 'authentication.liqo.io_ResourceSlice', script: 'gitops/health/resource-slice.lua' },
  { object: 'authentication.liqo.io_Tenant', script: 'gitops/health/tenant.lua' },
  { object: 'core.liqo.io_ForeignCluster', script: 'gitops/health/foreign-cluster.lua' },
  { object: 'ipam.liqo.io_Network', script: 'gitops/health/network.lua' },
  { object: 'networking.liqo.io_Configuration', script: 'gitops/health/configuration.lua' },
  { object: 'networking.liqo.io_Connection', script: 'gitops/health/connection.lua' },
  { object: 'networking.liqo.io_ForeignClusterConnection', script: 'gitops/health/foreign-cluster-connection.lua' },
  { object: 'networking.liqo.io_GatewayClient', script: 'gitops/health/gateway-client.lua' },
  { object: 'networking.liqo.io_GatewayServer', script: 'gitops/health/gateway-server.lua' },
  { object: 'offloading.liqo.io_NamespaceOffloading', script: 'gitops/health/namespace-offloading.lua' },
  { object: 'offloading.liqo.io_VirtualNode', script: 'gitops/health/virtual-node.lua' },
] as const;

/**
 * Updates that Argo CD ignores. A gateway updates the latency at each ping, which would refresh the application each
 * time.
 */
const IGNORED_UPDATES = {
  key: 'resource.customizations.ignoreResourceUpdates.networking.liqo.io_Connection',
  text: 'jsonPointers:\n- /status/latency\n',
};

/**
 * The patch with the health checks of Liqo's objects for Argo CD. The kustomization in the same folder does not list
 * it: applying a ConfigMap `argocd-cm` with only these keys can remove all other keys, while merging cannot.
 */
function argoHealthChecks(fleet: Fleet, argo: ArgoSettings): string {
  const checks = CHECKS.map((it) => ({
    key: `resource.customizations.health.${it.object}`,
    text: render(it.script, {}),
  }));
  return render('gitops/argocd-cm-patch', {
    header: printHeader(fleet.topologyFile),
    namespace: argo.namespace,
    data: [...checks, IGNORED_UPDATES].map((it) => `  ${it.key}: |\n${indented(it.text)}`).join('\n'),
  });
}

/** Lines of a block scalar below a key of `data`. */
function indented(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.map((it) => (it === '' ? '' : `    ${it}`)).join('\n');
}

/** The values that all Argo CD objects of one fleet share. */
interface ArgoSetting {
  readonly model: BoundedModel;
  readonly gitops: GitOps;
  readonly argo: ArgoSettings;
}

/** Restricts the Applications to one repository, to the namespaces of the bundles and to their kinds. */
function appProject({ model, gitops, argo }: ArgoSetting): EntryPointManifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: {
      name: argo.project,
      namespace: argo.namespace,
      // An ApplicationSet that does not find its project looks for it again only after three minutes.
      annotations: { 'argocd.argoproj.io/sync-wave': '-1' },
    },
    spec: {
      sourceRepos: [gitops.repository],
      destinations: [...model.clusters.values()].flatMap((it) => destinationsOf(it, model)),
      // Argo CD before 3.3 ignores the name here and allows every namespace.
      clusterResourceWhitelist: namespacesOfBundles(model).map((name) => ({ group: '', kind: 'Namespace', name })),
      namespaceResourceWhitelist: [
        ...kindsOf(model),
        ...sharedKinds(model),
        ...proberKinds(model),
        ...policyKinds(model),
      ],
    },
  };
}

const TENANT_NAMESPACES = `${TENANT_NAMESPACE_PREFIX}*`;

function destinationsOf(it: AddressedCluster, model: BoundedModel): readonly EntryPointField[] {
  const { name, gitops, liqoNamespace } = it;
  const cluster = { name: gitops.name, ...(gitops.server === null ? {} : { server: gitops.server }) };
  const offloaded = sharingOf(model, name).offloads.map((it) => it.namespace);
  const probers = model.fleet.conformance ? [PROBER_NAMESPACE] : [];
  const bounded = boundedNamespaces(model, name).map((it) => it.name);
  const own = [TENANT_NAMESPACES, ...otherTenantNamespaces(it), liqoNamespace, ...offloaded, ...probers, ...bounded];
  return [...new Set(own)].map((namespace) => ({ ...cluster, namespace }));
}

/** Tenant namespaces that the topology names itself, in order of name. */
const otherTenantNamespaces = ({ peers }: AddressedCluster): readonly string[] =>
  sortedUnique(
    [...peers.values()].map((it) => ownEnd(it).names.namespace).filter((it) => !it.startsWith(TENANT_NAMESPACE_PREFIX)),
  );

/**
 * The namespaces of all clusters: tenant namespaces, offloaded ones that weft creates, and that of the prober. The list
 * does not distinguish clusters. The prober's is allowed without a prober, too: Argo CD ignores an object that its project
 * does not allow, and would never prune the last one. Source: argoproj/argo-cd@v3.1.0 controller/state.go
 * (CompareAppState, IsLiveResourcePermitted).
 */
function namespacesOfBundles({ clusters, offloadings }: BoundedModel): readonly string[] {
  const created = offloadings.filter((it) => it.createNamespace).map((it) => it.namespace);
  const others = [...clusters.values()].flatMap(otherTenantNamespaces);
  return [TENANT_NAMESPACES, ...sortedUnique([...others, ...created, PROBER_NAMESPACE])];
}

/**
 * The kinds that a fleet may apply. Gateway templates are allowed even while there are none: the author of a topology
 * may lack the permission to change the project for the first one. Keys are usually in a SealedSecret or an
 * ExternalSecret.
 */
function kindsOf({ fleet, clusters }: BoundedModel): readonly EntryPointField[] {
  const hasFences = [...clusters.values()].some(isFenced);
  const networking = [
    'Configuration',
    ...(fleet.emitConnections ? ['Connection'] : []),
    ...(hasFences ? ['FirewallConfiguration'] : []),
    ...(fleet.shortcutOperator ? ['ForeignClusterConnection'] : []),
    'GatewayClient',
    'GatewayServer',
    'PublicKey',
    'WgGatewayClientTemplate',
    'WgGatewayServerTemplate',
  ];
  return [
    { group: 'bitnami.com', kind: 'SealedSecret' },
    { group: 'external-secrets.io', kind: 'ExternalSecret' },
    ...networking.map((kind) => ({ group: 'networking.liqo.io', kind })),
  ];
}

/**
 * The kinds that the fleet's sharing uses. Others are left out, because a Secret or a RoleBinding that anyone who can
 * write to the repository may apply is more than a network needs. A list of kinds also hides all others in the tree of
 * an Application, so it contains the objects that Liqo creates from a slice. Source: argoproj/argo-cd
 * docs/user-guide/projects.md.
 */
function sharedKinds({ shares, offloadings }: BoundedModel): readonly EntryPointField[] {
  const handshake = shares.some((it) => it.auth === 'handshake');
  const credentials = shares.some((it) => it.auth === 'credentials');
  return [
    ...(shares.length > 0 ? ['Identity', 'ResourceSlice', 'Tenant'] : []).map(kindIn('authentication.liqo.io')),
    ...(shares.length > 0 ? ['VirtualNode'] : []).map(kindIn('offloading.liqo.io')),
    ...(offloadings.length > 0 ? ['NamespaceOffloading'] : []).map(kindIn('offloading.liqo.io')),
    ...(handshake ? ['Secret'] : []).map(kindIn('')),
    ...(credentials ? ['ServiceAccount'] : []).map(kindIn('')),
    ...(credentials ? ['RoleBinding'] : []).map(kindIn('rbac.authorization.k8s.io')),
  ];
}

/** The kinds of the prober, without those that sharing has already. */
function proberKinds({ fleet, shares }: BoundedModel): readonly EntryPointField[] {
  if (!fleet.conformance) return [];
  const hasAccounts = shares.some((it) => it.auth === 'credentials');
  return [
    { group: 'apps', kind: 'Deployment' },
    { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
    ...['Service', ...(hasAccounts ? [] : ['ServiceAccount'])].map(kindIn('')),
  ];
}

/** The kind of the policies, unless probers have it already. */
function policyKinds({ fleet, boundaries }: BoundedModel): readonly EntryPointField[] {
  const isListed = fleet.conformance || boundaries.namespaces.size === 0;
  return isListed ? [] : [{ group: 'networking.k8s.io', kind: 'NetworkPolicy' }];
}

const kindIn =
  (group: string) =>
  (kind: string): EntryPointField => ({ group, kind });
