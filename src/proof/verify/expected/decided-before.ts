import { groupBy } from '../../../base/core/group-by.ts';
import { type LinkId, printLinkId } from '../../../base/core/link-id.ts';
import {
  type BlockKind,
  type CidrKind,
  type LockKey,
  parseLockKey,
  printLockKey,
} from '../../../base/core/lock-key.ts';
import type { Prefix } from '../../../base/net/prefix.ts';
import { readPrefix } from '../../../base/net/text.ts';
import { type Decisions, decisionAbout } from '../../../fleet/lock/decisions.ts';

/** The decisions of earlier compiles in the lock file. A link is looked up by its two ends, in either order. */
export interface DecidedBefore {
  readonly isEmpty: boolean;
  /** The clusters that have a link or a carved block. */
  readonly clusters: ReadonlySet<string>;
  /** The link's name in the lock, `a/b` or `b/a`; `null` for a link that is new. */
  readonly nameOf: (a: string, b: string) => string | null;
  readonly join: (a: string, b: string) => number | null;
  readonly port: (server: string, client: string) => number | null;
  readonly view: (viewer: string, peer: string, kind: CidrKind, cidr: Prefix) => Prefix | null;
  readonly block: (cluster: string, kind: BlockKind) => Prefix | null;
  /** The views that a cluster has of others, by viewer; also of links that were removed. */
  readonly viewsBy: ReadonlyMap<string, readonly { readonly peer: string; readonly seenAs: Prefix }[]>;
}

export function decidedBefore(decisions: Decisions): DecidedBefore {
  const about = (key: LockKey): string | number | null => decisionAbout(decisions, key)?.value ?? null;
  const numberAbout = (key: LockKey): number | null => {
    const value = about(key);
    return typeof value === 'number' ? value : null;
  };
  const link = (first: string, second: string): LinkId => ({ first, second });
  const keys = [...decisions].flatMap(([text, { value }]) => {
    const key = parseLockKey(text);
    return key === undefined ? [] : [{ key, value }];
  });
  const isKnown = (it: LinkId): boolean => decisions.has(printLockKey({ kind: 'join', link: it }));
  return {
    isEmpty: decisions.size === 0,
    clusters: clustersIn(keys.map((it) => it.key)),
    nameOf: (a, b) => [link(a, b), link(b, a)].filter(isKnown).map(printLinkId)[0] ?? null,
    join: (a, b) => numberAbout({ kind: 'join', link: link(a, b) }),
    port: (server, client) => numberAbout({ kind: 'port', link: link(server, client), server }),
    view: (viewer, peer, role, cidr) =>
      networkOf(about({ kind: 'view', link: link(viewer, peer), viewer, role, cidr })),
    block: (cluster, block) => networkOf(about({ kind: 'block', cluster, block })),
    viewsBy: groupBy(
      keys.flatMap(({ key, value }) => {
        const seenAs = key.kind === 'view' ? networkOf(value) : null;
        if (key.kind !== 'view' || seenAs === null) return [];
        const { first, second } = key.link;
        return [{ viewer: key.viewer, peer: key.viewer === first ? second : first, seenAs }];
      }),
      (it) => [it.viewer],
    ),
  };
}

function networkOf(value: string | number | null): Prefix | null {
  const reading = readPrefix(String(value ?? ''));
  return reading.ok ? reading.prefix : null;
}

function clustersIn(keys: readonly LockKey[]): ReadonlySet<string> {
  const names = keys.flatMap((it) => {
    if (it.kind === 'block') return [it.cluster];
    return it.kind === 'join' ? [it.link.first, it.link.second] : [];
  });
  return new Set(names);
}
