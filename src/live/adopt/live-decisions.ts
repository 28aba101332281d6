import { inOrder } from '../../base/core/collections.ts';
import { type LinkId, type LockKey, parseLockKey, printLinkId, printLockKey } from '../../base/core/lock-key.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { printPrefix, readPrintedPrefix } from '../../base/net/text.ts';
import type { NextDecisions } from '../../fleet/lock/decisions.ts';
import type { LiveNetwork, LivePort, LiveView } from './live-network.ts';

/**
 * The decisions of a lock with those of live clusters in their place. What no live cluster says is as in the lock, and how
 * the lock names a link stays; but nothing that a live cluster uses for something else.
 */
export function liveDecisions(live: Pick<LiveNetwork, 'views' | 'ports'>, lock: NextDecisions): NextDecisions {
  const { views, ports } = live;
  const replaced = new Set([...views.map(subjectOfView), ...ports.map(subjectOfPort)]);
  const isTaken = takenBy(live);
  const decisions = new Map<string, string | number>();
  const named = new Map<string, LinkId>();
  for (const [text, value] of lock) {
    const key = parseLockKey(text);
    if (key !== undefined && key.kind !== 'block') named.set(pairOf(key.link.first, key.link.second), key.link);
    if (key === undefined || !(replaced.has(subjectOf(key)) || isTaken(key, value))) decisions.set(text, value);
  }
  const linkOf = (a: string, b: string): LinkId => {
    const [first, second] = inOrder(a, b);
    return named.get(pairOf(a, b)) ?? { first, second };
  };
  const keep = (key: LockKey, value: string | number): void => void decisions.set(printLockKey(key), value);
  for (const { viewer, peer, kind: role, cidr, seenAs } of views)
    keep({ kind: 'view', link: linkOf(viewer, peer), viewer, role, cidr }, printPrefix(seenAs));
  for (const { server, client, port } of ports) keep({ kind: 'port', link: linkOf(server, client), server }, port);
  return decisions;
}

const pairOf = (a: string, b: string): string => {
  const [first, second] = inOrder(a, b);
  return printLinkId({ first, second });
};

const subjectOfView = ({ viewer, peer }: Pick<LiveView, 'viewer' | 'peer'>): string => `view ${viewer}/${peer}`;

const subjectOfPort = ({ server, client }: Pick<LivePort, 'server' | 'client'>): string => `port ${server}/${client}`;

/** Whether a live cluster uses the network or the port of a decision. */
function takenBy({
  views,
  ports,
}: Pick<LiveNetwork, 'views' | 'ports'>): (key: LockKey, value: string | number) => boolean {
  const networks = new Map<string, OverlapIndex<LiveView>>();
  for (const it of views) {
    const index = networks.get(it.viewer) ?? new OverlapIndex<LiveView>();
    index.add(it.seenAs, it);
    networks.set(it.viewer, index);
  }
  const used = new Set(ports.map((it) => `${it.server} ${it.port}`));
  return (key, value) => {
    if (key.kind === 'port') return used.has(`${key.server} ${value}`);
    const network = key.kind === 'view' ? readPrintedPrefix(String(value)) : undefined;
    return key.kind === 'view' && network !== undefined && networks.get(key.viewer)?.first(network) !== undefined;
  };
}

/** What a decision is about, however the lock names its link. All views that a cluster has of a peer are one subject. */
function subjectOf(key: LockKey): string {
  if (key.kind === 'block' || key.kind === 'join') return printLockKey(key);
  const { first, second } = key.link;
  const near = key.kind === 'view' ? key.viewer : key.server;
  const far = near === first ? second : first;
  return key.kind === 'view'
    ? subjectOfView({ viewer: near, peer: far })
    : subjectOfPort({ server: near, client: far });
}
