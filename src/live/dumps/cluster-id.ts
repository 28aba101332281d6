import { isJsonMap, type Json, jsonAt, textAt } from './json.ts';
import type { KubernetesObject, LiveObject } from './kubernetes-object.ts';

/** Where Liqo keeps the ID of the cluster. Source: liqotech/liqo@v1.2.0 pkg/consts/liqo.go, deployments/liqo/templates. */
export const CLUSTER_ID_CONFIG_MAP = 'liqo-clusterid-configmap';
const CLUSTER_ID_KEY = 'CLUSTER_ID';

/**
 * Programs of Liqo that are told the ID of their own cluster, by their argument. In the chart that of the controller manager
 * is a reference to the ConfigMap. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates, pkg/vkMachinery/forge.
 */
const ARGUMENTS = new Map([
  ['/usr/bin/liqo-controller-manager', '--cluster-id='],
  ['/usr/bin/virtual-kubelet', '--home-cluster-id='],
]);

/** An ID that a dump contains of its own cluster, with the object that has it. */
interface ClusterIdWitness {
  readonly id: string;
  readonly from: LiveObject;
}

/** The IDs that a dump contains of its own cluster: one, if it is of one cluster only. Each has its first object. */
export function clusterIdsIn(objects: readonly LiveObject[]): readonly ClusterIdWitness[] {
  const found = new Map<string, ClusterIdWitness>();
  for (const from of objects) {
    for (const id of idsOf(from.object)) if (id !== '' && !found.has(id)) found.set(id, { id, from });
  }
  return [...found.values()];
}

function idsOf({ kind, metadata, data, spec }: KubernetesObject): readonly string[] {
  if (kind === 'ConfigMap' && metadata.name === CLUSTER_ID_CONFIG_MAP) {
    const id = textAt(data, CLUSTER_ID_KEY);
    return id === undefined ? [] : [id];
  }
  const containers = kind === 'Deployment' ? jsonAt(spec, 'template', 'spec', 'containers') : undefined;
  return listed(containers).flatMap((it) => (isJsonMap(it) ? idsIn(listed(it['command']), listed(it['args'])) : []));
}

function idsIn([program]: readonly Json[], args: readonly Json[]): readonly string[] {
  const flag = typeof program === 'string' ? ARGUMENTS.get(program) : undefined;
  if (flag === undefined) return [];
  const given = args.flatMap((it) => (typeof it === 'string' && it.startsWith(flag) ? [it.slice(flag.length)] : []));
  return given.filter((it) => !it.includes('$('));
}

const listed = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
