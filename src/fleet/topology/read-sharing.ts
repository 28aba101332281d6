import { by } from '../../base/core/collections.ts';
import { canonicalQuantity } from '../../base/core/quantity.ts';
import { DEFAULT_SLICE_CLASS } from '../../base/releases/install-defaults.ts';
import type {
  ClusterSpec,
  CredentialsSpec,
  LendingSpec,
  OffloadingEntry,
  ReflectionSpec,
  Resources,
  SharingEntry,
  SliceEntry,
  VirtualKubeletSpec,
  VirtualNodeSpec,
} from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import { readSelector, type Selector } from './selector.ts';
import type {
  ChartSettings,
  CredentialsSource,
  OffloadingDeclaration,
  ResourceQuantities,
  SharingDeclaration,
  SliceDeclaration,
  VirtualNodeSettings,
} from './sharing-declaration.ts';

/** An entry of `sharing`. Without `slices` the entry itself describes the only slice of each pair. */
export function readSharing(entry: Reading<SharingEntry>): SharingDeclaration {
  const slices = entry.at('slices').items();
  return {
    at: entry.span,
    consumer: readSelector(entry.at('consumer')),
    provider: readSelector(entry.at('provider')),
    slices: slices.length === 0 ? [readSlice(entry)] : slices.map(readSlice),
    condition: entry.at('condition').orDefault('Active').value,
    auth: entry.at('auth').orDefault('handshake').value,
    credentials: readCredentials(entry.at('credentials')),
  };
}

function readSlice(slice: Reading<SliceEntry> | Reading<SharingEntry>): SliceDeclaration {
  const written = slice as Reading<SliceEntry>;
  return {
    at: written.span,
    name: written.at('name').scalar() ?? null,
    class: written.at('class').orDefault(DEFAULT_SLICE_CLASS),
    resources: readResources(written.at('resources')),
    virtualNode: readVirtualNode(written.at('virtualNode')),
  };
}

function readVirtualNode(written: Reading<VirtualNodeSpec>): VirtualNodeSettings | null {
  if (!written.isPresent) return null;
  return {
    labels: written.at('labels').textMap(),
    annotations: written.at('annotations').textMap(),
    taints: written.at('taints').plain() ?? [],
    createNode: written.at('createNode').scalar()?.value ?? null,
    networkCheck: written.at('networkCheck').scalar()?.value ?? null,
    runtimeClass: written.at('runtimeClass').scalar()?.value ?? null,
  };
}

function readCredentials(written: Reading<CredentialsSpec>): CredentialsSource | null {
  const [store, key] = [written.at('store').scalar(), written.at('key').scalar()];
  if (!store || !key) return null;
  return {
    store: store.value,
    storeKind: written.at('storeKind').orDefault('ClusterSecretStore').value,
    key: key.value,
    property: written.at('property').scalar()?.value ?? null,
  };
}

/** An entry of `offloading`. */
export function readOffloading(entry: Reading<OffloadingEntry>): OffloadingDeclaration {
  return {
    at: entry.span,
    cluster: entry.at('cluster').orDefault(''),
    namespace: entry.at('namespace').orDefault(''),
    to: readProviders(entry.at('to')),
    pods: entry.at('pods').orDefault('LocalAndRemote'),
    remoteName: entry.at('remoteName').scalar() ?? null,
    createNamespace: entry.at('createNamespace').orDefault(true).value,
    directConnections: entry.at('directConnections').orDefault(false).value,
  };
}

/** One name, several, or labels. */
function readProviders(to: Reading<NonNullable<OffloadingEntry['to']>>): readonly Selector[] | null {
  if (!to.isPresent) return null;
  const names = to.texts();
  if (names === undefined) return [{ kind: 'labels', labels: to.textMap(), at: to.span }];
  return names.map((it): Selector => ({ kind: 'cluster', name: it.value, at: it.at }));
}

/** The settings of a cluster that are only values of Liqo's chart. */
export const readChartSettings = (cluster: Reading<ClusterSpec>): ChartSettings => ({
  lending: readLending(cluster.at('lending')),
  virtualKubelet: readVirtualKubelet(cluster.at('virtualKubelet')),
  reflection: readReflection(cluster.at('reflection')),
});

const readLending = (lending: Reading<LendingSpec>): ChartSettings['lending'] => ({
  nodeLabels: lending.at('nodeLabels').textMap(),
  defaultResources: readResources(lending.at('defaultResources')),
  storageClass: lending.at('storageClass').scalar()?.value ?? null,
  ingressClasses: listValues(lending.at('ingressClasses')),
  loadBalancerClasses: listValues(lending.at('loadBalancerClasses')),
  limits: lending.at('limits').scalar()?.value ?? null,
  enforceResources: lending.at('enforceResources').scalar()?.value ?? null,
});

const readVirtualKubelet = (kubelet: Reading<VirtualKubeletSpec>): ChartSettings['virtualKubelet'] => ({
  replicas: kubelet.at('replicas').scalar()?.value ?? null,
  args: listValues(kubelet.at('args')),
  labels: kubelet.at('labels').textMap(),
  annotations: kubelet.at('annotations').textMap(),
  nodeLabels: kubelet.at('nodeLabels').textMap(),
  nodeAnnotations: kubelet.at('nodeAnnotations').textMap(),
});

/** The chart's names of the reflected kinds. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
const REFLECTED = [
  'pod',
  'service',
  'endpointslice',
  'ingress',
  'configmap',
  'secret',
  'serviceaccount',
  'persistentvolumeclaim',
  'event',
] as const;

function readReflection(reflection: Reading<ReflectionSpec>): ChartSettings['reflection'] {
  const reflectors = REFLECTED.flatMap((kind) => {
    const written = reflection.at(kind).plain();
    return written === undefined ? [] : [[kind, written] as const];
  });
  return {
    ips: reflection.at('ips').scalar()?.value ?? null,
    skipLabels: listValues(reflection.at('skipLabels')),
    skipAnnotations: listValues(reflection.at('skipAnnotations')),
    reflectors: Object.fromEntries(reflectors),
  };
}

const listValues = (list: Reading<string[]>): readonly string[] => (list.texts() ?? []).map((it) => it.value);

/** YAML may contain numbers, which Kubernetes would convert into texts. */
export const readResources = (resources: Reading<Resources>): ResourceQuantities =>
  [...resources.scalars()]
    .map(({ name, value }) => [name.value, { value: canonicalQuantity(String(value.value)), at: value.at }] as const)
    .sort(by(([name]) => name));
