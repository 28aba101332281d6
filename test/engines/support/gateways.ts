import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { ControlPlane } from './control-plane.ts';
import type { LiveObject } from './kube.ts';
import { everySecond } from './processes.ts';

/**
 * The `wireguard` containers of gateways, played for a whole fleet: each writes the Connection of its tunnel, which is
 * connected while both ends run, each has the other's public key, and the client dials an address and port of the server.
 * Sources: `liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/k8s.go`, `pkg/gateway/connection/k8s.go`.
 */
export interface Gateways {
  /** Ends of tunnels that are not connected, with the reason. */
  waiting(): readonly string[];
  stop(): Promise<void>;
}

export interface GatewayCluster {
  readonly plane: ControlPlane;
  /** The addresses at which peers reach node ports and load balancers of the cluster. */
  readonly addresses: readonly string[];
}

interface End {
  readonly cluster: GatewayCluster;
  readonly peer: string;
  readonly gateway: string;
  readonly namespace: string;
  readonly uid: string;
  readonly mode: 'server' | 'client';
  readonly ownKey: string | null;
  /** The key that it has of its peer. */
  readonly peerKey: string | null;
  /** The address and port that a client dials. */
  readonly dials: string | null;
  /** The places where a server is dialled, as `address:port`. */
  readonly listens: readonly string[];
}

/** Looks at all clusters once a second. `clusters` may change while it runs. */
export function playGateways(clusters: () => readonly GatewayCluster[]): Gateways {
  const ending = new AbortController();
  let waiting: readonly string[] = ['the first look'];
  const done = everySecond(ending.signal, async () => {
    const ends = (await Promise.all(clusters().map((it) => endsOf(it)))).flat();
    const problems = (await Promise.all(clusters().map((it) => withoutPod(it, ends)))).flat();
    for (const end of ends) {
      const problem = problemOf(end, ends);
      if (problem !== null) problems.push(`${end.cluster.plane.name} to ${end.peer}: ${problem}`);
      await writeConnection(end, problem === null ? 'Connected' : 'Connecting').catch(() => undefined);
    }
    waiting = problems;
  });
  return {
    waiting: () => waiting,
    stop: async () => {
      ending.abort();
      await done;
    },
  };
}

function problemOf(end: End, ends: readonly End[]): string | null {
  const other = ends.find((it) => it.cluster.plane.name === end.peer && it.peer === end.cluster.plane.name);
  if (other === undefined) return 'the gateway there does not run';
  if (end.ownKey === null || other.ownKey === null) return 'a key is missing';
  if (end.peerKey !== other.ownKey) return `has not the key of ${end.peer}`;
  if (other.peerKey !== end.ownKey) return `${end.peer} has not its key`;
  const [client, server] = end.mode === 'client' ? [end, other] : [other, end];
  if (client.mode === server.mode) return `both are ${client.mode}s`;
  if (client.dials !== null && server.listens.includes(client.dials)) return null;
  return `${client.dials} is dialled, and ${server.listens.join(', ')} is open`;
}

/** Gateways whose Pods do not run yet. */
async function withoutPod({ plane }: GatewayCluster, ends: readonly End[]): Promise<readonly string[]> {
  const gateways = [
    ...(await plane.kube.list(NETWORKING, 'GatewayServer')),
    ...(await plane.kube.list(NETWORKING, 'GatewayClient')),
  ];
  return gateways
    .filter(({ metadata }) => !ends.some((it) => it.uid === metadata.uid))
    .map(({ metadata }) => `${plane.name}: the gateway ${metadata.namespace}/${metadata.name} does not run`);
}

async function endsOf(cluster: GatewayCluster): Promise<readonly End[]> {
  const { kube } = cluster.plane;
  const pods = (await kube.list('v1', 'Pod')).filter(isGatewayPod);
  if (pods.length === 0) return [];
  const keys = await kube.list('networking.liqo.io/v1beta1', 'PublicKey');
  const services = (await kube.list('v1', 'Service')).filter((it) => it['spec'].selector !== undefined);
  for (const it of services) await giveAddress(cluster, it);
  const ends: End[] = [];
  for (const pod of pods) {
    if (pod.metadata.labels?.[ACTIVE] === undefined)
      await kube.merge(pod, { metadata: { labels: { [ACTIVE]: 'true' } } });
    const args = argsOf(pod);
    const namespace = args.get('namespace') ?? '';
    const peer = args.get('remote-cluster-id') ?? '';
    const mode = args.get('mode') === 'server' ? 'server' : 'client';
    const peerKey = keys.find(
      (it) => it.metadata.namespace === namespace && it.metadata.labels?.['liqo.io/remote-cluster-id'] === peer,
    );
    ends.push({
      cluster,
      peer,
      gateway: args.get('name') ?? '',
      namespace,
      uid: args.get('gateway-uid') ?? '',
      mode,
      ownKey: await ownKeyOf(cluster.plane, pod),
      peerKey: peerKey?.['spec'].publicKey ?? null,
      dials: mode === 'client' ? `${args.get('endpoint-address')}:${args.get('endpoint-port')}` : null,
      listens:
        mode === 'client'
          ? []
          : openPorts(
              cluster,
              services.filter((it) => selects(it, pod)),
            ),
    });
  }
  return ends;
}

