import { bound } from './authentication.ts';
import { condition, type Fields, RBAC, REMOTE, type Simulated, type SimulatedCluster } from './simulated-cluster.ts';

/*
 * Which namespaces are where. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading:
 * namespaceoffloading-controller, namespacemap-controller.
 */

type Texts = Readonly<Record<string, string>>;
type Phases = Readonly<Record<string, { readonly phase: string; readonly remoteNamespace: string }>>;

/** In a consumer: each NamespaceOffloading asks for its namespace in the maps of the providers that it selects. */
export function offloadNamespaces(cluster: SimulatedCluster): void {
  for (const offloading of cluster.list('NamespaceOffloading')) {
    const namespace = offloading.metadata.namespace ?? '';
    const remoteName = remoteNameOf(offloading, cluster.id);
    const maps = mapsOf(cluster);
    const selected = maps.filter((it) => isSelected(cluster, offloading, it.metadata.name));
    for (const it of selected) {
      cluster.update(it, {
        spec: { desiredMapping: { ...(it.spec?.['desiredMapping'] as Fields), [namespace]: remoteName } },
      });
    }
    const own = cluster.find('Namespace', undefined, namespace);
    if (own !== undefined && offloading.spec?.['podOffloadingStrategy'] !== 'Local') {
      const labels = { ...own.metadata.labels, 'liqo.io/scheduling-enabled': 'true' };
      cluster.put({ ...own, metadata: { ...own.metadata, labels } });
    }
    const phases = selected.map((it) => (it.status?.['currentMapping'] as Phases | undefined)?.[namespace]?.phase);
    const states = maps.map((it) => [it.metadata.name, statesOf(it, selected, namespace)]);
    cluster.update(offloading, {
      status: {
        observedGeneration: 1,
        offloadingPhase: phaseOf(phases),
        remoteNamespaceName: remoteName,
        remoteNamespacesConditions: Object.fromEntries(states),
      },
    });
  }
}

const mapsOf = (cluster: SimulatedCluster): readonly Simulated[] =>
  cluster.list('NamespaceMap', { 'liqo.io/replication': 'true' });

function remoteNameOf({ metadata, spec = {} }: Simulated, consumer: string): string {
  const strategy = spec['namespaceMappingStrategy'];
  if (strategy === 'EnforceSameName') return metadata.namespace ?? '';
  return strategy === 'SelectedName' ? String(spec['remoteNamespaceName']) : `${metadata.namespace}-${consumer}`;
}

interface Term {
  readonly matchExpressions: readonly { readonly key: string; readonly operator: string; readonly values: string[] }[];
}

/** Without terms every provider is selected; a term has to match one node of it. */
function isSelected(cluster: SimulatedCluster, { spec = {} }: Simulated, provider: string): boolean {
  const selector = spec['clusterSelector'] as { readonly nodeSelectorTerms?: readonly Term[] } | undefined;
  const terms = selector?.nodeSelectorTerms ?? [];
  return cluster.list('VirtualNode', { [REMOTE]: provider }).some((node) => {
    const labels = node.spec?.['labels'] as Texts;
    const matches = ({ matchExpressions }: Term) =>
      matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''));
    return terms.length === 0 || terms.some(matches);
  });
}

function statesOf(map: Simulated, selected: readonly Simulated[], namespace: string): readonly Fields[] {
  if (!selected.includes(map)) return [condition('OffloadingRequired', 'False', 'ClusterNotSelected')];
  const phase = (map.status?.['currentMapping'] as Phases | undefined)?.[namespace]?.phase;
  const isMade = phase === 'Accepted';
  return [
    condition('OffloadingRequired', 'True', 'ClusterSelected'),
    condition('Ready', isMade ? 'True' : 'False', isMade ? 'NamespaceCreated' : (phase ?? 'Creating')),
  ];
}

function phaseOf(phases: readonly (string | undefined)[]): string {
  if (phases.length === 0) return 'NoClusterSelected';
  if (phases.includes(undefined)) return 'InProgress';
  const failed = phases.filter((it) => it !== 'Accepted').length;
  return failed === 0 ? 'Ready' : failed === phases.length ? 'AllFailed' : 'SomeFailed';
}

/** In a provider: the namespaces of a copied map, unless they belong to another user. */
export function makeNamespaces(cluster: SimulatedCluster): void {
  for (const map of cluster.list('NamespaceMap', { 'liqo.io/replicated': 'true' })) {
    const { name, namespace = '', labels = {} } = map.metadata;
    const consumer = labels['liqo.io/originID'] ?? '';
    const owner = { 'liqo.io/managed-by-namespace-map': `${namespace}/${name}` };
    const wanted = Object.entries((map.spec?.['desiredMapping'] ?? {}) as Texts);
    const made = wanted.map(([original, remoteNamespace]) => {
      const annotations = { ...owner, 'liqo.io/original-name': original };
      cluster.make({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: remoteNamespace, labels: { [REMOTE]: consumer }, annotations },
      });
      const found = cluster.find('Namespace', undefined, remoteNamespace)?.metadata.annotations;
      if (found?.['liqo.io/managed-by-namespace-map'] !== `${namespace}/${name}`) {
        return [original, { phase: 'CreationLoopBackOff', remoteNamespace }];
      }
      cluster.make({
        apiVersion: RBAC,
        kind: 'RoleBinding',
        metadata: {
          name: namespace,
          namespace: remoteNamespace,
          labels: { 'app.kubernetes.io/managed-by': 'liqo', [REMOTE]: consumer },
          annotations: owner,
        },
        ...bound('liqo-virtual-kubelet-remote', 'Group', consumer),
      });
      return [original, { phase: 'Accepted', remoteNamespace }];
    });
    if (made.length > 0) cluster.update(map, { status: { currentMapping: Object.fromEntries(made) } });
  }
}
