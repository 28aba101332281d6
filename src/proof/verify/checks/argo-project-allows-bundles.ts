import { sortedUnique } from '../../../base/core/collections.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ArgoSettings } from '../../../fleet/topology/declaration.ts';
import type { Expectation, ExpectedCluster } from '../expectation.ts';
import type { KubeObject } from '../kube-object.ts';
import { compareParts, type Part } from './bundle-check.ts';

/**
 * The project allows the kinds that are applied, in the namespaces of the clusters, from the one repository, and no
 * more.
 */
export function* argoProjectAllowsBundles(
  { node }: KubeObject,
  expected: Expectation,
  { repository, argo }: { readonly repository: string; readonly argo: ArgoSettings },
): Iterable<Diagnostic> {
  const { declaration, emitConnections } = expected;
  const networking = [
    'Configuration',
    ...(emitConnections ? ['Connection'] : []),
    ...(declaration.shortcutOperator.value ? ['ForeignClusterConnection'] : []),
    ...['GatewayClient', 'GatewayServer', 'PublicKey', 'WgGatewayClientTemplate', 'WgGatewayServerTemplate'],
  ];
  yield* compareParts({ code: 'verify/entry-point', what: 'the AppProject', node }, [
    [['metadata', 'name'], argo.project],
    [['metadata', 'namespace'], argo.namespace],
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
      ],
    ],
    [['spec', 'destinations'], [...expected.clusters.values()].flatMap((it) => destinationsOf(it, expected))],
  ]);
}

function destinationsOf(it: ExpectedCluster, { offloadings }: Expectation): readonly Part[] {
  const { name: cluster, gitops, liqoNamespace } = it.declared;
  const { name, server } = gitops;
  const offloaded = offloadings.filter((it) => it.cluster === cluster).map((it) => it.namespace);
  const namespaces = new Set(['liqo-tenant-*', ...namedNamespaces([it]), liqoNamespace, ...offloaded]);
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
