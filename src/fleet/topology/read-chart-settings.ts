import { by } from '../../base/core/collections.ts';
import { canonicalQuantity } from '../../base/core/quantity.ts';
import type {
  ClusterSpec,
  LendingSpec,
  ReflectionSpec,
  Resources,
  VirtualKubeletSpec,
} from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { ChartSettings, ResourceQuantities } from './sharing-declaration.ts';

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
