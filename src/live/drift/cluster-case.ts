import { groupBy } from '../../base/core/collections.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { moveHost, type Prefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix, readPrefix } from '../../base/net/text.ts';
import { type Span, startOf } from '../../base/source/source.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Json } from '../dumps/json.ts';
import { isTenantNamespace, type KubernetesObject, type LiveCluster, remoteOf } from '../dumps/kubernetes-object.ts';
import { type ObservedCluster, observeCluster } from '../facts/cluster.ts';
import { type ObservedConfiguration, type ObservedPeer, observePeer } from '../facts/peer.ts';
import { type Finding, type FindingPool, findingPool } from './drift.ts';
import { type PromisedObjects, promisedSpan, waveOf } from './promised-objects.ts';

/** A cluster with everything from which its problems are derived. */
export interface ClusterCase {
  readonly model: AddressedModel;
  readonly cluster: AddressedCluster;
  readonly live: LiveCluster;
  readonly facts: ObservedCluster;
  readonly networks: NetworksHere;
  /** The place for findings that are in no file of the bundle. */
  readonly at: Span;
  /** The greatest sync wave with an existing object; `-Infinity` without any. */
  readonly reachedWave: number;
  /** Findings that are not about a peer. */
  readonly pool: FindingPool;
  readonly peers: ReadonlyMap<string, PeerCase>;
}

/** A peer of the cluster, in git, in the cluster or in both. */
export interface PeerCase {
  readonly peer: string;
  /** `undefined` for a peer that is not in git. */
  readonly declared: Peer | undefined;
  readonly promised: readonly KubernetesObject[];
  readonly live: readonly KubernetesObject[];
  /** Facts from `live`, which includes objects of which only the namespace has the peer's label. */
  readonly facts: ObservedPeer;
  /** The place of its Configuration in the bundle, or the nearest one. */
  readonly at: Span;
  readonly pool: FindingPool;
}

export interface CaseInput {
  readonly model: AddressedModel;
  readonly cluster: AddressedCluster;
  readonly promised: PromisedObjects;
  readonly live: LiveCluster;
  readonly findings: readonly Finding[];
  /** The folder of the bundles in messages. */
  readonly root: string;
}

export function clusterCase({ model, cluster, promised, live, findings, root }: CaseInput): ClusterCase {
  const wanted = [...promised.entries()];
  const here = [...live.objects.values()];
  const peerOf = peersByLabel([...wanted.map(([, it]) => it.object), ...here]);
  const keyed = (it: KubernetesObject): readonly string[] => [peerOf(it) ?? ''];
  const promisedBy = groupBy(wanted, ([, it]) => keyed(it.object));
  const liveBy = groupBy(here, keyed);
  const findingsBy = groupBy(findings, (it) => [it.peer ?? '']);
  const at = startOf({ path: `${root}/${cluster.name}/kustomization.yaml`, text: '' });
  const present = wanted
    .filter(([key, it]) => it.isApplied && live.objects.has(key))
    .map(([, it]) => waveOf(it.object));
  const names = new Set([...cluster.peers.keys(), ...findingsBy.keys(), ...liveBy.keys()].filter((it) => it !== ''));
  const peers = [...names].map((peer): readonly [string, PeerCase] => {
    const ours = promisedBy.get(peer) ?? [];
    const place = (ours.find(([, it]) => it.object.kind === 'Configuration') ?? ours[0])?.[1];
    return [
      peer,
      {
        peer,
        declared: cluster.peers.get(peer),
        promised: ours.map(([, it]) => it.object),
        live: liveBy.get(peer) ?? [],
        facts: observePeer(peer, liveBy.get(peer) ?? []),
        at: place === undefined ? at : promisedSpan(place, []),
        pool: findingPool(findingsBy.get(peer) ?? []),
      },
    ];
  });
  const facts = observeCluster(live);
  const ofPeers = peers.map(([, it]) => it.facts);
  return {
    model,
    cluster,
    live,
    facts,
    networks: networksHere(cluster, facts, ofPeers),
    at,
    reachedWave: present.reduce((most, it) => Math.max(most, it), Number.NEGATIVE_INFINITY),
    pool: findingPool(findingsBy.get('') ?? []),
    peers: new Map(peers),
  };
}

export const ofKind = (
  objects: readonly KubernetesObject[],
  ...kinds: readonly string[]
): readonly KubernetesObject[] => objects.filter((it) => kinds.includes(it.kind));

/** Kinds of which each object is part of a loan: if it is deleted, the loan's pods end. */
export const LOAN_KINDS = ['Tenant', 'Identity', 'ResourceSlice', 'VirtualNode', 'NamespaceOffloading'];

/** The name of the promised tenant namespace for a peer; `undefined` for a peer that is not in git. */
export const namespaceOf = ({ promised }: PeerCase): string | undefined =>
  promised.find(isTenantNamespace)?.metadata.name;

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

function networksHere(
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
