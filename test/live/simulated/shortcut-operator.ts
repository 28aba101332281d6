import { type Fields, field, REMOTE } from './objects.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/**
 * The fork's operator, as the slides show it: for each shortcut, how its hub sees the other end, and how the end itself
 * does. Source: Gabbe64/foreign_cluster_connector@5fa34ef internal/controller; its successor takes the hub's view.
 */
export function operateShortcuts(clusters: ReadonlyMap<string, SimulatedCluster>): void {
  const seen = (at: SimulatedCluster | undefined, remote: string): unknown => {
    const [configuration] = at?.server.list('Configuration', { [REMOTE]: remote }) ?? [];
    return field(configuration, 'status', 'remote', 'cidr', 'pod', 0);
  };
  for (const hub of clusters.values()) {
    for (const connection of hub.server.list('ForeignClusterConnection')) {
      const { foreignClusterA, foreignClusterB } = connection.spec as Record<
        'foreignClusterA' | 'foreignClusterB',
        string
      >;
      const networking = (at: string, remote: string): Fields => ({
        podCIDR: seen(hub, remote),
        remappedPodCIDR: seen(clusters.get(at), remote),
      });
      hub.server.update(connection, (it) => {
        it.status = {
          isConnected: true,
          phase: 'Connected',
          foreignClusterANetworking: networking(foreignClusterA, foreignClusterB),
          foreignClusterBNetworking: networking(foreignClusterB, foreignClusterA),
        };
      });
    }
  }
}
