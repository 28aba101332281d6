import { groupBy } from '../../base/core/group-by.ts';
import { type LinkId, reverseLinkId } from '../../base/core/link-id.ts';
import { parseLockKey, printLockKey } from '../../base/core/lock-key.ts';
import { once } from '../../base/core/once.ts';
import type { Decisions } from '../lock/decisions.ts';
import type { LinkRequest } from './link-request.ts';

/**
 * The identity of each link: the recorded one of the lock; else the cluster that is new to the lock comes first. So all
 * lines of a new cluster are together, and two branches that each add a cluster conflict in one place of the lock at most.
 */
export function identifyLinks(links: readonly LinkRequest[], decisions: Decisions): readonly LinkRequest[] {
  if (decisions.size === 0) return links;
  // Only links that are new to the lock need these.
  const known = once(() => clustersIn(decisions));
  const linksOf = once(() => groupBy(links, ({ ends }) => ends.map((it) => it.name)));
  // A cluster without links is not in the lock either; of two such clusters the one with more links is the new one.
  const newness = (name: string): number => (known().has(name) ? 0 : (linksOf().get(name)?.length ?? 0));
  return links.map((link) => {
    const { first, second } = link.id;
    if (isKnown(link.id, decisions)) return link;
    const reversed = reverseLinkId(link.id);
    const isReversed = isKnown(reversed, decisions) || newness(second) > newness(first);
    return isReversed ? { ...link, id: reversed } : link;
  });
}

const isKnown = (link: LinkId, decisions: Decisions): boolean => decisions.has(printLockKey({ kind: 'join', link }));

/** The clusters that have a link or a carved block. */
function clustersIn(decisions: Decisions): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of decisions.keys()) {
    const key = parseLockKey(text);
    if (key?.kind === 'block') names.add(key.cluster);
    if (key?.kind === 'join') names.add(key.link.first).add(key.link.second);
  }
  return names;
}
