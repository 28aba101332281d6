import {
  type BlockKind,
  blockKey,
  type CidrKind,
  type Decisions,
  decisionAbout,
  joinKey,
  portKey,
  viewKey,
} from '../../lock/decisions.ts';
import type { Prefix } from '../../net/prefix.ts';
import { readPrefix } from '../../net/text.ts';

/** What the lock kept of earlier compiles. A link is named by its two ends, in either order. */
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
  /** Every view that was decided, also of links that are gone. */
  readonly views: readonly Prefix[];
}

export function decidedBefore(decisions: Decisions): DecidedBefore {
  const about = (a: string, b: string, key: (link: string) => string): string | number | null =>
    decisionAbout<string | number>(decisions, `${a}/${b}`, key)?.value ?? null;
  const numberAbout = (a: string, b: string, key: (link: string) => string): number | null => {
    const value = about(a, b, key);
    return typeof value === 'number' ? value : null;
  };
  return {
    isEmpty: decisions.size === 0,
    clusters: clustersIn(decisions),
    nameOf: (a, b) => [`${a}/${b}`, `${b}/${a}`].find((it) => decisions.has(joinKey(it))) ?? null,
    join: (a, b) => numberAbout(a, b, joinKey),
    port: (server, client) => numberAbout(server, client, (link) => portKey(link, server)),
    view: (viewer, peer, kind, cidr) => networkOf(about(viewer, peer, (link) => viewKey(link, viewer, kind, cidr))),
    block: (cluster, kind) => networkOf(decisions.get(blockKey(cluster, kind))?.value ?? null),
    views: viewsIn(decisions),
  };
}

function networkOf(value: string | number | null): Prefix | null {
  const reading = readPrefix(String(value ?? ''));
  return reading.ok ? reading.prefix : null;
}

function clustersIn(decisions: Decisions): ReadonlySet<string> {
  const names = new Set<string>();
  for (const key of decisions.keys()) {
    const [first = '', second = '', what] = key.split('/');
    if (what === undefined) names.add(first);
    if (what === 'join') names.add(first).add(second);
  }
  return names;
}

function viewsIn(decisions: Decisions): readonly Prefix[] {
  return [...decisions].flatMap(([key, { value }]) => {
    const network = key.split('/')[2] === 'view' ? networkOf(value) : null;
    return network ? [network] : [];
  });
}
