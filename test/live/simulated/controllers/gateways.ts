import { renderGatewayTemplate, type TemplateData } from '../../../bundle/liqo/render-gateway-template.ts';
import { type Fields, field, type Metadata, NETWORKING, REMOTE, type SimulatedObject, type Texts } from '../objects.ts';
import { type Controller, itself, ownersOf } from './controller.ts';
import { withPortProtocols } from './defaults.ts';

/**
 * Renders the template of a gateway, and reports what became of it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/{server,client}-operator.
 */
export function gateways(kind: 'GatewayServer' | 'GatewayClient'): Controller {
  const role = kind === 'GatewayServer' ? 'server' : 'client';
  return {
    name: kind,
    watches: { [kind]: itself, [`Wg${kind}`]: ownersOf(kind) },
    reconcile({ server }, namespace, name) {
      const gateway = server.get(kind, name, namespace);
      if (gateway === undefined) return true;
      const template = templateOf(server.get.bind(server), gateway, role);
      if (template === undefined || gateway.metadata.labels?.[REMOTE] === undefined) {
        server.update(gateway, (it) => {
          it.status = it.status ?? {};
        });
        return false;
      }
      const rendered = renderedFor(gateway, template, `Wg${kind}`);
      const found = server.get(`Wg${kind}`, name, namespace) ?? server.create(rendered);
      const child = server.update(found, (it) => {
        it.metadata.labels = { ...it.metadata.labels, ...rendered.metadata.labels };
        it.spec = rendered.spec ?? {};
      });
      server.update(gateway, (it) => {
        const { endpoint, secretRef, internalEndpoint } = child.status ?? {};
        const { apiVersion } = child;
        const reference = { apiVersion, kind: `Wg${kind}`, name, namespace, uid: child.metadata.uid };
        const seen = Object.entries({ endpoint, secretRef, internalEndpoint }).filter(([, one]) => one !== undefined);
        it.status = { ...it.status, [`${role}Ref`]: reference, ...Object.fromEntries(seen) };
      });
      return true;
    },
  };
}

type Get = (kind: string, name: string, namespace?: string) => SimulatedObject | undefined;

function templateOf(get: Get, gateway: SimulatedObject, role: 'server' | 'client'): SimulatedObject | undefined {
  const reference = field<Texts>(gateway, 'spec', `${role}TemplateRef`);
  return reference && get(reference['kind'] ?? '', reference['name'] ?? '', reference['namespace']);
}

function renderedFor(gateway: SimulatedObject, template: SimulatedObject, kind: string): SimulatedObject {
  const { metadata, spec } = field<{ readonly metadata: Metadata; readonly spec: Fields }>(
    template,
    'spec',
    'template',
  ) ?? {
    metadata: { name: '' },
    spec: {},
  };
  const data = dataOf(gateway);
  const whole = renderGatewayTemplate({ labels: {}, metadata }, data) as { readonly metadata: Metadata };
  const { apiVersion, metadata: own } = gateway;
  const rendered = withPortProtocols(renderGatewayTemplate(spec, data) as Fields);
  const service = field<{ metadata: Metadata }>(rendered, 'service');
  for (const it of ['annotations', 'labels'] as const) {
    const more = field<Texts>(gateway, 'spec', it === 'labels' ? 'serviceLabels' : 'serviceAnnotations');
    if (service !== undefined && more !== undefined) service.metadata[it] = { ...service.metadata[it], ...more };
  }
  const owner = { apiVersion, kind: gateway.kind, name: own.name, uid: own.uid ?? '', controller: true };
  return {
    apiVersion: NETWORKING,
    kind,
    metadata: {
      ...whole.metadata,
      labels: { ...whole.metadata.labels, [REMOTE]: own.labels?.[REMOTE] ?? '' },
      ownerReferences: [owner],
    },
    spec: rendered,
  };
}

/** The variables of a template, by Go's names of the fields. */
function dataOf({ metadata, spec = {} }: SimulatedObject): TemplateData {
  const goName = (it: string): string =>
    it === 'loadBalancerIP' ? 'LoadBalancerIP' : it.replace(/^./, (a) => a.toUpperCase());
  const secretName = field<string>(spec, 'secretRef', 'name') ?? '';
  const endpoint = Object.entries(field<Fields>(spec, 'endpoint') ?? {});
  return {
    Name: metadata.name,
    Namespace: metadata.namespace ?? '',
    ClusterID: metadata.labels?.[REMOTE] ?? '',
    GatewayUID: metadata.uid ?? '',
    SecretName: secretName,
    Spec: {
      MTU: Number(spec['mtu'] ?? 0),
      SecretRef: { Name: secretName },
      Endpoint: {
        NodePort: 0,
        LoadBalancerIP: '',
        ...Object.fromEntries(endpoint.map(([key, it]) => [goName(key), it as string | number])),
      },
    },
  };
}
