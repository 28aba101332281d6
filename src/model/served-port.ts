import type { Located } from '../source/located.ts';
import { dialAddressOf } from './choose-server.ts';
import type { Cluster, Endpoint, PortRange } from './network-model.ts';
import type { ServedLink } from './served-link.ts';

/** Whether clients reach the gateway at a port of its nodes. */
export const isNodePort = (server: Cluster): boolean => server.gateway.service === 'NodePort';

/** The ports to choose from: node ports, or ports of the Service. */
export const rangeOf = (server: Cluster): PortRange =>
  isNodePort(server) ? server.gateway.nodePorts : server.gateway.ports;

/** The port that the topology fixes for the Service, if it does. */
export function requestedPort({ link, server }: ServedLink): Located<number> | null {
  if (isNodePort(server)) return link.options?.nodePort ?? null;
  // Without NAT the client reaches the Service itself, so the port that it dials is the port of the Service.
  return server.gateway.dial.address || server.gateway.dial.port ? null : (link.options?.port ?? null);
}

/** The address that the client of a link dials; empty where an earlier rule has reported that there is none. */
export function dialOf({ link, server }: ServedLink): string {
  return link.options?.address?.value ?? dialAddressOf(server)?.value ?? '';
}

/** The port that clients dial where NAT maps it to the port of the Service. */
export function mappedPort({ link, server }: ServedLink): Located<number> | null {
  const { dial } = server.gateway;
  if (!isNodePort(server) && !dial.address && !dial.port) return null;
  return link.options?.port ?? dial.port;
}

/** Where the server end listens and what the client dials, once its port is chosen. */
export function endpointOf(it: ServedLink, port: number): Endpoint {
  const { gateway } = it.server;
  const nodePort = isNodePort(it.server);
  return {
    address: dialOf(it),
    port: it.link.options?.port?.value ?? gateway.dial.port?.value ?? port,
    serviceType: gateway.service,
    servicePort: nodePort ? gateway.ports.first : port,
    nodePort: nodePort ? port : null,
    loadBalancerIP: gateway.service === 'LoadBalancer' ? gateway.loadBalancerIP : null,
    serviceAnnotations: { ...gateway.serviceAnnotations, ...it.link.options?.serviceAnnotations?.value },
  };
}
