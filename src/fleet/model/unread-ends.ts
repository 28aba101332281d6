import type { Link, LinkEnd } from './network-model.ts';

/** An end of a shortcut that the fork does not use: slices for this cluster still lead through the hub. */
export interface ShortcutEnd {
  readonly link: Link;
  readonly end: LinkEnd;
}

/**
 * The ends that the fork does not read, given the ForeignClusterConnections in the order in which it lists them: for each
 * cluster it reads those that name the cluster, up to and including the first in which it is A (the client).
 * Source: Gabbe64/liqo@b83d06f2 pkg/utils/virtualkubelet/foreignclusterconnections.go.
 */
export function unreadEnds(listed: readonly { readonly link: Link }[]): readonly ShortcutEnd[] {
  const stopped = new Set<string>();
  const unread: ShortcutEnd[] = [];
  for (const { link } of listed) {
    for (const end of [link.client, link.server]) if (stopped.has(end.cluster.name)) unread.push({ link, end });
    stopped.add(link.client.cluster.name);
  }
  return unread;
}
