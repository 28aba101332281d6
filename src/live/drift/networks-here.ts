import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { moveHost, type Prefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix, readPrefix } from '../../base/net/text.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';

/** What networks mean in a cluster at the moment, and what git promises about them. */
export interface NetworksHere {
  /** `10.202.3.7 of turin`, `the pods of rome`; `undefined` for an address that means nothing there. */
  readonly meaningOf: (address: number) => string | undefined;
  /** The Network that uses a part of it and is none of Liqo's peers: `Network "lab/own"`. */
  readonly foreignIn: (network: Prefix) => string | undefined;
  /** The peer for which git promises exactly this view. */
  readonly promisedTo: (network: Prefix) => string | undefined;
  /** The views of a peer in the status of its Configuration: pods, then external. */
  readonly liveViewsOf: (peer: string) => readonly LiveView[];
}

/** A CIDR of a peer, with what the cluster calls it; `null` for a status that is not there, or is no network. */
interface LiveView {
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
  objects: readonly KubernetesObject[],
  peerOf: PeerOf,
): NetworksHere {
  const meanings = new OverlapIndex<Meaning>();
  const foreign = new OverlapIndex<string>();
  const promised = new Map<string, string>();
  const views = new Map<string, LiveView[]>();
  for (const it of objects.filter((one) => one.kind === 'Configuration')) {
    const peer = peerOf(it);
    if (peer === null) continue;
    for (const view of viewsIn(it)) {
      views.set(peer, [...(views.get(peer) ?? []), view]);
      if (view.seenAs === null) continue;
      const what = view.type === 'pod' ? '' : 'the external network of ';
      const words = (address: number) =>
        what === '' ? `${printAddress(moveHost(address, view.cidr))} of ${peer}` : `${what}${peer}`;
      meanings.add(view.seenAs, { network: view.seenAs, words });
    }
  }
  for (const it of cluster.podCIDRs)
    meanings.add(it.value, {
      network: it.value,
      words: (address) => `${printAddress(address)} of ${cluster.name} itself`,
    });
  for (const it of objects.filter((one) => one.kind === 'Network' && peerOf(one) === null)) {
    const network = prefixIn(textAt(it['status'], 'cidr'));
    if (network !== null && it.metadata.namespace !== cluster.liqoNamespace)
      foreign.add(network, `Network "${it.metadata.namespace ?? ''}/${it.metadata.name}"`);
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

function viewsIn(configuration: KubernetesObject): readonly LiveView[] {
  return (['pod', 'external'] as const).flatMap((type) => {
    const real = textsOf(jsonAt(configuration['spec'], 'remote', 'cidr', type));
    const seen = textsOf(jsonAt(configuration['status'], 'remote', 'cidr', type));
    return real.flatMap((it, index): readonly LiveView[] => {
      const cidr = prefixIn(it);
      return cidr === null ? [] : [{ type, cidr, seenAs: prefixIn(seen[index]) }];
    });
  });
}

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map((it) => (typeof it === 'string' ? it : '')) : [];

/** A text of a cluster as a network; `null` for any other text. */
export function prefixIn(text: Json | undefined): Prefix | null {
  const reading = typeof text === 'string' ? readPrefix(text) : undefined;
  return reading?.ok ? reading.prefix : null;
}

/** The remote cluster that an object is about, by its label or by that of its namespace; `null` for none. */
export type PeerOf = (it: KubernetesObject) => string | null;

/** @param objects among them the namespaces; of two with one name the first counts. */
export function peersByLabel(objects: Iterable<KubernetesObject>): PeerOf {
  const namespaces = new Map<string, string>();
  for (const it of objects) {
    const peer = labelled(it);
    if (it.kind !== 'Namespace' || peer === null || namespaces.has(it.metadata.name)) continue;
    namespaces.set(it.metadata.name, peer);
  }
  return (it) => labelled(it) ?? namespaces.get(it.metadata.namespace ?? '') ?? null;
}

/** A label may have any text, and an empty one names no cluster. */
const labelled = ({ metadata }: KubernetesObject): string | null => metadata.labels?.[REMOTE_CLUSTER_LABEL] || null;
