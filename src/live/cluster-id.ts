import { textAt } from './json.ts';
import type { LiveObject } from './kubernetes-object.ts';

/** Where Liqo keeps the ID of the cluster. Source: liqotech/liqo@v1.2.0 pkg/consts/liqo.go, deployments/liqo/templates. */
export const CLUSTER_ID_CONFIG_MAP = 'liqo-clusterid-configmap';
const CLUSTER_ID_KEY = 'CLUSTER_ID';

/** The ID that a dump contains of its own cluster, with the ConfigMap that has it. */
export function clusterIdIn(
  objects: readonly LiveObject[],
): { readonly id: string; readonly from: LiveObject } | undefined {
  for (const it of objects) {
    const { kind, metadata, data } = it.object;
    if (kind !== 'ConfigMap' || metadata.name !== CLUSTER_ID_CONFIG_MAP) continue;
    const id = textAt(data ?? {}, CLUSTER_ID_KEY);
    if (id !== undefined && id !== '') return { id, from: it };
  }
  return undefined;
}
