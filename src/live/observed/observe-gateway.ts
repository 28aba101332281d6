import { type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import { numberAt, placeOf, textMapAt, textsAt } from './field.ts';
import type { ObservedGateway, Place } from './observed-cluster.ts';

/** A GatewayServer or GatewayClient. Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/gateway{server,client}_types.go. */
export function observeGateway(object: KubernetesObject): ObservedGateway {
  const isServer = object.kind === 'GatewayServer';
  const { spec, status } = object;
  const endpoint = jsonAt(spec, 'endpoint');
  return {
    ...placeOf(object),
    role: isServer ? 'server' : 'client',
    template: templateIn(jsonAt(spec, isServer ? 'serverTemplateRef' : 'clientTemplateRef')),
    mtu: numberAt(spec, 'mtu'),
    service: isServer
      ? {
          // The default of the CRD.
          type: textAt(endpoint, 'serviceType') ?? 'ClusterIP',
          port: numberAt(endpoint, 'port'),
          nodePort: numberAt(endpoint, 'nodePort'),
          loadBalancerIP: textAt(endpoint, 'loadBalancerIP') ?? null,
          annotations: textMapAt(spec, 'serviceAnnotations'),
          labels: textMapAt(spec, 'serviceLabels'),
        }
      : null,
    dials: isServer ? null : { addresses: textsAt(endpoint, 'addresses'), port: numberAt(endpoint, 'port') },
    secret: textAt(spec, 'secretRef', 'name') ?? null,
    usedSecret: textAt(status, 'secretRef', 'name') ?? null,
    reachable: isServer
      ? { addresses: textsAt(status, 'endpoint', 'addresses'), port: numberAt(status, 'endpoint', 'port') }
      : null,
  };
}

const TEMPLATE_KINDS = ['WgGatewayServerTemplate', 'WgGatewayClientTemplate'];

function templateIn(ref: Json | undefined): Place | null {
  const name = textAt(ref, 'name');
  if (name === undefined || !TEMPLATE_KINDS.includes(textAt(ref, 'kind') ?? '')) return null;
  return { name, namespace: textAt(ref, 'namespace') ?? '' };
}
