import { LINK_LOCAL, NEVER_ROUTED, type SpecialNetwork } from '../../base/net/special-networks.ts';
import { prefixOf } from '../../base/net/text.ts';

/** Networks that no cluster can route. Source of the tunnel's: liqotech/liqo@v1.2.0 pkg/gateway/tunnel. */
export const UNROUTED_NETWORKS: readonly SpecialNetwork[] = [
  ...NEVER_ROUTED,
  { prefix: prefixOf('169.254.18.0/24'), what: 'the addresses inside every tunnel of Liqo' },
];

/** With the addresses of a link. A cluster may reserve those: its nodes have some. */
export const UNUSABLE_NETWORKS: readonly SpecialNetwork[] = [...UNROUTED_NETWORKS, LINK_LOCAL];
