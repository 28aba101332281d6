import { sortedUnique } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, nodeAt, plainOf } from '../../../base/source/document-node.ts';
import type { ArgoSettings, ClusterDeclaration, GitOps } from '../../../fleet/topology/declaration.ts';
import type { Expectation, ExpectedCluster } from '../expectation.ts';
import { expectPolicies, hasFence } from '../expected/expect-boundaries.ts';
import { folderInRepository, nameParts } from '../gitops-steps.ts';
import { type KubeObject, nearestKey, textAt } from '../kube-object.ts';
import { type CheckContext, compareParts, forFolder, type Part } from './bundle-check.ts';
import { isRenewed } from './shared-objects.ts';

const CODE = 'verify/entry-point';

/**
 * The ApplicationSet creates one Application for each cluster, which applies its folder to that cluster; the project
 * allows the kinds of the bundles; and Argo CD has health checks for the objects that ordered links wait for.
 */
export const argoAppliesEveryCluster = forFolder('_argocd', function* (context) {
  const { gitops } = context.expected.declaration;
  if (!gitops?.argo) return;
  const [set] = context.bundle.objects.get('_argocd/applicationset.yaml') ?? [];
  const [project] = context.bundle.objects.get('_argocd/appproject.yaml') ?? [];
  const [patch] = context.bundle.objects.get('_argocd/argocd-cm-patch.yaml') ?? [];
  const [application] = context.bundle.objects.get('_argocd/application.yaml') ?? [];
  const setting = { context, gitops, argo: gitops.argo };
  if (application) yield* entryPointsApplication(application, setting);
  if (set) yield* applicationSet(set, setting);
  if (project) {
    const { repository, argo } = gitops;
    yield* argoProjectAllowsBundles(project, context.expected, { repository, argo });
  }
  if (patch) yield* healthChecks(patch, gitops.argo);
});

/**
 * Checks the Application that applies the entry points from git. If it pruned, a folder without the ApplicationSet would
 * remove every Application.
 */
function* entryPointsApplication({ node }: KubeObject, { context, gitops, argo }: ArgoSetting): Iterable<Diagnostic> {
  const source = {
    repoURL: gitops.repository,
    targetRevision: gitops.revision,
    path: folderInRepository(gitops, '_argocd'),
  };
  yield* compareParts({ code: CODE, what: 'the Application of the entry points', node }, [
    [['kind'], 'Application'],
    [['apiVersion'], 'argoproj.io/v1alpha1'],
    ...nameParts([context.expected.fleet], ['metadata', 'name']),
    [['metadata', 'namespace'], argo.namespace],
    [['metadata', 'annotations'], AS_IN_THE_CLUSTER],
    [['metadata', 'finalizers'], undefined],
    [['spec', 'project'], 'default'],
    [['spec', 'source'], source],
    [['spec', 'destination'], { server: 'https://kubernetes.default.svc', namespace: argo.namespace }],
    [
      ['spec', 'syncPolicy'],
      { automated: { prune: false, selfHeal: true }, syncOptions: ['ServerSideApply=true'], retry: RETRY },
    ],
  ]);
}

