import { prefixOf, printPrefix } from '../../../src/base/net/text.ts';
import type { AddressedCluster, AddressedModel } from '../../../src/fleet/ipam/addressed-model.ts';
import type { Link } from '../../../src/fleet/model/network-model.ts';
import type { LiveNetwork, LiveView } from '../../../src/live/adopt/live-network.ts';
import { Ipam } from '../simulated/ipam.ts';

/** A request to the IPAM of a cluster. */
interface Asked {
  readonly kind: LiveView['kind'];
  readonly cidr: string;
}

export interface Walk {
  /** In the order in which their Configurations are applied, at both ends. */
  readonly links: readonly Link[];
  /** Peers that ask for nothing else than their own networks come first, as in a rollout. */
  readonly freeFirst: boolean;
  /** True if the objects contain the order in which the views were given. */
  readonly hints: boolean;
}

/**
 * The views of clusters after a walk, from an IPAM that shares no code with the allocators; `null` where one has no
 * room.
 */
export function walked({ clusters }: AddressedModel, { links, freeFirst, hints }: Walk): LiveNetwork | null {
  const views: LiveView[] = [];
  for (const cluster of clusters.values()) {
    const peers = links.flatMap(({ server, client }) => {
      const ends = [server.cluster.name, client.cluster.name];
      const peer = ends[0] === cluster.name ? ends[1] : ends[1] === cluster.name ? ends[0] : undefined;
      return peer === undefined ? [] : [peer];
    });
    const ipam = startedIpam(cluster);
    if (ipam === null) return null;
    const requests = (peer: string): readonly Asked[] => {
      const it = clusters.get(peer);
      return [
        ...(it?.podCIDRs ?? []).map(({ value }) => ({ kind: 'pod' as const, cidr: printPrefix(value) })),
        ...(it === undefined ? [] : [{ kind: 'external' as const, cidr: printPrefix(it.externalCIDR) }]),
      ];
    };
    const given = new Map<string, readonly (string | undefined)[]>();
    const free = freeFirst ? peers.filter((it) => takesItsOwn(ipam, requests(it))) : [];
    for (const peer of free)
      given.set(
        peer,
        requests(peer).map((it) => it.cidr),
      );
    for (const peer of peers.filter((it) => !given.has(it)))
      given.set(
        peer,
        requests(peer).map((it) => ipam.acquire(it.cidr)),
      );
    let version = 100;
    for (const [peer, networks] of given) {
      for (const [index, { kind, cidr }] of requests(peer).entries()) {
        const seenAs = networks[index];
        if (seenAs === undefined) return null;
        views.push({
          viewer: cluster.name,
          peer,
          kind,
          cidr: prefixOf(cidr),
          object: { namespace: `liqo-tenant-${peer}`, name: peer },
          seenAs: prefixOf(seenAs),
          given: { created: null, version: hints ? version++ : null },
        });
      }
    }
  }
  return { views, waiting: [], ports: [] };
}

function startedIpam(cluster: AddressedCluster): Ipam | null {
  const sharesNetworks = cluster.allocator === 'liqo-1.2';
  const ipam = new Ipam(
    cluster.pools.map((it) => printPrefix(it.value)),
    { sharesNetworks },
  );
  for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved])
    ipam.reserve(printPrefix(value), { shared: true });
  const own = [cluster.externalCIDR, cluster.internalCIDR].map((it) => ipam.reserve(printPrefix(it)));
  return own.includes(undefined) ? null : ipam;
}

/** Takes all networks of a peer as they are, or none of them. */
function takesItsOwn(ipam: Ipam, requests: readonly Asked[]): boolean {
  const taken: string[] = [];
  for (const { cidr } of requests) {
    const given = ipam.reserve(cidr);
    if (given === undefined) {
      for (const it of taken) ipam.release(it);
      return false;
    }
    taken.push(given);
  }
  return true;
}
