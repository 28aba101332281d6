import { oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import { keylessEnds, type Link, type LinkEnd } from '../../fleet/model/network-model.ts';
import { sharingByCluster } from '../../fleet/sharing/resolve-sharing.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { Part } from './parts.ts';

/**
 * A fleet in which parts have failed. Nothing is decided again: Configurations stay when a tunnel is down, so every
 * address, view and port is that of the model, and nothing passes a link that is off. Clusters stay in the model, too:
 * `failedClusters` are no ends of pairs.
 */
export function without<Model extends SharedModel>(model: Model, parts: readonly Part[]): Model {
  const off = new Set(parts.flatMap((it) => it.links));
  return off.size === 0 ? model : withLinks(model, (it) => (off.has(it) ? { ...it, isOff: true } : it));
}

/**
 * The fleet when every gateway has its key: what a failure would cut is asked before keys are made, too, and a tunnel that
 * is not there yet cannot fail.
 */
export const withAllKeys: <Model extends SharedModel>(model: Model) => Model = oncePer((model) => {
  const marked = (it: LinkEnd): LinkEnd => (it.publicKey === null ? { ...it, hasUnknownKey: true } : it);
  return model.links.every((it) => keylessEnds(it).length === 0)
    ? model
    : withLinks(model, (it) => ({ ...it, server: marked(it.server), client: marked(it.client) }));
});

/** A model with other links, to which all its parts lead. */
function withLinks<Model extends SharedModel>(model: Model, change: (link: Link) => Link): Model {
  const links = new Map(model.links.map((it) => [it, change(it)]));
  const linkOf = (it: Link): Link => links.get(it) ?? bug('a link is not in its model');
  // Clusters and their peers lead to each other, so the peers are added to clusters that exist.
  const peers = new Map<string, Map<string, Peer>>();
  const clusters = new Map<string, AddressedCluster>();
  for (const [name, cluster] of model.clusters) {
    const ofCluster = new Map<string, Peer>();
    peers.set(name, ofCluster);
    clusters.set(name, { ...cluster, peers: ofCluster });
  }
  const clusterOf = ({ name }: AddressedCluster): AddressedCluster =>
    clusters.get(name) ?? bug(`"${name}" is not in its model`);
  for (const cluster of model.clusters.values()) {
    for (const [name, peer] of cluster.peers) {
      peers.get(cluster.name)?.set(name, { ...peer, cluster: clusterOf(peer.cluster), link: linkOf(peer.link) });
    }
  }
  const shares = model.shares.map((it) => ({
    ...it,
    consumer: clusterOf(it.consumer),
    provider: clusterOf(it.provider),
    link: it.link && linkOf(it.link),
  }));
  const offloadings = model.offloadings.map((it) => ({
    ...it,
    cluster: clusterOf(it.cluster),
    providers: it.providers.map(clusterOf),
  }));
  return {
    ...model,
    clusters,
    links: [...links.values()],
    shares,
    offloadings,
    sharing: sharingByCluster(shares, offloadings),
  };
}
