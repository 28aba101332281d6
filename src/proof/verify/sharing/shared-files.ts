import { groupBy, sortedUnique } from '../../../base/core/collections.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Expectation } from '../expectation.ts';
import {
  type ExpectedOffloading,
  type ExpectedShare,
  nodesOf,
  progressOf,
  shareBetween,
  sharesOf,
} from '../expected/expect-shares.ts';
import { copied, copyOf, resultsInConsumer, resultsInProvider } from './results-of-loan.ts';
import {
  aboutRemote,
  type WantedObject,
  wantedInConsumer,
  wantedInProvider,
  wantedNamespace,
  wantedOfOffloading,
} from './wanted-objects.ts';

/** A file with objects of authentication or offloading. */
interface SharedFile {
  /** Below `out/`. */
  readonly path: string;
  readonly cluster: string;
  /** The remote cluster; `null` for a file about no remote cluster. */
  readonly remote: string | null;
  /** The place in the topology that requires it. */
  readonly at: Span;
  readonly wanted: readonly WantedObject[];
}

/**
 * Every file in a folder `sharing` or `offloading` except kustomizations, by path. The layout is an intentional copy,
 * as elsewhere in verify.
 */
export function sharedFiles({ shares, offloadings, clusters, at }: Expectation): readonly SharedFile[] {
  const names = sortedUnique(shares.flatMap((it) => [it.consumer, it.provider]));
  const ofRemotes = names.flatMap((cluster) => {
    const own = sharesOf(shares, cluster);
    const remotes = sortedUnique(own.map((it) => (it.consumer === cluster ? it.provider : it.consumer)));
    return remotes.map((remote): SharedFile => {
      const borrowed = shareBetween(shares, cluster, remote);
      const lent = shareBetween(shares, remote, cluster);
      const hasLink = clusters.get(cluster)?.ends.has(remote) === true;
      return {
        path: `${cluster}/sharing/${remote}.yaml`,
        cluster,
        remote,
        at: borrowed?.at ?? lent?.at ?? at,
        wanted: [
          ...(hasLink ? [] : [wantedNamespace(remote)]),
          ...(lent ? wantedInProvider(lent) : []),
          ...(borrowed ? wantedInConsumer(borrowed) : []),
        ],
      };
    });
  });
  const ofNamespaces = offloadings.map(
    (it): SharedFile => ({
      path: `${it.cluster}/offloading/${it.namespace}.yaml`,
      cluster: it.cluster,
      remote: null,
      at: it.at,
      wanted: wantedOfOffloading(it),
    }),
  );
  return [...ofRemotes, ...ofNamespaces];
}

/**
 * Files with objects from git, then files with the objects that Liqo creates: one at a time, because all of them
 * together are large.
 */
export function* sharedAndResultFiles(expected: Expectation): Iterable<SharedFile> {
  yield* sharedFiles(expected);
  yield* resultFiles(expected);
}

/** The objects that Liqo creates for sharing and offloading: for each cluster, one file per kind. */
function* resultFiles(expected: Expectation): Iterable<SharedFile> {
  for (const cluster of expected.clusters.values()) {
    const shares = sharesOf(expected.shares, cluster.name);
    const results = [
      ...resultsOfOffloading(expected, cluster.name),
      ...partnersIn(shares, cluster.name).flatMap((it) => resultsAboutPartner(expected, cluster.name, it)),
      ...shares.flatMap((it) =>
        it.consumer === cluster.name
          ? [...resultsInConsumer(expected, it), ...resultsOfMaps(expected, it, 'consumer')]
          : [...resultsInProvider(expected, it), ...resultsOfMaps(expected, it, 'provider')],
      ),
    ];
    for (const [kind, wanted] of groupBy(results, (it) => [it.kind])) {
      yield { path: expectedFile(cluster.name, kind), cluster: cluster.name, remote: null, at: cluster.at, wanted };
    }
  }
}

/** The path of an expected file, named after the plural of the kind in kubectl. */
const expectedFile = (cluster: string, kind: string): string =>
  `${cluster}/expected/${kind === 'Identity' ? 'identities' : `${kind.toLowerCase()}s`}.yaml`;

const partnersIn = (shares: readonly ExpectedShare[], cluster: string): readonly string[] =>
  sortedUnique(shares.map((it) => (it.consumer === cluster ? it.provider : it.consumer)));

/**
 * The objects that Liqo creates in a cluster about another cluster. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/core/foreigncluster-controller/status.go.
 */
function resultsAboutPartner(expected: Expectation, cluster: string, remote: string): readonly WantedObject[] {
  const { shares, clusters } = expected;
  const lends = shareBetween(shares, remote, cluster);
  const borrows = shareBetween(shares, cluster, remote);
  if ([lends, borrows].some((it) => it && progressOf(it) === 'drained')) return [];
  const lent = lends && progressOf(lends) !== 'waits' ? lends : undefined;
  const borrowed = borrows && progressOf(borrows) === 'connected' ? borrows : undefined;
  if (!lent && !borrowed) return [];
  const role = lent && borrowed ? 'ConsumerAndProvider' : lent ? 'Consumer' : 'Provider';
  const isWhole = !borrowed || nodesOf(borrowed).length === borrowed.slices.length;
  const ready = (type: string) => ({ status: 'Ready', type });
  const details = {
    apiServerUrl: borrowed?.answer?.apiServer,
    modules: {
      authentication: {
        conditions: [
          ...(lent ? [ready('AuthTenantStatus')] : []),
          ...(borrowed ? [ready('AuthIdentityControlPlaneStatus')] : []),
        ],
        enabled: true,
      },
      networking: { enabled: clusters.get(cluster)?.ends.has(remote) === true },
      offloading: {
        conditions: borrowed ? [ready('OffloadingVirtualNodeStatus')] : undefined,
        enabled: borrowed !== undefined,
      },
    },
    tenantNamespace: {
      local: borrowed?.namespaceOfProvider ?? lent?.namespaceOfConsumer,
      remote: borrowed?.namespaceOfConsumer,
    },
  };
  return [
    {
      apiVersion: 'core.liqo.io/v1beta1',
      kind: 'ForeignCluster',
      metadata: { name: remote, labels: aboutRemote(remote) },
      spec: { clusterID: remote },
      status: borrowed?.auth === 'credentials' || !isWhole ? { role } : { role, ...details },
    },
  ];
}

