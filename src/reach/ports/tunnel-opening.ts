import { targetsPods } from '../../base/releases/platforms.ts';
import { type Decisions, decisionAbout } from '../../fleet/lock/decisions.ts';
import { listenPortOf } from '../../fleet/model/listen-port-of.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { Opening, Place, Target } from './opening.ts';

interface TunnelFacts {
  /** Of packets of the client. */
  readonly sources: readonly string[];
  /** Those of the lock. */
  readonly decisions: Decisions;
}

/** The tunnel of a link: the client sends WireGuard's packets to the server, which answers. */
export function tunnelOpening(link: Link, { sources, decisions }: TunnelFacts): Opening {
  const { server, client, endpoint } = link;
  const { address, port } = endpoint;
  const { gateway } = server.cluster;
  const exposed = endpoint.nodePort ?? endpoint.servicePort;
  const nat = port !== exposed || address === gateway.dial.address?.value;
  const [first, ...inner] = placesOf(link);
  return {
    purpose: 'tunnel',
    protocol: 'udp',
    from: client.cluster.name,
    to: server.cluster.name,
    sources,
    dialled: { address, port },
    places: [{ ...first, address: nat ? addressInside(link) : address }, ...inner],
    nat,
    range: rangeAround(link, port),
    decidedBy: 'topology',
    recorded:
      decisionAbout<number>(decisions, { kind: 'port', link: link.id, server: server.cluster.name })?.value === exposed,
    silent: client.cluster.gateway.ping?.enabled === false,
  };
}

/** From outside in. The address of the first one depends on NAT; those behind it are given by Kubernetes. */
function placesOf(link: Link): readonly [Place, ...Place[]] {
  const { serviceType, servicePort, nodePort, serviceAnnotations } = link.endpoint;
  const service: Place = { kind: 'service', address: null, port: servicePort };
  const pod: Place = { kind: 'pod', address: null, port: listenPortOf(link) };
  if (serviceType === 'NodePort') return [{ kind: 'node', address: null, port: nodePort }, service, pod];
  if (serviceType === 'ClusterIP') return [service, pod];
  const balancer: Place = { kind: 'load-balancer', address: null, port: servicePort };
  const { allocatesNodePorts } = link.server.cluster.gateway;
  // Kubernetes chooses the node port of a load balancer when it makes the Service.
  const node: Place = { kind: 'node', address: null, port: null };
  return allocatesNodePorts && !targetsPods(serviceAnnotations) ? [balancer, node, service, pod] : [balancer, pod];
}

/** What the topology has of the address behind NAT. */
function addressInside({ server, endpoint }: Link): Target['address'] {
  const own = server.cluster.gateway.addresses[0]?.value ?? null;
  return endpoint.loadBalancerIP ?? (own === endpoint.address ? null : own);
}

function rangeAround({ server, endpoint }: Link, port: number): Opening['range'] {
  const { ports, nodePorts } = server.cluster.gateway;
  const { first, last } = endpoint.nodePort === null ? ports : nodePorts;
  const exposed = endpoint.nodePort ?? endpoint.servicePort;
  return port === exposed && first <= port && port <= last ? { first, last } : null;
}
