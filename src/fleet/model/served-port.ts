import type { Located } from '../../base/source/source.ts';
import type { Annotations, Gateway, ServiceType } from '../topology/declaration.ts';
import { dialAddressOf } from './choose-servers.ts';
import type { ServedLink } from './link-stages.ts';
import type { Endpoint, PortRange } from './network-model.ts';

/** The type of the Service in front of the server end. */
export const serviceOf = ({ link, server }: ServedLink): ServiceType =>
  link.options?.service?.value ?? server.gateway.service;

/** True when clients reach the gateway at a port of its nodes. */
export const isNodePort = (it: ServedLink): boolean => serviceOf(it) === 'NodePort';

/** The address that is requested from the load balancer; `null` for none, and for other types of Service. */
export const loadBalancerIPOf = (it: ServedLink): string | null =>
  serviceOf(it) === 'LoadBalancer'
    ? (it.link.options?.loadBalancerIP?.value ?? it.server.gateway.loadBalancerIP)
    : null;

/** The ports to choose from: node ports, or ports of the Service. */
export const rangeOf = (it: ServedLink): PortRange =>
  isNodePort(it) ? it.server.gateway.nodePorts : it.server.gateway.ports;

/** The port of the Service that the topology sets; `null` without one. */
export function requestedPort(it: ServedLink): Located<number> | null {
  const { nodePort = null, servicePort = null, port = null } = it.link.options ?? {};
  if (isNodePort(it)) return nodePort;
  // Without NAT the client reaches the Service itself, so the port that it dials is the port of the Service.
  return servicePort ?? (isBehindNat(it) ? null : port);
}

const isBehindNat = ({ server: { gateway } }: ServedLink): boolean =>
  gateway.dial.address !== null || gateway.dial.port !== null;

/** The address that the client of a link dials; empty when an earlier rule has reported that there is none. */
export function dialOf(it: ServedLink): string {
  const { address, loadBalancerIP } = it.link.options ?? {};
  const { dial } = it.server.gateway;
  const own = serviceOf(it) === 'LoadBalancer' ? loadBalancerIP : null;
  return (address ?? dial.address ?? own ?? dialAddressOf(it.server, serviceOf(it)))?.value ?? '';
}

/** The port that clients dial when NAT maps it to the port of the Service. */
export function mappedPort(it: ServedLink): Located<number> | null {
  const { servicePort = null, port = null } = it.link.options ?? {};
  if (isNodePort(it) || isBehindNat(it)) return port ?? it.server.gateway.dial.port;
  return servicePort !== null && port !== null && port.value !== servicePort.value ? port : null;
}

/** The address on which the server end listens and the one that the client dials, for a chosen port. */
export function endpointOf(it: ServedLink, port: number): Endpoint {
  const { link, server } = it;
  const { gateway } = server;
  const nodePort = isNodePort(it);
  return {
    address: dialOf(it),
    port: link.options?.port?.value ?? gateway.dial.port?.value ?? port,
    serviceType: serviceOf(it),
    servicePort: nodePort ? (link.options?.servicePort?.value ?? gateway.ports.first) : port,
    nodePort: nodePort ? port : null,
    loadBalancerIP: loadBalancerIPOf(it),
    serviceAnnotations: {
      ...serviceAnnotationsOf(gateway, serviceOf(it)),
      ...link.options?.serviceAnnotations?.value,
    },
  };
}

/** The annotations of every Service of a cluster with this type; those of the topology override the platform's. */
export const serviceAnnotationsOf = (gateway: Gateway, service: ServiceType): Annotations =>
  service === 'LoadBalancer'
    ? { ...gateway.loadBalancerAnnotations, ...gateway.serviceAnnotations }
    : gateway.serviceAnnotations;
