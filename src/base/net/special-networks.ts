import { contains, containsAddress, type Prefix } from './prefix.ts';
import { prefixOf } from './text.ts';

/** A network of special addresses, and their kind, for messages. */
export interface SpecialNetwork {
  readonly prefix: Prefix;
  readonly what: string;
}

/** Networks that are never routed. Source: the registry of special addresses in RFC 6890; RFC 5771 for multicast. */
export const NEVER_ROUTED: readonly SpecialNetwork[] = [
  { prefix: prefixOf('0.0.0.0/8'), what: 'addresses that mean "this host"' },
  { prefix: prefixOf('127.0.0.0/8'), what: 'loopback addresses' },
  { prefix: prefixOf('224.0.0.0/4'), what: 'multicast addresses' },
  { prefix: prefixOf('240.0.0.0/4'), what: 'addresses that are never routed' },
];

/** Addresses that a host uses only on its own link. Source: RFC 3927. */
export const LINK_LOCAL: SpecialNetwork = { prefix: prefixOf('169.254.0.0/16'), what: 'link-local addresses' };

/** Address space of private and special use. Source: RFC 6890, RFC 1918, RFC 6598 (100.64.0.0/10), RFC 2544 (198.18.0.0/15). */
const NOT_PUBLIC: readonly Prefix[] = [
  ...[...NEVER_ROUTED, LINK_LOCAL].map((it) => it.prefix),
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'].map(prefixOf),
  ...['192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].map(prefixOf),
];

/** True for a network that is not inside private or special address space. */
export const isPublic = (prefix: Prefix): boolean => !NOT_PUBLIC.some((it) => contains(it, prefix));

/** The special network that contains an address; `undefined` for an address that can be routed. */
export const specialNetworkOf = (address: number): SpecialNetwork | undefined =>
  [...NEVER_ROUTED, LINK_LOCAL].find((it) => containsAddress(it.prefix, address));
