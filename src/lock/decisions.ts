import type { Prefix } from '../net/prefix.ts';
import { printPrefix } from '../net/text.ts';
import type { Located } from '../source/located.ts';
import type { LockDocument } from './lock-document.ts';

export type CidrKind = 'pod' | 'external';
export type BlockKind = 'external' | 'internal';

/**
 * What was decided before: a flat dictionary from identity to value. One line a decision, so that two pull requests
 * rarely meet; all that concerns a new cluster starts with its name, so that they meet in one place at worst.
 */
export type Decisions = ReadonlyMap<string, Located<string | number>>;

/** A decision to be written: a network, a port, or a join number. */
export type NextDecisions = ReadonlyMap<string, string | number>;

/** The carved block of a cluster. */
export const blockKey = (cluster: string, kind: BlockKind): string => `${cluster}/${kind}`;

/** The place of a link in the order of joining. `link` is its identity, `rome/europe`. */
export const joinKey = (link: string): string => `${link}/join`;

/** The node port, or service port, of the end that serves a link. */
export const portKey = (link: string, server: string): string => `${link}/port/${server}`;

/** How `viewer`, an end of the link, sees one CIDR of the other end. */
export const viewKey = (link: string, viewer: string, kind: CidrKind, cidr: Prefix): string =>
  `${link}/view/${viewer}/${kind}/${printPrefix(cidr)}`;

/** All decisions of a lock; none without one. */
export function decisionsOf(lock: LockDocument | undefined): Decisions {
  const decisions = new Map<string, Located<string | number>>();
  for (const { name, value } of lock?.reading.at('decisions').scalars() ?? []) decisions.set(name.value, value);
  return decisions;
}

/**
 * A decision about a link. A link that changes kind may change its identity from `a/b` to `b/a`; what was decided about
 * it stays.
 */
export function decisionAbout<T extends string | number>(
  decisions: Decisions,
  link: string,
  key: (link: string) => string,
): Located<T> | undefined {
  const found = decisions.get(key(link)) ?? decisions.get(key(link.split('/').reverse().join('/')));
  return found as Located<T> | undefined;
}
