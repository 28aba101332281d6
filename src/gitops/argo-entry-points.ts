import type { ArgoFile, BundlePath } from '../core/bundle-path.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import type { ArgoSettings, Fleet, GitOps } from '../model/network-model.ts';
import { TENANT_NAMESPACE_PREFIX } from '../releases/tenant-namespace.ts';
import { argoHealthChecks } from './argo-health-checks.ts';
import type { EntryPoint, EntryPointManifest, Field } from './entry-point.ts';
import { kustomization } from './kustomization.ts';
import { objectName } from './object-name.ts';
import { bundleFolder, repositoryPath } from './repository-path.ts';

/** Everything that one fleet's Argo CD objects have in common. */
interface Setting {
  readonly model: AddressedModel;
  readonly gitops: GitOps;
  readonly argo: ArgoSettings;
}

/** What Argo CD needs to apply the bundles, below `_argocd/`: a project, one Application a cluster, and health checks. */
export function argoEntryPoints(model: AddressedModel): readonly EntryPoint[] {
  const gitops = model.fleet.gitops;
  if (gitops === null || gitops.argo === null) return [];
  const setting = { model, gitops, argo: gitops.argo };
  const manifests: readonly EntryPoint[] = [
    { kind: 'manifests', path: argoFile('applicationset'), manifests: [applicationSet(setting)] },
    ...(makesProject(setting.argo) ? [projectFile(setting)] : []),
  ];
  return [
    ...manifests,
    { kind: 'text', path: argoFile('argocd-cm-patch'), text: argoHealthChecks(model.fleet, setting.argo) },
    kustomization({
      path: argoFile('kustomization'),
      topologyFile: model.fleet.topologyFile,
      lists: manifests.map((it) => it.path),
    }),
  ];
}

const argoFile = (file: ArgoFile): BundlePath => ({ part: 'argocd', file });

/** Every Argo CD has a project `default`; ours of that name would take its rights from everybody else's applications. */
const makesProject = (argo: ArgoSettings): boolean => argo.project !== 'default';

const projectFile = (setting: Setting): EntryPoint => ({
  kind: 'manifests',
  path: argoFile('appproject'),
  manifests: [appProject(setting)],
});

/** What the Applications may do: our kinds, in the namespaces we write to, from one repository. */
function appProject({ model, gitops, argo }: Setting): EntryPointManifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: argo.project, namespace: argo.namespace },
    spec: {
      sourceRepos: [gitops.repository],
      destinations: [...model.clusters.values()].flatMap(destinationsOf),
      // Argo CD before 3.3 knows no names here and allows every namespace.
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: TENANT_NAMESPACES }],
      namespaceResourceWhitelist: kindsOf(model.fleet),
    },
  };
}

const TENANT_NAMESPACES = `${TENANT_NAMESPACE_PREFIX}*`;

function destinationsOf({ gitops, liqoNamespace }: AddressedCluster): readonly Field[] {
  const cluster = { name: gitops.name, ...(gitops.server === null ? {} : { server: gitops.server }) };
  return [TENANT_NAMESPACES, liqoNamespace].map((namespace) => ({ ...cluster, namespace }));
}

/**
 * Gateway templates are allowed even while there are none: who may edit a topology need not be the admin who would have
 * to widen the project for the first one. SealedSecret and ExternalSecret are how keys usually come.
 */
function kindsOf(fleet: Fleet): readonly Field[] {
  const networking = [
    'Configuration',
    ...(fleet.emitConnections ? ['Connection'] : []),
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

function applicationSet({ model, gitops, argo }: Setting): EntryPointManifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: objectName([model.fleet.name]), namespace: argo.namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      // A folder that is missing for a moment, or for good, must not take a cluster's tunnels down with its Application.
      syncPolicy: { applicationsSync: 'create-update', preserveResourcesOnDeletion: true },
      generators: generatorsOf(gitops, [...model.clusters.values()]),
      template: applicationTemplate(model.fleet, gitops, argo),
      // The template itself cannot compute a boolean.
      templatePatch: 'spec:\n  syncPolicy:\n    automated:\n      allowEmpty: {{.values.allowEmpty}}\n',
    },
  };
}

