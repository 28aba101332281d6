import type { Prefix } from '../net/prefix.ts';
import { prefixOf } from '../net/text.ts';

/** Networks that no cluster can use. Source of the tunnel's: liqotech/liqo@v1.2.0 pkg/gateway/tunnel. */
export const SPECIAL_NETWORKS: readonly { readonly prefix: Prefix; readonly what: string }[] = [
  { prefix: prefixOf('0.0.0.0/8'), what: 'addresses that mean "this host"' },
  { prefix: prefixOf('127.0.0.0/8'), what: 'loopback addresses' },
  { prefix: prefixOf('169.254.18.0/24'), what: 'the addresses inside every tunnel of Liqo' },
  { prefix: prefixOf('224.0.0.0/4'), what: 'multicast addresses' },
  { prefix: prefixOf('240.0.0.0/4'), what: 'addresses that are never routed' },
];
