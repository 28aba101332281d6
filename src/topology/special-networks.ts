import type { Prefix } from '../net/prefix.ts';
import { prefixOf } from '../net/text.ts';

/** A network whose addresses are special, and what they are, for messages. */
export interface SpecialNetwork {
  readonly prefix: Prefix;
  readonly what: string;
}

/**
 * Networks that no cluster can route. Source of the tunnel's: liqotech/liqo@v1.2.0 pkg/gateway/tunnel; of the others: the
 * registry of special addresses in RFC 6890, and RFC 5771 for multicast.
 */
export const UNROUTED_NETWORKS: readonly SpecialNetwork[] = [
  { prefix: prefixOf('0.0.0.0/8'), what: 'addresses that mean "this host"' },
  { prefix: prefixOf('127.0.0.0/8'), what: 'loopback addresses' },
  { prefix: prefixOf('169.254.18.0/24'), what: 'the addresses inside every tunnel of Liqo' },
  { prefix: prefixOf('224.0.0.0/4'), what: 'multicast addresses' },
  { prefix: prefixOf('240.0.0.0/4'), what: 'addresses that are never routed' },
];

/** With the addresses that a host uses only on its own link. A cluster may reserve them: its nodes have some (RFC 3927). */
export const UNUSABLE_NETWORKS: readonly SpecialNetwork[] = [
  ...UNROUTED_NETWORKS,
  { prefix: prefixOf('169.254.0.0/16'), what: 'link-local addresses' },
];
