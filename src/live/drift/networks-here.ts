import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { moveHost, type Prefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix, readPrefix } from '../../base/net/text.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Json } from '../dumps/json.ts';
import { type KubernetesObject, remoteOf } from '../dumps/kubernetes-object.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import type { ObservedConfiguration, ObservedPeer } from '../facts/peer.ts';

/** The live meaning of networks in a cluster, and the promises of git about them. */
export interface NetworksHere {
  /** `10.202.3.7 of turin`, `the pods of rome`; `undefined` for an address without a meaning there. */
  readonly meaningOf: (address: number) => string | undefined;
  /** A Network that overlaps this one and belongs to no peer: `Network "lab/own"`. */
  readonly foreignIn: (network: Prefix) => string | undefined;
  /** The peer to which git promises exactly this view. */
  readonly promisedTo: (network: Prefix) => string | undefined;
  /** The views of a peer in the status of its Configuration: pods, then external. */
  readonly liveViewsOf: (peer: string) => readonly ReadView[];
}

/** A CIDR of a peer with its remapped network; `null` for a status that is absent, or is no network. */
interface ReadView {
  readonly type: 'pod' | 'external';
  readonly cidr: Prefix;
  readonly seenAs: Prefix | null;
}

interface Meaning {
  readonly network: Prefix;
  readonly words: (address: number) => string;
}

export function networksHere(
  cluster: AddressedCluster,
  { otherNetworks }: ObservedCluster,
  peers: readonly ObservedPeer[],
): NetworksHere {
  const meanings = new OverlapIndex<Meaning>();
  const foreign = new OverlapIndex<string>();
  const promised = new Map<string, string>();
  const views = new Map<string, readonly ReadView[]>();
  for (const peer of peers) {
    const ofPeer = peer.configurations.flatMap(viewsIn);
    views.set(peer.remote, ofPeer);
    for (const view of ofPeer) {
      if (view.seenAs === null) continue;
      const words = (address: number) =>
        view.type === 'pod'
          ? `${printAddress(moveHost(address, view.cidr))} of ${peer.remote}`
          : `the external network of ${peer.remote}`;
      meanings.add(view.seenAs, { network: view.seenAs, words });
    }
  }
  for (const it of cluster.podCIDRs)
    meanings.add(it.value, {
      network: it.value,
      words: (address) => `${printAddress(address)} of ${cluster.name} itself`,
    });
  const ofPeerings = new Set(peers.flatMap((it) => it.namespaces)).add(cluster.liqoNamespace);
  for (const { namespace, name, given } of otherNetworks) {
    const network = prefixIn(given);
    if (network !== null && !ofPeerings.has(namespace)) foreign.add(network, `Network "${namespace}/${name}"`);
  }
  for (const peer of cluster.peers.values())
    for (const it of [...peer.podViews, peer.externalView]) promised.set(printPrefix(it.seenAs), peer.name);
  return {
    meaningOf: (address) => meanings.first({ base: address, length: 32 })?.words(address),
    foreignIn: (network) => foreign.first(network),
    promisedTo: (network) => promised.get(printPrefix(network)),
    liveViewsOf: (peer) => views.get(peer) ?? [],
  };
}

const viewsIn = ({ remote, seen }: ObservedConfiguration): readonly ReadView[] =>
  (['pod', 'external'] as const).flatMap((type) =>
    remote[type].flatMap((it, index): readonly ReadView[] => {
      const cidr = prefixIn(it);
      return cidr === null ? [] : [{ type, cidr, seenAs: prefixIn(seen?.[type][index]) }];
    }),
  );

/** Reads a text of a cluster as a network; `null` for any other text. */
export function prefixIn(text: Json | undefined): Prefix | null {
  const reading = typeof text === 'string' ? readPrefix(text) : undefined;
  return reading?.ok ? reading.prefix : null;
}

/** Returns the remote cluster of an object, by its label or that of its namespace; `null` for none. */
export type PeerOf = (it: KubernetesObject) => string | null;

/** @param objects including the namespaces; of two with one name the first counts */
export function peersByLabel(objects: Iterable<KubernetesObject>): PeerOf {
  const namespaces = new Map<string, string>();
  for (const it of objects) {
    const peer = remoteOf(it);
    if (it.kind !== 'Namespace' || peer === null || namespaces.has(it.metadata.name)) continue;
    namespaces.set(it.metadata.name, peer);
  }
  return (it) => remoteOf(it) ?? namespaces.get(it.metadata.namespace ?? '') ?? null;
}
