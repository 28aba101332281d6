import { type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import { canonical, isNothing } from './compare-objects.ts';

interface Field {
  readonly path: readonly string[];
  readonly live: Json | undefined;
}

/**
 * What Liqo or Kubernetes have chosen for a field that an object leaves to them: `liqoctl` names neither the Secret nor the node
 * port of a gateway, and the status of the gateway has both. `undefined` for every other field.
 */
export function chosenFor(live: KubernetesObject, { path, live: found }: Field): Json | undefined {
  // Zero values of Go; the CRDs have one as the default of the name of a Secret.
  if (!isNothing(found) && found !== 0 && found !== '') return undefined;
  const { spec, status } = live as { readonly spec?: Json; readonly status?: Json };
  const at = path.join('.');
  if (live.kind === 'GatewayServer' && at === 'spec.endpoint.nodePort')
    return jsonAt(spec, 'endpoint', 'serviceType') === 'NodePort' ? jsonAt(status, 'endpoint', 'port') : undefined;
  if (live.kind !== 'GatewayServer' && live.kind !== 'GatewayClient') return undefined;
  const name = textAt(status, 'secretRef', 'name');
  if (at === 'spec.secretRef.name') return name;
  return at === 'spec.secretRef' && name !== undefined ? { name } : undefined;
}

/** Applying git changes nothing where it only writes down what was chosen. */
export function isChosenAlready(
  live: KubernetesObject,
  field: Field & { readonly promised: Json | undefined },
): boolean {
  const chosen = chosenFor(live, field);
  return chosen !== undefined && canonical(chosen) === canonical(field.promised);
}
