import type { LinkDeclaration, ServiceType } from './declaration.ts';

/** The types of Service that links name for server ends, by cluster. Without `server` it may be that of either end. */
export function servicesOfLinks(links: readonly LinkDeclaration[]): ReadonlyMap<string, ReadonlySet<ServiceType>> {
  const services = new Map<string, Set<ServiceType>>();
  for (const { between, server, service } of links) {
    if (!service) continue;
    for (const { value } of server ? [server] : between) {
      const known = services.get(value) ?? new Set<ServiceType>();
      services.set(value, known.add(service.value));
    }
  }
  return services;
}
