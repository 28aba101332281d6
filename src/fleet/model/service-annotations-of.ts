import type { Annotations, Gateway, ServiceType } from '../topology/declaration.ts';

/** The annotations of every Service of a cluster that is of this type; those of the topology win over the platform's. */
export const serviceAnnotationsOf = (gateway: Gateway, service: ServiceType): Annotations =>
  service === 'LoadBalancer'
    ? { ...gateway.loadBalancerAnnotations, ...gateway.serviceAnnotations }
    : gateway.serviceAnnotations;
