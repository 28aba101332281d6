import type { AddressedModel } from '../fleet/ipam/addressed-model.ts';
import type { TopologyFacts } from './plan-state.ts';
import { gatewayText } from './reachability.ts';

/** A compiled topology, with the loans in it. */
interface Topology extends Pick<AddressedModel, 'clusters' | 'links'> {
  readonly shares: readonly { readonly consumer: { readonly name: string }; readonly hasUnknownKey: boolean }[];
}

/** Facts of a compiled topology that no file contains. */
export function topologyFacts({ clusters, links, shares }: Topology): TopologyFacts {
  const all = [...clusters.values()];
  const ends = links.flatMap(({ server, client }) => [
    { own: server, peer: client.cluster.name },
    { own: client, peer: server.cluster.name },
  ]);
  return {
    releases: new Map(all.map((it) => [it.name, it.release.version])),
    formerNames: new Map(all.flatMap((it) => (it.renamedFrom === null ? [] : [[it.name, it.renamedFrom.value]]))),
    hubs: new Map(all.flatMap((it) => (it.hubs.length === 0 ? [] : [[it.name, it.hubs]]))),
    unknownKeys: new Set([
      ...ends.flatMap(({ own, peer }) => (own.hasUnknownKey ? [gatewayText(own.cluster.name, peer)] : [])),
      ...shares.flatMap((it) => (it.hasUnknownKey ? [it.consumer.name] : [])),
    ]),
  };
}
