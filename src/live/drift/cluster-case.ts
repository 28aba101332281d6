import { groupBy } from '../../base/core/collections.ts';
import { type Span, startOf } from '../../base/source/source.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import { isTenantNamespace, type KubernetesObject, type LiveCluster } from '../dumps/kubernetes-object.ts';
import { type ObservedCluster, observeCluster } from '../facts/cluster.ts';
import { type ObservedPeer, observePeer } from '../facts/peer.ts';
import { type Finding, type FindingPool, findingPool } from './drift.ts';
import { type NetworksHere, networksHere, peersByLabel } from './networks-here.ts';
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

interface CaseInput {
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
