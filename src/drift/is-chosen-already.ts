import { isJsonMap, type Json, jsonAt, textAt } from '../live/json.ts';
import type { KubernetesObject } from '../live/kubernetes-object.ts';
import { isNothing } from './canonical.ts';

interface Difference {
  readonly path: readonly string[];
  readonly promised: Json | undefined;
  readonly live: Json | undefined;
}

/**
 * Whether an object only leaves a field to Liqo or Kubernetes, which have chosen what git says: `liqoctl` names neither the
 * Secret nor the node port of a gateway, and the status of the gateway has both. Applying git changes nothing then.
 */
export function isChosenAlready(live: KubernetesObject, { path, promised, live: found }: Difference): boolean {
  if (!isNothing(found) && found !== 0) return false;
  const { spec, status } = live as { readonly spec?: Json; readonly status?: Json };
  const at = path.join('.');
  if (live.kind === 'GatewayServer' && at === 'spec.endpoint.nodePort')
    return jsonAt(spec, 'endpoint', 'serviceType') === 'NodePort' && jsonAt(status, 'endpoint', 'port') === promised;
  if (live.kind !== 'GatewayServer' && live.kind !== 'GatewayClient') return false;
  const name = at === 'spec.secretRef' && isJsonMap(promised) ? promised['name'] : promised;
  const isOfSecret = at === 'spec.secretRef' || at === 'spec.secretRef.name';
  return isOfSecret && name !== undefined && textAt(status, 'secretRef', 'name') === name;
}
