import { bug } from '../../base/diagnostics/outcome.ts';
import { contains, containsAddress, lastAddress, moveHost, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printAddress, symbolicAddress } from '../../base/net/text.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';

/** An address of a packet, as far as it is known at compile time. */
export type Address =
  | { readonly kind: 'known'; readonly value: number }
  /**
   * The address that an IP resource in a known network gets at run time. A trace has at most one such host, so two of
   * these addresses with the same network are the same address.
   */
  | { readonly kind: 'allocated'; readonly network: Prefix }
  /** A node's own address. Peers never see it: it is translated to the unknown source when the packet leaves. */
  | { readonly kind: 'node' };

export const known = (value: number): Address => ({ kind: 'known', value });

export const allocatedIn = (network: Prefix): Address => ({ kind: 'allocated', network });

/**
 * The address as text: `10.60.0.5`, `10.60.0.?` for an address that is assigned at run time, `(node)` for a node's own
 * address.
 */
export function printTraced(address: Address): string {
  switch (address.kind) {
    case 'known':
      return printAddress(address.value);
    case 'allocated':
      return symbolicAddress(address.network);
    case 'node':
      return '(node)';
  }
}

/**
 * The address as a network with one address, or the network from which it is assigned at run time; `null` for a node's
 * own address.
 */
export function networkOf(address: Address): Prefix | null {
  switch (address.kind) {
    case 'known':
      return { base: address.value, length: 32 };
    case 'allocated':
      return address.network;
    case 'node':
      return null;
  }
}

/** True when the address is in the network; for one that is assigned at run time, when its whole network is. */
export function isInside(network: Prefix, address: Address): boolean {
  switch (address.kind) {
    case 'known':
      return containsAddress(network, address.value);
    case 'allocated':
      return contains(network, address.network);
    case 'node':
      return false;
  }
}

/** Moves a host to another network and keeps the host bits, like prefix NAT. */
export function moveTo(network: Prefix, address: Address): Address {
  switch (address.kind) {
    case 'known':
      return known(moveHost(address.value, network));
    case 'allocated':
      return allocatedIn({ base: moveHost(address.network.base, network), length: address.network.length });
    case 'node':
      return address;
  }
}

export function sameAddress(a: Address, b: Address): boolean {
  if (a.kind === 'known') return b.kind === 'known' && a.value === b.value;
  if (a.kind === 'allocated') return b.kind === 'allocated' && samePrefix(a.network, b.network);
  return b.kind === 'node';
}

/**
 * Index of the host in the first pod CIDR that represents a cluster: CNIs assign lower addresses to bridges or reserve
 * them.
 */
const REPRESENTATIVE_HOST = 10;

/**
 * The address that represents all pods of a cluster: the tenth of its first pod CIDR, or the last one of a smaller
 * CIDR.
 */
export function representativePod({ name, podCIDRs }: AddressedCluster): number {
  const first = podCIDRs[0]?.value ?? bug(`"${name}" has no pod CIDR`);
  return Math.min(first.base + REPRESENTATIVE_HOST, lastAddress(first));
}
