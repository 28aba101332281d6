import { DEFAULT_LIQO_NAMESPACE } from '../../base/releases/install-defaults.ts';
import type { ObservedCluster, ObservedShortcut } from '../observed/observed-cluster.ts';
import type { ClustersById } from './live-link.ts';

/** Whether the fork's operator connects shortcuts by objects that are called as weft would call them. */
export const usesShortcutOperator = (clusters: ClustersById): boolean =>
  [...clusters.values()].some((it) => it.shortcuts.length > 0 && otherConnections(it).length === 0);

/**
 * Connections with another name or namespace. Beside one of these weft must not write its own: whichever of the two is deleted
 * later, the operator then disconnects the clusters.
 */
export const otherConnections = (observed: ObservedCluster): readonly ObservedShortcut[] =>
  observed.shortcuts.filter((it) => !isOurs(it, observed.liqoNamespace ?? DEFAULT_LIQO_NAMESPACE));

/** The names are those of `nameShortcuts` in model/. */
function isOurs({ namespace, name, client, server }: ObservedShortcut, liqoNamespace: string): boolean {
  const plain = name.replace(/^s\d+-/, '');
  return namespace === liqoNamespace && (plain === `${client}--${server}` || plain === `${client}.${server}`);
}