const OFFLOADING = 'offloading.liqo.io/v1beta1';
const RBAC = 'rbac.authorization.k8s.io';

/** The objects that Liqo creates in a cluster for the namespaces that it offloads. */
function resultsOfOffloading(expected: Expectation, cluster: string): readonly WantedObject[] {
  const borrowed = sharesOf(expected.shares, cluster).filter((it) => it.consumer === cluster);
  const withNodes = new Set(borrowed.filter((it) => nodesOf(it).length > 0).map((it) => it.provider));
  return expected.offloadings
    .filter((it) => it.cluster === cluster)
    .flatMap((it) => {
      const label = { name: it.namespace, labels: { 'liqo.io/scheduling-enabled': 'true' } };
      const namespace: WantedObject = { apiVersion: 'v1', kind: 'Namespace', metadata: label };
      return [...(it.pods === 'Local' ? [] : [namespace]), withStatus(it, borrowed, withNodes)];
    });
}

/**
 * A NamespaceOffloading with its expected status. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go.
 */
function withStatus(
  it: ExpectedOffloading,
  borrowed: readonly ExpectedShare[],
  withNodes: ReadonlySet<string>,
): WantedObject {
  const selected = new Set(it.providers);
  // The cluster may still have virtual nodes from before, which other clusters answer, or with a key that is not in
  // git.
  const isOpen = borrowed.some((share) => selected.has(share.provider) && !withNodes.has(share.provider));
  const isReady = it.providers.some((provider) => withNodes.has(provider));
  const conditions = [...withNodes].map((provider) => [provider, conditionsOf(selected.has(provider))]);
  const [offloading] = wantedOfOffloading({ ...it, createNamespace: false });
  if (!offloading) throw new RangeError('a namespace is offloaded without a NamespaceOffloading');
  return {
    ...offloading,
    status: {
      offloadingPhase: isOpen ? undefined : isReady ? 'Ready' : 'NoClusterSelected',
      remoteNamespaceName: it.remoteName ?? `${it.namespace}-${it.cluster}`,
      remoteNamespacesConditions: conditions.length > 0 ? Object.fromEntries(conditions) : undefined,
    },
  };
}

const conditionsOf = (isSelected: boolean) =>
  isSelected
    ? [
        { reason: 'ClusterSelected', status: 'True', type: 'OffloadingRequired' },
        { reason: 'NamespaceCreated', status: 'True', type: 'Ready' },
      ]
    : [{ reason: 'ClusterNotSelected', status: 'False', type: 'OffloadingRequired' }];

/** The objects that Liqo creates for the offloaded namespaces of one pair, in the consumer or in the provider. */
function resultsOfMaps(
  expected: Expectation,
  share: ExpectedShare,
  end: 'consumer' | 'provider',
): readonly WantedObject[] {
  if (progressOf(share) !== 'connected' || nodesOf(share).length === 0) return [];
  const { consumer, provider } = share;
  const namespaces = expected.offloadings
    .filter((it) => it.cluster === consumer && it.providers.includes(provider))
    .map((it) => [it.namespace, it.remoteName ?? `${it.namespace}-${consumer}`] as const);
  const statuses = namespaces.map(([name, remoteNamespace]) => [name, { phase: 'Accepted', remoteNamespace }]);
  const isConsumer = end === 'consumer';
  const map: WantedObject = {
    apiVersion: OFFLOADING,
    kind: 'NamespaceMap',
    metadata: {
      name: provider,
      namespace: isConsumer ? share.namespaceOfProvider : share.namespaceOfConsumer,
      labels: isConsumer ? copied(provider) : copyOf(share),
    },
    spec: namespaces.length > 0 ? { desiredMapping: Object.fromEntries(namespaces) } : undefined,
    status: namespaces.length > 0 ? { currentMapping: Object.fromEntries(statuses) } : undefined,
  };
  return isConsumer ? [map] : [map, ...namespaces.flatMap((it) => remoteNamespace(share, it))];
}

function remoteNamespace(
  { consumer, provider, namespaceOfConsumer }: ExpectedShare,
  [original, name]: readonly [string, string],
): readonly WantedObject[] {
  const labels = aboutRemote(consumer);
  const owner = { 'liqo.io/managed-by-namespace-map': `${namespaceOfConsumer}/${provider}` };
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels, annotations: { ...owner, 'liqo.io/original-name': original } },
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name: namespaceOfConsumer,
        namespace: name,
        labels: { ...labels, 'app.kubernetes.io/managed-by': 'liqo' },
        annotations: owner,
      },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'liqo-virtual-kubelet-remote' },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: consumer }],
    },
  ];
}