/** Argo CD compares what the API server would make of an object, with its defaults. */
const AS_IN_THE_CLUSTER: Part = { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' };

/** Ordered links may take long: a sync with limited retries would skip the later ones, and one without `refresh` retries an old commit. */
const RETRY: Part = { limit: -1, refresh: true, backoff: { duration: '10s', factor: 2, maxDuration: '5m' } };

interface ArgoSetting {
  readonly context: CheckContext;
  readonly gitops: GitOps;
  readonly argo: ArgoSettings;
}

const clustersOf = ({ context }: ArgoSetting): readonly ClusterDeclaration[] =>
  [...context.expected.clusters.values()].map((it) => it.declared);

const TEMPLATE = ['spec', 'template', 'spec'];

function* applicationSet({ node, at }: KubeObject, setting: ArgoSetting): Iterable<Diagnostic> {
  const { context, gitops, argo } = setting;
  const ignored = ignoredDifferences(context.expected);
  yield* compareParts({ code: CODE, what: 'the ApplicationSet', node }, [
    [['kind'], 'ApplicationSet'],
    [['apiVersion'], 'argoproj.io/v1alpha1'],
    ...nameParts([context.expected.fleet], ['metadata', 'name']),
    [['metadata', 'namespace'], argo.namespace],
    [['spec', 'goTemplate'], true],
    // A cluster whose folder is missing must not get an Application without a path.
    [['spec', 'goTemplateOptions'], ['missingkey=error']],
    ...nameParts([context.expected.fleet], ['spec', 'template', 'metadata', 'name']).map(
      ([path, name]) => [path, `${name}.{{.path.basename}}`] as const,
    ),
    [['spec', 'template', 'metadata', 'annotations'], AS_IN_THE_CLUSTER],
    // When a folder is missing, Argo CD must not delete the Application, which would delete the cluster's tunnels.
    [['spec', 'syncPolicy'], { applicationsSync: 'create-update', preserveResourcesOnDeletion: true }],
    [['spec', 'preservedFields'], { annotations: ['argocd.argoproj.io/skip-reconcile'] }],
    [[...TEMPLATE, 'project'], argo.project],
    [[...TEMPLATE, 'source'], { repoURL: gitops.repository, targetRevision: gitops.revision, path: '{{.path.path}}' }],
    [
      [...TEMPLATE, 'destination'],
      { name: '{{.values.name}}', server: '{{.values.server}}', namespace: '{{.values.namespace}}' },
    ],
    [[...TEMPLATE, 'syncPolicy', 'automated'], { prune: true, selfHeal: true }],
    [[...TEMPLATE, 'syncPolicy', 'retry'], RETRY],
    [[...TEMPLATE, 'ignoreDifferences'], ignored.length === 0 ? undefined : ignored],
    [['spec', 'templatePatch'], 'spec:\n  syncPolicy:\n    automated:\n      allowEmpty: {{.values.allowEmpty}}\n'],
  ]);
  yield* options(node, [...OPTIONS, ...(ignored.length === 0 ? [] : ['RespectIgnoreDifferences=true'])]);
  const made = new Map<string, Application[]>(clustersOf(setting).map((it) => [it.name, []]));
  for (const it of applicationsOf(node, setting)) {
    const known = made.get(it.cluster);
    if (known) known.push(it);
    else
      yield diagnostic(CODE, at, `the ApplicationSet creates an Application for "${it.cluster}", which is no cluster`);
  }
  for (const cluster of clustersOf(setting)) yield* isMade(cluster, made.get(cluster.name) ?? [], at);
  const name = textAt(node, ['spec', 'template', 'metadata', 'name']);
  if (!name.text?.includes('{{.path.basename}}'))
    yield diagnostic(
      CODE,
      name.at,
      name.text === undefined ? 'the Applications have no name' : `all Applications have the name ${name.text}`,
    );
}

/** Fields of applied objects that are in git and change in the cluster. */
function ignoredDifferences(expected: Expectation): readonly Part[] {
  const connection = {
    group: 'networking.liqo.io',
    kind: 'Connection',
    jsonPointers: ['/metadata/ownerReferences', '/spec/gatewayRef/uid'],
  };
  return [...(expected.emitConnections ? [connection] : []), ...ignoredCertificates(expected)];
}

/** Certificates that Liqo renews. The others come from git and are applied. */
function ignoredCertificates(expected: Expectation): readonly Part[] {
  const shares = expected.shares.filter((it) => it.auth === 'handshake');
  const renewed = shares.filter((it) => isRenewed(it, expected));
  const identity = { group: 'authentication.liqo.io', kind: 'Identity' };
  if (renewed.length === 0) return [];
  if (renewed.length === shares.length) return [{ ...identity, jsonPointers: ['/spec/authParams'] }];
  const paths = renewed.map(
    ({ provider, namespaceOfConsumer: namespace }) =>
      `select(.spec.clusterID == "${provider}" and .spec.namespace == "${namespace}") | .spec.authParams`,
  );
  return [{ ...identity, jqPathExpressions: paths }];
}

const OPTIONS = ['ServerSideApply=true', 'FailOnSharedResource=true', 'PrunePropagationPolicy=background'];

/**
 * An option with which a retry skips a Configuration with a wrong address, because it is in sync, and goes on with the
 * next wave.
 */
const FORBIDDEN_OPTION = 'ApplyOutOfSyncOnly=true';

function* options(node: DocumentNode, wanted: readonly string[]): Iterable<Diagnostic> {
  const path = [...TEMPLATE, 'syncPolicy', 'syncOptions'];
  const found = nodeAt(node, path);
  const list: unknown = found && plainOf(found);
  for (const option of wanted) {
    if (Array.isArray(list) && list.includes(option)) continue;
    yield diagnostic(CODE, nearestKey(node, path), `the Applications are synced without ${option}`);
  }
  if (Array.isArray(list) && list.includes(FORBIDDEN_OPTION))
    yield diagnostic(CODE, nearestKey(node, path), `the Applications are synced with ${FORBIDDEN_OPTION}`);
}

/** The values of the template for one cluster. */
interface Application {
  readonly cluster: string;
  readonly values: { readonly [name: string]: string | undefined };
  readonly node: DocumentNode;
}

/** Evaluates the generators as Argo CD does: folders of the repository except those that are excluded, and a list. */
function* applicationsOf(node: DocumentNode, setting: ArgoSetting): Iterable<Application> {
  const generators = nodeAt(node, ['spec', 'generators']);
  for (const it of generators?.kind === 'list' ? generators.items : []) {
    const git = nodeAt(it, ['git']);
    if (git) yield* fromFolders(git, setting);
    const elements = nodeAt(it, ['list', 'elements']);
    for (const element of elements?.kind === 'list' ? elements.items : []) {
      const cluster = plainText(element, ['path', 'basename']) ?? '';
      const isItsFolder = plainText(element, ['path', 'path']) === folderInRepository(setting.gitops, cluster);
      yield {
        cluster: isItsFolder ? cluster : `${cluster} in another folder`,
        values: templateValuesOf(element, cluster),
        node: element,
      };
    }
  }
}

function* fromFolders(git: DocumentNode, { gitops, context }: ArgoSetting): Iterable<Application> {
  const isOurs = plainText(git, ['repoURL']) === gitops.repository && plainText(git, ['revision']) === gitops.revision;
  const directories = nodeAt(git, ['directories']);
  if (!isOurs || directories?.kind !== 'list') return;
  const all = directories.items.map((it) => ({
    path: plainText(it, ['path']) ?? '',
    isExcluded: plainText(it, ['exclude']) === 'true',
  }));
  const { tops, below } = context.bundle;
  const folders = tops.filter((it) => it !== '' && below(it).length > 0);
  const excluded = new Set(all.filter((it) => it.isExcluded).map((it) => it.path));
  const isMatched = all.some((it) => !it.isExcluded && it.path === folderInRepository(gitops, '*'));
  const withoutEntryPoints = excluded.has(folderInRepository(gitops, '_*'));
  for (const folder of isMatched ? folders : []) {
    if (excluded.has(folderInRepository(gitops, folder)) || (withoutEntryPoints && folder.startsWith('_'))) continue;
    yield { cluster: folder, values: templateValuesOf(git, folder), node: git };
  }
}

const plainText = (node: DocumentNode, path: readonly string[]): string | undefined => {
  const found = nodeAt(node, path);
  return found?.kind === 'scalar' ? String(found.value) : undefined;
};

const templateValuesOf = (node: DocumentNode, cluster: string): Application['values'] =>
  Object.fromEntries(
    ['name', 'server', 'namespace', 'allowEmpty'].map((key) => [
      key,
      plainText(node, ['values', key])?.replaceAll('{{.path.basename}}', cluster),
    ]),
  );

/**
 * Checks that a cluster has exactly one Application. Argo CD refuses a destination with both name and server, and only
 * a retired cluster has `allowEmpty`.
 */
function* isMade(
  cluster: ClusterDeclaration,
  [it, ...more]: readonly Application[],
  at: Diagnostic['span'],
): Iterable<Diagnostic> {
  if (!it || more.length > 0) {
    const count = it ? `${more.length + 1} Applications` : 'no Application';
    yield diagnostic(CODE, at, `the ApplicationSet creates ${count} for "${cluster.name}"`);
    return;
  }
  const { name, server } = cluster.gitops;
  const wanted = {
    name: server === null ? name : '',
    server: server ?? '',
    namespace: cluster.liqoNamespace,
    allowEmpty: String(cluster.retired),
  };
  for (const [key, value] of Object.entries(wanted)) {
    if (it.values[key] === value) continue;
    const found = it.values[key] === undefined ? 'missing' : JSON.stringify(it.values[key]);
    const message = `\`${key}\` of the Application for "${cluster.name}" is ${found}, but the topology requires ${JSON.stringify(value)}`;
    yield diagnostic(CODE, nearestKey(it.node, ['values', key]), message);
  }
}

/**
 * Checks the health checks. Without them Argo CD treats an object as healthy as soon as it exists, and no wave waits
 * for the IPAM.
 */
function* healthChecks({ node }: KubeObject, argo: ArgoSettings): Iterable<Diagnostic> {
  yield* compareParts({ code: CODE, what: 'the patch of argocd-cm', node }, [
    [['apiVersion'], 'v1'],
    [['kind'], 'ConfigMap'],
    [['metadata', 'name'], 'argocd-cm'],
    [['metadata', 'namespace'], argo.namespace],
  ]);
  for (const [object, reads] of CHECKED) {
    const key = `resource.customizations.health.${object}`;
    const { text, at } = textAt(node, ['data', key]);
    if (text === undefined) yield diagnostic(CODE, at, `the health check of ${object} is missing`);
    else if (![...reads, '"Healthy"', '"Progressing"'].every((it) => text.includes(it)))
      yield diagnostic(CODE, at, `the health check of ${object} does not read ${reads.join(' and ')}`);
  }
}

/**
 * Kinds that are applied or watched, and the fields that their health checks must read.
 * Source: liqotech/liqo@v1.2.0 apis.
 */
const CHECKED: readonly (readonly [object: string, reads: readonly string[]])[] = [
  ['networking.liqo.io_Configuration', ['obj.status.remote', 'NetworkCIDRsConfigured', '"liqo-weft/"', '"Degraded"']],
  ['networking.liqo.io_GatewayServer', ['endpoint.addresses']],
  ['networking.liqo.io_GatewayClient', ['status.secretRef']],
  ['networking.liqo.io_Connection', ['status.value']],
  ['networking.liqo.io_ForeignClusterConnection', ['status.isConnected']],
  ['ipam.liqo.io_Network', ['obj.status.cidr']],
  ['core.liqo.io_ForeignCluster', ['status.modules', 'module.enabled']],
  ['authentication.liqo.io_Tenant', ['status.tenantNamespace', 'status.authParams', 'TolerateNoHandshake']],
  ['authentication.liqo.io_Identity', ['obj.status.kubeconfigSecretRef']],
  ['authentication.liqo.io_ResourceSlice', ['obj.status.conditions', '"Accepted"', '"Denied"']],
  ['offloading.liqo.io_VirtualNode', ['obj.status.conditions', '"Running"']],
  ['offloading.liqo.io_NamespaceOffloading', ['status.offloadingPhase']],
];

/**
 * The project allows the kinds that are applied, in the namespaces of the clusters, from the one repository, and no
 * more.
 */
function* argoProjectAllowsBundles(
  { node }: KubeObject,
  expected: Expectation,
  { repository, argo }: { readonly repository: string; readonly argo: ArgoSettings },
): Iterable<Diagnostic> {
  const { declaration, emitConnections } = expected;
  const ends = [...expected.clusters.values()].flatMap((it) => [...it.ends.values()]);
  const isFenced = ends.some((it) => hasFence(it, expected));
  const networking = [
    'Configuration',
    ...(emitConnections ? ['Connection'] : []),
    ...(isFenced ? ['FirewallConfiguration'] : []),
    ...(declaration.shortcutOperator.value ? ['ForeignClusterConnection'] : []),
    ...['GatewayClient', 'GatewayServer', 'PublicKey', 'WgGatewayClientTemplate', 'WgGatewayServerTemplate'],
  ];
  yield* compareParts({ code: 'verify/entry-point', what: 'the AppProject', node }, [
    [['apiVersion'], 'argoproj.io/v1alpha1'],
    [['kind'], 'AppProject'],
    [['metadata', 'name'], argo.project],
    [['metadata', 'namespace'], argo.namespace],
    // Before the ApplicationSet, which looks for a project that it does not find only after three minutes.
    [['metadata', 'annotations'], { 'argocd.argoproj.io/sync-wave': '-1' }],
    [['spec', 'sourceRepos'], [repository]],
    [
      ['spec', 'clusterResourceWhitelist'],
      ['liqo-tenant-*', ...appliedNamespaces(expected)].map((name) => ({ group: '', kind: 'Namespace', name })),
    ],
    [
      ['spec', 'namespaceResourceWhitelist'],
      [
        // Keys are usually in an object of one of these kinds.
        { group: 'bitnami.com', kind: 'SealedSecret' },
        { group: 'external-secrets.io', kind: 'ExternalSecret' },
        ...networking.map((kind) => ({ group: 'networking.liqo.io', kind })),
        ...sharedKinds(expected),
        ...(declaration.conformance ? proberKinds(expected) : []),
        ...(!declaration.conformance && expectPolicies(expected).size > 0
          ? [{ group: 'networking.k8s.io', kind: 'NetworkPolicy' }]
          : []),
      ],
    ],
    [['spec', 'destinations'], [...expected.clusters.values()].flatMap((it) => destinationsOf(it, expected))],
  ]);
}

function destinationsOf(it: ExpectedCluster, expected: Expectation): readonly Part[] {
  const { offloadings, declaration } = expected;
  const { name: cluster, gitops, liqoNamespace } = it.declared;
  const { name, server } = gitops;
  const offloaded = offloadings.filter((it) => it.cluster === cluster).map((it) => it.namespace);
  const namespaces = new Set(['liqo-tenant-*', ...namedNamespaces([it]), liqoNamespace, ...offloaded]);
  if (declaration.conformance) namespaces.add('weft-conformance');
  for (const it of expectPolicies(expected).get(cluster)?.keys() ?? []) namespaces.add(it);
  return [...namespaces].map((namespace) => ({ name, server: server ?? undefined, namespace }));
}

/** Tenant namespaces that have another name than the usual ones. */
function namedNamespaces(clusters: Iterable<ExpectedCluster>): readonly string[] {
  const all = [...clusters].flatMap(({ ends }) => [...ends.values()].map((it) => it.names.namespace));
  return sortedUnique(all.filter((it) => !it.startsWith('liqo-tenant-')));
}

const appliedNamespaces = ({ clusters, offloadings }: Expectation): readonly string[] =>
  sortedUnique([
    ...namedNamespaces(clusters.values()),
    ...offloadings.filter((it) => it.createNamespace).map((it) => it.namespace),
    // Also without a prober: Argo CD prunes nothing that the project does not allow.
    'weft-conformance',
  ]);

/** The kinds that sharing needs, and no others: RoleBinding only for consumers with credentials. */
function sharedKinds({ shares, offloadings }: Expectation): readonly Part[] {
  const has = (auth: string): boolean => shares.some((it) => it.auth === auth);
  const rows: readonly (readonly [group: string, kind: string, needed: boolean])[] = [
    ['authentication.liqo.io', 'Identity', shares.length > 0],
    ['authentication.liqo.io', 'ResourceSlice', shares.length > 0],
    ['authentication.liqo.io', 'Tenant', shares.length > 0],
    ['offloading.liqo.io', 'VirtualNode', shares.length > 0],
    ['offloading.liqo.io', 'NamespaceOffloading', offloadings.length > 0],
    ['', 'Secret', has('handshake')],
    ['', 'ServiceAccount', has('credentials')],
    ['rbac.authorization.k8s.io', 'RoleBinding', has('credentials')],
  ];
  return rows.filter(([, , needed]) => needed).map(([group, kind]) => ({ group, kind }));
}

function proberKinds({ shares }: Expectation): readonly Part[] {
  const hasAccounts = shares.some((it) => it.auth === 'credentials');
  return [
    { group: 'apps', kind: 'Deployment' },
    { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
    { group: '', kind: 'Service' },
    ...(hasAccounts ? [] : [{ group: '', kind: 'ServiceAccount' }]),
  ];
}
