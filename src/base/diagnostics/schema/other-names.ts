/** What other tools, and people, call keys of weft. The first known one is meant. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  borrower: ['consumer'],
  cidr: ['podCIDR'],
  clusterCIDR: ['podCIDR'],
  endpoint: ['addresses', 'address'],
  from: ['provider'],
  host: ['address', 'addresses'],
  ip: ['addresses', 'address'],
  lender: ['provider'],
  links: ['peerings'],
  namespaces: ['offloading'],
  node: ['clusters'],
  nodes: ['clusters'],
  peers: ['peerings'],
  podSubnet: ['podCIDR'],
  pods: ['podCIDR'],
  publicIP: ['gateway', 'addresses'],
  release: ['version'],
  serviceSubnet: ['serviceCIDR'],
  services: ['serviceCIDR'],
  subnet: ['podCIDR'],
  svcCIDR: ['serviceCIDR'],
  to: ['consumer'],
  url: ['repository', 'server', 'address'],
};

/** The known key that another tool calls by a name. */
export const ownNameOf = (name: string, known: readonly string[]): string | undefined =>
  Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]?.find((it) => known.includes(it)) : undefined;
