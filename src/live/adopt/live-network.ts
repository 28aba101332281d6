import { inOrder } from '../../base/core/collections.ts';
import {
  type CidrKind,
  type LinkId,
  type LockKey,
  parseLockKey,
  printLinkId,
  printLockKey,
} from '../../base/core/lock-key.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix, readPrintedPrefix } from '../../base/net/text.ts';
import { type AddressedModel, type View, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { NextDecisions } from '../../fleet/lock/lock.ts';

/** The decisions of live clusters that a lock can record. */
export interface LiveNetwork {
  readonly views: readonly LiveView[];
  /** CIDRs of peers to which a cluster has not assigned a network yet. */
  readonly waiting: readonly WaitingView[];
  readonly ports: readonly LivePort[];
}

/** A CIDR of a peer that a live cluster was asked to map. */
export interface WaitingView {
  readonly viewer: string;
  readonly peer: string;
  readonly kind: CidrKind;
  /** The peer's CIDR in the viewer's Configuration. */
  readonly cidr: Prefix;
  /** The Configuration. */
  readonly object: { readonly namespace: string; readonly name: string };
}

/** A live cluster's view of one CIDR of a peer. */
export interface LiveView extends WaitingView {
  readonly seenAs: Prefix;
  readonly given: Given;
}

/** The time at which the viewer's IPAM assigned a view, as far as its API server recorded it. */
interface Given {
  /** The creation time of the requesting object: RFC 3339, in seconds. */
  readonly created: string | null;
  /** The object's version: it increases with each write in its cluster, so a later write makes it look younger. */
  readonly version: number | null;
}

/** The port at which a live gateway serves a link: its node port, or the port of its Service. */
export interface LivePort {
  /** True when only the client has the port: it may still dial a port that the server no longer has. */
  readonly isDialled?: boolean;
  readonly server: string;
  readonly client: string;
  readonly port: number;
}

/** Selects the live decisions about links and CIDRs of a topology. All others are drift. */
export function adoptableOf({ clusters, links }: AddressedModel, live: readonly LiveNetwork[]): LiveNetwork {
  const isInTopology = ({ viewer, peer, cidr }: WaitingView): boolean => {
    const known = clusters.get(viewer)?.peers.get(peer);
    return known !== undefined && viewsOf(known).some((it) => samePrefix(it.cidr, cidr));
  };
  const ports = live.flatMap((it) => it.ports);
  const known = new Set(ports.filter((it) => it.isDialled !== true).map(pairId));
  const served = new Set(links.map((it) => pairId({ server: it.server.cluster.name, client: it.client.cluster.name })));
  return {
    views: live.flatMap((it) => it.views).filter(isInTopology),
    waiting: live.flatMap((it) => it.waiting).filter(isInTopology),
    // A dialled port is used only if the server's own port is unknown.
    ports: ports.filter((it) => served.has(pairId(it)) && (it.isDialled !== true || !known.has(pairId(it)))),
  };
}

const pairId = ({ server, client }: Pick<LivePort, 'server' | 'client'>): string => `${server}/${client}`;

/** A view that overlaps another one of the same cluster. */
export interface OverlappingView {
  readonly view: LiveView;
  readonly other: LiveView;
}

interface SortedViews {
  /** The views that can all be kept. When views overlap, the first one is, and one without a remap before others. */
  readonly sound: readonly LiveView[];
  readonly overlapping: readonly OverlappingView[];
}

/** Splits live views into those that can all be kept, and those that overlap one of them. */
export function overlappingViews(views: readonly LiveView[]): SortedViews {
  const indexes = new Map<string, OverlapIndex<LiveView>>();
  const sound = new Set<LiveView>();
  const overlapping: OverlappingView[] = [];
  const isFree = ({ cidr, seenAs }: LiveView): boolean => samePrefix(cidr, seenAs);
  for (const view of [...views.filter(isFree), ...views.filter((it) => !isFree(it))]) {
    const index = indexes.get(view.viewer) ?? new OverlapIndex<LiveView>();
    indexes.set(view.viewer, index);
    const other = index.first(view.seenAs);
    if (other !== undefined) {
      overlapping.push({ view, other });
      continue;
    }
    index.add(view.seenAs, view);
    sound.add(view);
  }
  return { sound: views.filter((it) => sound.has(it)), overlapping };
}

interface GuessedView {
  readonly cluster: string;
  readonly peer: string;
  /** The CIDR that the peer announces. */
  readonly cidr: string;
  /** Its network in the lock, which a live cluster now uses for another peer. */
  readonly was: string;
}

/** Returns a view that adopting others would move to an unknown network, because its network in the lock is taken. */
export function guessedView(
  { clusters }: AddressedModel,
  after: AddressedModel,
  { views }: LiveNetwork,
): GuessedView | undefined {
  const keyOf = (viewer: string, peer: string, { cidr }: Pick<View, 'cidr'>): string =>
    `${viewer}/${peer}/${printPrefix(cidr)}`;
  const known = new Set(views.map((it) => keyOf(it.viewer, it.peer, it)));
  for (const cluster of after.clusters.values()) {
    for (const peer of cluster.peers.values()) {
      const before = clusters.get(cluster.name)?.peers.get(peer.name);
      for (const [index, view] of viewsOf(peer).entries()) {
        const was = before === undefined ? undefined : viewsOf(before)[index];
        if (was === undefined || samePrefix(was.seenAs, view.seenAs)) continue;
        if (known.has(keyOf(cluster.name, peer.name, view))) continue;
        return {
          cluster: cluster.name,
          peer: peer.name,
          cidr: printPrefix(view.cidr),
          was: printPrefix(was.seenAs),
        };
      }
    }
  }
  return undefined;
}

/**
 * Replaces decisions of a lock with those of live clusters. All other decisions stay, including the lock's names of
 * links, except networks and ports that a live cluster uses otherwise.
 */
export function liveDecisions(live: Pick<LiveNetwork, 'views' | 'ports'>, lock: NextDecisions): NextDecisions {
  const { views, ports } = live;
  const replaced = new Set([...views.map(subjectOfView), ...ports.map(subjectOfPort)]);
  const isTaken = takenBy(live);
  const decisions = new Map<string, string | number>();
  const named = new Map<string, LinkId>();
  for (const [text, value] of lock) {
    const key = parseLockKey(text);
    if (key !== undefined && key.kind !== 'block') named.set(linkText(key.link.first, key.link.second), key.link);
    if (key === undefined || !(replaced.has(subjectOf(key)) || isTaken(key, value))) decisions.set(text, value);
  }
  const linkOf = (a: string, b: string): LinkId => {
    const [first, second] = inOrder(a, b);
    return named.get(linkText(a, b)) ?? { first, second };
  };
  const keep = (key: LockKey, value: string | number): void => void decisions.set(printLockKey(key), value);
  for (const { viewer, peer, kind: role, cidr, seenAs } of views)
    keep({ kind: 'view', link: linkOf(viewer, peer), viewer, role, cidr }, printPrefix(seenAs));
  for (const { server, client, port } of ports) keep({ kind: 'port', link: linkOf(server, client), server }, port);
  return decisions;
}

const linkText = (a: string, b: string): string => {
  const [first, second] = inOrder(a, b);
  return printLinkId({ first, second });
};

const subjectOfView = ({ viewer, peer }: Pick<LiveView, 'viewer' | 'peer'>): string => `view ${viewer}/${peer}`;

const subjectOfPort = ({ server, client }: Pick<LivePort, 'server' | 'client'>): string => `port ${server}/${client}`;

/** True when a live cluster uses the network or port of a decision. */
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

/** The subject of a decision, regardless of the lock's name for the link. All views of one peer are one subject. */
function subjectOf(key: LockKey): string {
  if (key.kind === 'block' || key.kind === 'join' || key.kind === 'nudge') return printLockKey(key);
  const { first, second } = key.link;
  const near = key.kind === 'view' ? key.viewer : key.server;
  const far = near === first ? second : first;
  return key.kind === 'view'
    ? subjectOfView({ viewer: near, peer: far })
    : subjectOfPort({ server: near, client: far });
}
