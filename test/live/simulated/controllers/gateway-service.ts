import type { ApiServer } from '../api-server.ts';
import { controlledBy, type Fields, field, type Metadata, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { templatedMetadata } from './gateway-deployment.ts';

const NODE_PORTS = { first: 30_000, count: 2768 };

/** Source: liqotech/liqo@v1.2.0 wggatewayserver_controller.go `mutateFnWgServerService`. */
export function ensureService(cluster: SimulatedCluster, gateway: SimulatedObject): void {
  const { server } = cluster;
  const { name, namespace = '' } = gateway.metadata;
  const wanted = field<{ readonly metadata: Metadata; readonly spec: Fields }>(gateway, 'spec', 'service');
  if (wanted === undefined) return;
  const found = server.get('Service', `gw-${name}`, namespace);
  const service: SimulatedObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: `gw-${name}`,
      namespace,
      ...templatedMetadata(wanted.metadata),
      ownerReferences: [controlledBy(gateway)],
    },
    spec: allocated(server, wanted.spec, found),
    status: { loadBalancer: {} },
  };
  if (found === undefined) server.create({ ...service, status: { loadBalancer: balancerOf(cluster, service) } });
  else {
    server.update(found, (it) => {
      it.spec = service.spec ?? {};
      it.status = { loadBalancer: balancerOf(cluster, service) };
      Object.assign(it.metadata, templatedMetadata(wanted.metadata));
    });
  }
}

function balancerOf(cluster: SimulatedCluster, service: SimulatedObject): Fields {
  if (service.spec?.['type'] !== 'LoadBalancer') return {};
  const address = cluster.balancerAddress(service);
  if (address === undefined) return {};
  return { ingress: [/^[\d.]+$/.test(address) ? { ip: address, ipMode: 'VIP' } : { hostname: address }] };
}

/** Additions of the API server to a Service: addresses, ports of nodes and defaults. It keeps what it gave before. */
function allocated(server: ApiServer, spec: Fields, before: SimulatedObject | undefined): Fields {
  const type = spec['type'];
  const isOutside = type === 'NodePort' || type === 'LoadBalancer';
  const clusterIP = field<string>(before, 'spec', 'clusterIP') ?? addressFor(server);
  const hasNodePorts = isOutside && spec['allocateLoadBalancerNodePorts'] !== false;
  const ports = (field<readonly Fields[]>(spec, 'ports') ?? []).map((it, i) => {
    const given = field<number>(before, 'spec', 'ports', i, 'nodePort');
    return hasNodePorts ? { nodePort: given ?? nodePortFor(server), ...it } : it;
  });
  return {
    clusterIP,
    clusterIPs: [clusterIP],
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    sessionAffinity: 'None',
    ...(isOutside ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
    ...spec,
    ports,
  };
}

const addressFor = (server: ApiServer): string => {
  const [a, b] = [server.chance(2), server.chance(2)].map((it) => Number.parseInt(it, 16));
  return `10.96.${a}.${b}`;
};

const nodePortFor = (server: ApiServer): number =>
  NODE_PORTS.first + (Number.parseInt(server.chance(8), 16) % NODE_PORTS.count);

/** The endpoint that a client must dial. Source: the same file, `forgeEndpointStatus*`. */
export function endpointOf(
  server: ApiServer,
  namespace: string,
  name: string,
  pod: SimulatedObject | undefined,
): Fields | undefined {
  const service = server.get('Service', `gw-${name}`, namespace);
  const [first] = field<readonly Fields[]>(service, 'spec', 'ports') ?? [];
  if (service === undefined || first === undefined) return undefined;
  const { port, nodePort, protocol } = first;
  switch (service.spec?.['type']) {
    case 'NodePort':
      return pod && { addresses: [field<string>(pod, 'status', 'hostIP')], port: nodePort, protocol };
    case 'LoadBalancer': {
      const ingress = field<readonly Fields[]>(service, 'status', 'loadBalancer', 'ingress') ?? [];
      const addresses = ingress.map((it) => it['ip'] ?? it['hostname']);
      return { ...(addresses.length > 0 ? { addresses } : {}), port, protocol };
    }
    default:
      return { addresses: field(service, 'spec', 'clusterIPs'), port, protocol };
  }
}
