import type { Prefix } from './prefix.ts';
import { printAddress } from './text.ts';

/**
 * `10.60.0.?` for an address of 10.60.0.0/16 that is only known at run time. Liqo assigns the addresses of an external
 * CIDR from its start, so that the first few hundred look like this; the network itself is printed next to it.
 */
export const symbolicAddress = (network: Prefix): string => printAddress(network.base).replace(/\d+$/, '?');
