import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentMap } from '../../../base/source/document-node.ts';
import type { ClusterDeclaration } from '../../../fleet/topology/declaration.ts';
import { forEachCluster } from './bundle-check.ts';
import { compareParts, type Part, someOf } from './compare-part.ts';

/**
 * Helm's values have what `lending`, `virtualKubelet` and `reflection` of the topology set, and nothing else of it. What a
 * platform needs as well is proven with the platform.
 * Source: liqotech/liqo@v1.0.0 to @v1.2.0 deployments/liqo/values.yaml.
 */
export const chartValuesAgree = forEachCluster(function* ({ bundle }, { name, expected }) {
  const values = bundle.maps.get(`${name}/helm-values.yaml`);
  if (values && !expected.retired) yield* valuesOf(values, expected.declared);
});

function* valuesOf(node: DocumentMap, { name, chart }: ClusterDeclaration): Iterable<Diagnostic> {
  const { lending, reflection } = chart;
  yield* compareParts({ code: 'verify/platform', what: `Helm's values of "${name}"`, node }, [
    [['controllerManager'], limitsOf(lending)],
    [['networking', 'reflectIPs'], reflection.ips ?? undefined],
    [['offloading'], someOf({ defaultNodeResources: defaultsOf(lending), reflection: reflectionOf(chart) })],
    [['storage'], lending.storageClass === null ? undefined : { realStorageClassName: lending.storageClass }],
  ]);
}

function limitsOf({ limits, enforceResources }: ClusterDeclaration['chart']['lending']): Part {
  const config: Record<string, Part> = {};
  if (limits !== null) config['defaultLimitsEnforcement'] = limits;
  if (enforceResources !== null) config['enableResourceEnforcement'] = enforceResources;
  return someOf({ config: someOf(config) });
}

const defaultsOf = ({ defaultResources }: ClusterDeclaration['chart']['lending']): Part =>
  someOf(Object.fromEntries(defaultResources.map(([resource, { value }]) => [resource, value])));

function reflectionOf({ lending, reflection }: ClusterDeclaration['chart']): Part {
  const kinds: Record<string, Record<string, Part>> = {};
  for (const [kind, settings] of Object.entries(reflection.reflectors)) kinds[kind] = { ...settings };
  const classes = [
    ['ingress', 'ingressClasses', lending.ingressClasses],
    ['service', 'loadBalancerClasses', lending.loadBalancerClasses],
  ] as const;
  for (const [kind, key, names] of classes) {
    const [first, ...others] = names;
    if (first === undefined) continue;
    kinds[kind] = { ...kinds[kind], [key]: [{ name: first, default: true }, ...others.map((it) => ({ name: it }))] };
  }
  const skip: Record<string, Part> = {};
  if (reflection.skipLabels.length > 0) skip['labels'] = reflection.skipLabels;
  if (reflection.skipAnnotations.length > 0) skip['annotations'] = [...OF_THE_CHART, ...reflection.skipAnnotations];
  return someOf({ ...kinds, skip: someOf(skip) });
}

/** A list replaces the chart's, so these must be in it. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
const OF_THE_CHART = [
  'cloud.google.com/neg',
  'cloud.google.com/neg-status',
  'kubernetes.digitalocean.com/load-balancer-id',
  'ingress.kubernetes.io/backends',
  'ingress.kubernetes.io/forwarding-rule',
  'ingress.kubernetes.io/target-proxy',
  'ingress.kubernetes.io/url-map',
  'metallb.universe.tf/address-pool',
  'metallb.universe.tf/ip-allocated-from-pool',
  'metallb.universe.tf/loadBalancerIPs',
  'loadbalancer.openstack.org/load-balancer-id',
];
