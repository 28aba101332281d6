import { printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';

/** A cluster in the list of all clusters. */
export interface ListedCluster {
  readonly cluster: string;
  readonly liqo: string;
  readonly retired: boolean;
  readonly podCIDRs: readonly string[];
  /** The address that peers dial; `null` for a cluster that is always a client. */
  readonly gateway: string | null;
  /** The hubs of this spoke, by name. */
  readonly hubs: readonly string[];
  /** True when other clusters are spokes of it. */
  readonly isHub: boolean;
  readonly links: number;
}

/** The clusters of a fleet, by name. */
export function listClusters({ clusters }: AddressedModel): readonly ListedCluster[] {
  const hubs = new Set([...clusters.values()].flatMap((it) => it.hubs));
  return [...clusters.values()].map((it) => ({
    cluster: it.name,
    liqo: it.release.version,
    retired: it.retired,
    podCIDRs: it.podCIDRs.map((pods) => printPrefix(pods.value)),
    gateway: dialled(it),
    hubs: it.hubs,
    isHub: hubs.has(it.name),
    links: it.peers.size,
  }));
}

const dialled = ({ gateway }: AddressedCluster): string | null =>
  gateway.dial.address?.value ?? gateway.addresses[0]?.value ?? null;
