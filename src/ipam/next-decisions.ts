import { blockKey, joinKey, type NextDecisions, portKey, viewKey } from '../lock/decisions.ts';
import { printPrefix } from '../net/text.ts';
import type { AddressedCluster, AddressedModel } from './addressed-model.ts';

/** Everything that the next compile must keep: blocks, join numbers, ports, views. Nothing of what is gone. */
export function nextDecisions({ clusters, links }: AddressedModel): NextDecisions {
  const next = new Map<string, string | number>();
  for (const cluster of clusters.values()) {
    if (cluster.external.kind === 'auto')
      next.set(blockKey(cluster.name, 'external'), printPrefix(cluster.externalCIDR));
    if (cluster.internal.kind === 'auto')
      next.set(blockKey(cluster.name, 'internal'), printPrefix(cluster.internalCIDR));
    addViews(cluster, next);
  }
  for (const { id, join, server, endpoint } of links) {
    next.set(joinKey(id), join);
    next.set(portKey(id, server), endpoint.nodePort ?? endpoint.servicePort);
  }
  return next;
}

function addViews(cluster: AddressedCluster, next: Map<string, string | number>): void {
  for (const { link, podViews, externalView } of cluster.peers) {
    for (const view of podViews) next.set(viewKey(link.id, cluster.name, 'pod', view.cidr), printPrefix(view.seenAs));
    next.set(viewKey(link.id, cluster.name, 'external', externalView.cidr), printPrefix(externalView.seenAs));
  }
}