function isGatewayPod(pod: LiveObject): boolean {
  const containers: readonly { readonly name: string }[] = pod['spec'].containers;
  const isGoing = pod.metadata.deletionTimestamp !== undefined;
  return !isGoing && pod['status']?.phase === 'Running' && containers.some((it) => it.name === 'wireguard');
}

function argsOf(pod: LiveObject): ReadonlyMap<string, string> {
  const containers: readonly { readonly name: string; readonly args?: readonly string[] }[] = pod['spec'].containers;
  const args = containers.find((it) => it.name === 'wireguard')?.args ?? [];
  return new Map(args.map((it) => it.replace(/^--/, '').split(/=(.*)/s)).map(([key = '', value = '']) => [key, value]));
}

/** The key in the Secret that is mounted; the Pod does not run without it. */
async function ownKeyOf({ kube }: ControlPlane, pod: LiveObject): Promise<string | null> {
  const volumes: readonly { readonly secret?: { readonly secretName: string } }[] = pod['spec'].volumes ?? [];
  const name = volumes.find((it) => it.secret !== undefined)?.secret?.secretName;
  if (name === undefined) return null;
  const secret = await kube.get('v1', 'Secret', name, pod.metadata.namespace);
  const stored: string | undefined = secret?.['data']?.privateKey;
  return stored === undefined ? null : publicKeyOf(stored);
}

const PKCS8_X25519 = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Both in base64; the Secret's value is the key itself, or its text. */
function publicKeyOf(stored: string): string {
  const bytes = Buffer.from(stored, 'base64');
  const key = bytes.length === 32 ? bytes : Buffer.from(bytes.toString('utf8').trim(), 'base64');
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_X25519, key]), format: 'der', type: 'pkcs8' });
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

interface ServicePort {
  readonly port: number;
  readonly nodePort?: number;
}

function openPorts({ addresses }: GatewayCluster, services: readonly LiveObject[]): readonly string[] {
  return services.flatMap((it) => {
    const {
      type,
      ports,
      clusterIP,
    }: { readonly type: string; readonly ports: readonly ServicePort[]; readonly clusterIP: string } = it['spec'];
    return ports.flatMap(({ port, nodePort }) => [
      ...(nodePort === undefined ? [] : addresses.map((address) => `${address}:${nodePort}`)),
      ...(type === 'LoadBalancer' ? addresses.map((address) => `${address}:${port}`) : [`${clusterIP}:${port}`]),
    ]);
  });
}

function selects(service: LiveObject, pod: LiveObject): boolean {
  const selector: Readonly<Record<string, string>> = service['spec'].selector;
  return (
    service.metadata.namespace === pod.metadata.namespace &&
    Object.entries(selector).every(([key, value]) => pod.metadata.labels?.[key] === value)
  );
}

/** The gateway container labels its Pod when it leads, and Liqo answers with an endpoint only then; no container runs here. */
const ACTIVE = 'networking.liqo.io/active';

/** A load balancer of the cloud gives the address that the topology names. */
async function giveAddress({ plane, addresses }: GatewayCluster, service: LiveObject): Promise<void> {
  if (service['spec'].type !== 'LoadBalancer' || service['status']?.loadBalancer?.ingress !== undefined) return;
  const address = service['spec'].loadBalancerIP ?? addresses[0];
  const ingress = /^[\d.]+$/.test(address) ? { ip: address } : { hostname: address };
  await plane.kube.setStatus(service, { loadBalancer: { ingress: [ingress] } });
}

async function writeConnection(end: End, value: 'Connected' | 'Connecting'): Promise<void> {
  const { kube } = end.cluster.plane;
  const name = `gw-${end.gateway}`;
  const kind = end.mode === 'server' ? 'Server' : 'Client';
  const known = await kube.get(NETWORKING, 'Connection', name, end.namespace);
  if (known?.['status']?.value === value && known['spec'].gatewayRef.uid === end.uid) return;
  const owner = { apiVersion: NETWORKING, kind: `Gateway${kind}`, name: end.gateway, uid: end.uid };
  const gatewayRef = { ...owner, kind: `WgGateway${kind}`, namespace: end.namespace };
  const labels = { 'liqo.io/remote-cluster-id': end.peer };
  const metadata = { name, namespace: end.namespace, labels, ownerReferences: [owner] };
  const made = await kube.apply({
    apiVersion: NETWORKING,
    kind: 'Connection',
    metadata,
    spec: { type: kind, gatewayRef },
  });
  await kube.setStatus(made, { value, latency: { value: '1ms', timestamp: new Date().toISOString() } });
}

const NETWORKING = 'networking.liqo.io/v1beta1';
