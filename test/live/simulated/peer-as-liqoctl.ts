import { field, GATEWAY_RESOURCE, NETWORKING, ownedBy, REMOTE, type SimulatedObject } from './objects.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** The flags of `liqoctl network connect` or `liqoctl peer`; omitted ones have liqoctl's default. */
export interface LiqoctlPeering {
  /** The cluster in which liqoctl ran; it dials. */
  readonly client: string;
  readonly server: string;
  readonly mtu?: number;
  readonly port?: number;
  /** 0 lets the API server choose. */
  readonly nodePort?: number;
  readonly service?: 'LoadBalancer' | 'NodePort' | 'ClusterIP';
  readonly loadBalancerIP?: string;
  /** The endpoint that the client dials instead of that in the server's status. */
  readonly clientAddress?: string;
  readonly clientPort?: number;
  /** Namespaces of other names, at the client and at the server. */
  readonly namespaces?: readonly [client: string, server: string];
  readonly sharesKeys?: boolean;
}

/**
 * Peers two running clusters as liqoctl does: Configurations in both, then the server, the client, and the keys of both.
 * Source: liqotech/liqo@v1.2.0 pkg/liqoctl/network/{handler,cluster}.go, pkg/liqo-controller-manager/networking/forge.
 */
export function peerAsLiqoctl(clusters: ReadonlyMap<string, SimulatedCluster>, peering: LiqoctlPeering): void {
  const [client, server] = [clusterNamed(clusters, peering.client), clusterNamed(clusters, peering.server)];
  const [atClient, atServer] = [
    tenantNamespace(client, server.id, peering.namespaces?.[0]),
    tenantNamespace(server, client.id, peering.namespaces?.[1]),
  ];
  client.apply(configurationOf(server, atClient));
  client.rest();
  server.apply(configurationOf(client, atServer));
  server.rest();
  const { mtu = 1340, port = 51_840, nodePort = 0, service = 'LoadBalancer', loadBalancerIP = '' } = peering;
  const labelled = (remote: SimulatedCluster, namespace: string) => ({
    name: remote.id,
    namespace,
    labels: { [REMOTE]: remote.id },
  });
  server.apply({
    apiVersion: NETWORKING,
    kind: 'GatewayServer',
    metadata: labelled(client, atServer),
    spec: {
      mtu,
      endpoint: {
        port,
        serviceType: service,
        ...(nodePort === 0 ? {} : { nodePort }),
        ...(loadBalancerIP === '' ? {} : { loadBalancerIP }),
      },
      serverTemplateRef: templateOf(server, 'Server'),
      ...UNNAMED_SECRET,
    },
  });
  server.rest();
  const gatewayServer = server.server.get('GatewayServer', client.id, atServer);
  const seen = field<{ readonly addresses?: readonly string[]; readonly port?: number }>(
    gatewayServer,
    'status',
    'endpoint',
  );
  const addresses = peering.clientAddress === undefined ? seen?.addresses : [peering.clientAddress];
  if (addresses === undefined) throw new Error(`liqoctl waits for an address of the gateway of ${server.id}`);
  client.apply({
    apiVersion: NETWORKING,
    kind: 'GatewayClient',
    metadata: labelled(server, atClient),
    spec: {
      mtu,
      endpoint: { addresses, port: peering.clientPort ?? seen?.port ?? port, protocol: 'UDP' },
      clientTemplateRef: templateOf(client, 'Client'),
      ...UNNAMED_SECRET,
    },
  });
  client.rest();
  if (peering.sharesKeys === false) return;
  shareKey(server, client, { gateway: 'GatewayServer', from: atServer, to: atClient });
  shareKey(client, server, { gateway: 'GatewayClient', from: atClient, to: atServer });
}

/** liqoctl writes `secretRef: {}`, and the CRD completes it. */
const UNNAMED_SECRET = { secretRef: { name: '' } };

function clusterNamed(clusters: ReadonlyMap<string, SimulatedCluster>, name: string): SimulatedCluster {
  const found = clusters.get(name);
  if (found === undefined) throw new Error(`there is no cluster ${name}`);
  return found;
}

/** The labels of Pod Security came with 1.2. Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/tenantNamespace/namespaceManager.go. */
function tenantNamespace(cluster: SimulatedCluster, remote: string, name = `liqo-tenant-${remote}`): string {
  const labels = { [REMOTE]: remote, 'liqo.io/tenant-namespace': 'true' };
  const [found] = cluster.server.list('Namespace', labels);
  if (found !== undefined) return found.metadata.name;
  const security = Object.fromEntries(
    ['audit', 'enforce', 'warn'].map((it) => [`pod-security.kubernetes.io/${it}`, 'privileged']),
  );
  cluster.apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { ...labels, ...(cluster.release === '1.2' ? security : {}) } },
  });
  return name;
}

/** The Configuration of a cluster for a peer: the CIDRs of its own Networks. */
function configurationOf(cluster: SimulatedCluster, namespace: string): SimulatedObject {
  const given = (type: string): readonly string[] =>
    cluster.server
      .list('Network', { 'ipam.liqo.io/network-type': type })
      .map((it) => field<string>(it, 'status', 'cidr') ?? '');
  const pod = cluster.release === '1.2' ? given('pod-cidr') : given('pod-cidr').slice(0, 1);
  return {
    apiVersion: NETWORKING,
    kind: 'Configuration',
    metadata: { name: cluster.id, namespace, labels: { [REMOTE]: cluster.id } },
    spec: { remote: { cidr: { pod, external: given('external-cidr') } } },
  };
}

const templateOf = ({ namespace }: SimulatedCluster, role: 'Server' | 'Client') => ({
  apiVersion: NETWORKING,
  kind: `WgGateway${role}Template`,
  name: `wireguard-${role.toLowerCase()}`,
  namespace,
});

interface Sharing {
  readonly gateway: 'GatewayServer' | 'GatewayClient';
  readonly from: string;
  readonly to: string;
}

/** Carries the public half of one end to the other, where the gateway of that end owns it. */
function shareKey(owner: SimulatedCluster, reader: SimulatedCluster, { gateway, from, to }: Sharing): void {
  const found = owner.server.get(gateway, reader.id, from);
  const secret = owner.server.get('Secret', field<string>(found, 'status', 'secretRef', 'name') ?? '', from);
  const other = reader.server.get(gateway === 'GatewayServer' ? 'GatewayClient' : 'GatewayServer', owner.id, to);
  if (secret?.data === undefined || other === undefined) throw new Error(`${owner.id} has no key for ${reader.id}`);
  reader.apply({
    apiVersion: NETWORKING,
    kind: 'PublicKey',
    metadata: {
      name: owner.id,
      namespace: to,
      labels: { [REMOTE]: owner.id, [GATEWAY_RESOURCE]: 'true' },
      ownerReferences: [ownedBy(other)],
    },
    spec: { publicKey: secret.data['publicKey'] },
  });
  reader.rest();
}