/** What every generator tells the template about a cluster, besides `path.path` and `path.basename`. */
interface Values {
  readonly [name: string]: string;
  /** Name of the cluster in Argo CD, or nothing when the server is told. */
  readonly name: string;
  readonly server: string;
  readonly namespace: string;
  readonly allowEmpty: 'true' | 'false';
}

/** A cluster about which its folder tells everything. */
const ORDINARY: Values = { name: '{{.path.basename}}', server: '', namespace: 'liqo', allowEmpty: 'false' };

/** Folders tell most clusters, a list the ones with something that no folder can tell. */
function generatorsOf(gitops: GitOps, clusters: readonly AddressedCluster[]): readonly Field[] {
  const listed = clusters.filter((it) => !canComeFromFolders(gitops) || !isOrdinary(it));
  return [
    ...(listed.length === clusters.length ? [] : [folderGenerator(gitops, listed)]),
    ...(listed.length === 0 ? [] : [{ list: { elements: listed.map((it) => listElement(gitops, it)) } }]),
  ];
}

/** In the root of a repository other folders stand beside the bundles, and a folder's name is not to be read as a glob. */
function canComeFromFolders(gitops: GitOps): boolean {
  return bundleFolder(gitops).length > 0 && !/[*?[\\]/.test(gitops.path);
}

function isOrdinary({ name, gitops, liqoNamespace, retired }: AddressedCluster): boolean {
  return !retired && gitops.name === name && gitops.server === null && liqoNamespace === ORDINARY.namespace;
}

function folderGenerator(gitops: GitOps, listed: readonly AddressedCluster[]): Field {
  const excluded = ['_*', ...listed.map((it) => it.name)];
  return {
    git: {
      repoURL: gitops.repository,
      revision: gitops.revision,
      directories: [
        { path: repositoryPath(gitops, '*') },
        ...excluded.map((it) => ({ path: repositoryPath(gitops, it), exclude: true })),
      ],
      values: ORDINARY,
    },
  };
}

/**
 * Argo CD refuses to empty an application unless it is allowed to. Only retired clusters are: somebody said so in the
 * topology, and pruning is what retiring means. An empty bundle of any other cluster is somebody's mistake.
 */
function listElement(gitops: GitOps, cluster: AddressedCluster): Field {
  const { name, server } = cluster.gitops;
  const values: Values = {
    // Argo CD refuses a destination that has both.
    name: server === null ? name : '',
    server: server ?? '',
    namespace: cluster.liqoNamespace,
    allowEmpty: cluster.retired ? 'true' : 'false',
  };
  return { path: { path: repositoryPath(gitops, cluster.name), basename: cluster.name }, values };
}

function applicationTemplate(fleet: Fleet, gitops: GitOps, argo: ArgoSettings): Field {
  return {
    metadata: {
      name: `${objectName([fleet.name])}.{{.path.basename}}`,
      annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' },
    },
    spec: {
      // Never from a parameter: whoever can write to the repository could choose a project with more rights.
      project: argo.project,
      source: { repoURL: gitops.repository, targetRevision: gitops.revision, path: '{{.path.path}}' },
      destination: { name: '{{.values.name}}', server: '{{.values.server}}', namespace: '{{.values.namespace}}' },
      ignoreDifferences: ignoredDifferences(fleet),
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true', 'FailOnSharedResource=true'],
        // `refresh` makes a retry take the newest commit; Argo CD before 3.2 drops it.
        retry: { limit: -1, refresh: true, backoff: { duration: '10s', factor: 2, maxDuration: '5m' } },
      },
    },
  };
}

/** What Liqo writes into the spec of objects of ours: the local CIDRs, and the UID of the gateway behind a tunnel. */
function ignoredDifferences(fleet: Fleet): readonly Field[] {
  const group = 'networking.liqo.io';
  return [
    { group, kind: 'Configuration', jsonPointers: ['/spec/local'] },
    ...(fleet.emitConnections
      ? [{ group, kind: 'Connection', jsonPointers: ['/metadata/ownerReferences', '/spec/gatewayRef/uid'] }]
      : []),
  ];
}
