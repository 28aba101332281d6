import { NODE_PORTS } from '../../base/releases/ports.ts';
import type { LiveEnd, LiveLink } from './live-link.ts';

/** How a link is served, from whatever of its two ends is known. */
export interface Served {
  readonly link: LiveLink;
  readonly service: 'NodePort' | 'LoadBalancer' | 'ClusterIP';
  /** `GatewayServer.spec.endpoint.port`; `null` while only the client is known. */
  readonly servicePort: number | null;
  /** Where the server listens for the client: its node port, or the port of its Service. */
  readonly offered: number;
  readonly loadBalancerIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  /** What the client dials. */
  readonly address: string;
  readonly port: number;
}

/** `null` while neither end says where the client finds the server: there is no gateway yet. */
export function servedAs(link: LiveLink): Served | null {
  const server = link.server.gateway?.role === 'server' ? link.server.gateway : null;
  const dials = dialsOf(link.client);
  const [reachable, asked] = [server?.reachable ?? null, server?.service ?? null];
  const address = dials?.address ?? reachable?.addresses[0] ?? asked?.loadBalancerIP;
  const service = serviceType(asked?.type, dials?.port ?? null);
  const nodePort = asked?.nodePort || reachable?.port;
  const offered = (service === 'NodePort' ? nodePort : asked?.port) || dials?.port;
  if (address === undefined || address === null || !offered) return null;
  return {
    link,
    service,
    servicePort: asked?.port || null,
    offered,
    loadBalancerIP: service === 'LoadBalancer' ? (asked?.loadBalancerIP ?? null) : null,
    annotations: asked?.annotations ?? {},
    address,
    port: dials?.port ?? offered,
  };
}

/** Of a server that nobody dumped, only the port that its client dials is known. */
function serviceType(type: string | undefined, dialled: number | null): Served['service'] {
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') return type;
  const isNodePort = dialled !== null && dialled >= NODE_PORTS.first && dialled <= NODE_PORTS.last;
  return isNodePort ? 'NodePort' : 'LoadBalancer';
}

function dialsOf({ gateway }: LiveEnd): { readonly address: string; readonly port: number } | null {
  const [address] = gateway?.dials?.addresses ?? [];
  const port = gateway?.dials?.port;
  return address === undefined || !port ? null : { address, port };
}
