import { sortedRecord } from '../../../base/core/order.ts';
import { UNREFLECTED_ANNOTATIONS } from '../../../base/releases/install-defaults.ts';
import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import type { Field } from '../manifest.ts';

type Values = { readonly [key: string]: Field | undefined };

/**
 * The values of Liqo's chart for authentication and offloading that the topology sets. A list replaces the chart's, so what
 * the chart lists by default is in it.
 * Source: liqotech/liqo@v1.0.0 to @v1.2.0 deployments/liqo/values.yaml.
 */
export function sharingValues({ chart }: AddressedCluster): Values {
  const { lending, virtualKubelet, reflection } = chart;
  return {
    controllerManager: group({
      config: group({
        defaultLimitsEnforcement: lending.limits ?? undefined,
        enableResourceEnforcement: lending.enforceResources ?? undefined,
      }),
    }),
    discovery: group({ config: group({ clusterLabels: group(lending.nodeLabels) }) }),
    networking: group({ reflectIPs: reflection.ips ?? undefined }),
    offloading: group({
      defaultNodeResources: group(Object.fromEntries(lending.defaultResources.map(([name, it]) => [name, it.value]))),
      reflection: reflectionValues(chart),
    }),
    storage: group({ realStorageClassName: lending.storageClass ?? undefined }),
    virtualKubelet: group({
      replicas: virtualKubelet.replicas ?? undefined,
      extra: group({
        annotations: group(virtualKubelet.annotations),
        args: list(virtualKubelet.args),
        labels: group(virtualKubelet.labels),
      }),
      virtualNode: group({
        extra: group({
          annotations: group(virtualKubelet.nodeAnnotations),
          labels: group(virtualKubelet.nodeLabels),
        }),
      }),
    }),
  };
}

function reflectionValues({ lending, reflection }: AddressedCluster['chart']): Values | undefined {
  const { reflectors, skipLabels, skipAnnotations } = reflection;
  const annotations = skipAnnotations.length === 0 ? [] : [...UNREFLECTED_ANNOTATIONS, ...skipAnnotations];
  const byKind: Values = {
    ...sortedRecord(reflectors),
    ingress: group({ ...reflectors['ingress'], ingressClasses: classList(lending.ingressClasses) }),
    service: group({ ...reflectors['service'], loadBalancerClasses: classList(lending.loadBalancerClasses) }),
  };
  return group({ ...byKind, skip: group({ annotations: list(annotations), labels: list(skipLabels) }) });
}

/** The first one is the default. */
const classList = (names: readonly string[]): Field | undefined =>
  list(names.map((name, index) => (index === 0 ? { name, default: true } : { name })));

const list = (items: readonly Field[]): readonly Field[] | undefined => (items.length === 0 ? undefined : items);

/** `undefined` without a member that is set. */
function group(members: Values): Values | undefined {
  return Object.values(members).some((it) => it !== undefined) ? members : undefined;
}
