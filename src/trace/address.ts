import { contains, containsAddress, moveHost, type Prefix, samePrefix } from '../net/prefix.ts';
import { symbolicAddress } from '../net/symbolic-address.ts';
import { printAddress } from '../net/text.ts';

/** An address of a packet, as far as compile time knows it. */
export type Address =
  | { readonly kind: 'known'; readonly value: number }
  /**
   * The one that an IP resource gets at run time, somewhere in a network that is known. A trace has one such host at
   * most, so two of them with the same network are the same address.
   */
  | { readonly kind: 'allocated'; readonly network: Prefix }
  /** A node's own address. Liqo gives it to no peer: on the way out it becomes the unknown source. */
  | { readonly kind: 'node' };

export const known = (value: number): Address => ({ kind: 'known', value });

export const allocatedIn = (network: Prefix): Address => ({ kind: 'allocated', network });

/** `10.60.0.5`, `10.60.0.?` for an address that only run time knows, `(node)` for a node's own. */
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

/** Whether the address lies in the network, wherever in its own network run time puts it. */
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

/** The same host in another network, as prefix NAT does it: host bits are kept. */
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
