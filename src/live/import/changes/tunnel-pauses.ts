import { sortedUnique } from '../../../base/core/order.ts';
import type { Link } from '../../../fleet/model/network-model.ts';

/** Tunnels that carry nothing for a moment when a GitOps tool takes their objects over. */
export interface TunnelPauses {
  readonly tunnels: number;
  /** The clusters that serve them, by name. */
  readonly servers: readonly string[];
}

/** How long they carry nothing, measured: until the client gives its session up. */
export const PAUSE_SECONDS = 15;

/**
 * Any change of a PublicKey, also of its annotations alone, lets the gateway configure its peer again; a server before 1.2 then
 * forgets where its client is. Source: liqotech/liqo@v1.1.2 pkg/gateway/tunnel/wireguard/publickeys_controller.go (Predicates),
 * device.go.
 *
 * @param dumped clusters whose objects would be taken over
 */
export function tunnelPauses(links: readonly Link[], dumped: ReadonlySet<string>): TunnelPauses {
  const servers = links.flatMap(({ server: { cluster } }) =>
    dumped.has(cluster.name) && !cluster.traits.preservesClientEndpoint ? [cluster.name] : [],
  );
  return { tunnels: servers.length, servers: sortedUnique(servers) };
}
