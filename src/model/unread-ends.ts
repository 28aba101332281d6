import type { Link } from './network-model.ts';

/** An end of a shortcut that the fork will not use: slices for this cluster keep going through the hub. */
export interface ShortcutEnd {
  readonly link: Link;
  readonly cluster: string;
}

/**
 * What the fork leaves out, given the ForeignClusterConnections in the order in which it lists them: for each cluster it
 * reads those that mention the cluster, up to and including the first in which it is A (the client); what comes after
 * is not read.
 * Source: Gabbe64/liqo@b83d06f2 pkg/utils/virtualkubelet/foreignclusterconnections.go.
 */
export function unreadEnds(listed: readonly { readonly link: Link }[]): readonly ShortcutEnd[] {
  const stopped = new Set<string>();
  const unread: ShortcutEnd[] = [];
  for (const { link } of listed) {
    for (const cluster of [link.client, link.server]) if (stopped.has(cluster)) unread.push({ link, cluster });
    stopped.add(link.client);
  }
  return unread;
}
