/** A filter of tcpdump for packets from some networks to others. */
export const fromTo = (sources: readonly string[], destinations: readonly string[]): string =>
  `'(${either('src', sources)}) and (${either('dst', destinations)})'`;

const either = (direction: 'src' | 'dst', networks: readonly string[]): string =>
  networks.map((it) => `${direction} net ${it}`).join(' or ');
