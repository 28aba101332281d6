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
import type { NextDecisions } from '../../fleet/lock/decisions.ts';

/** What live clusters have decided: everything that a lock can record about it. */
export interface LiveNetwork {
  readonly views: readonly LiveView[];
  /** CIDRs of peers that a cluster has not given a network yet. */
  readonly waiting: readonly WaitingView[];
  readonly ports: readonly LivePort[];
}

/** A CIDR of a peer, which a live cluster has been asked to see. */
export interface WaitingView {
  readonly viewer: string;
  readonly peer: string;
  readonly kind: CidrKind;
  /** As the Configuration in the viewer has it. */
  readonly cidr: Prefix;
  /** The Configuration. */
  readonly object: { readonly namespace: string; readonly name: string };
}

/** How a live cluster sees one CIDR of a peer. */
export interface LiveView extends WaitingView {
  readonly seenAs: Prefix;
  readonly given: Given;
}

/** When the viewer's IPAM gave a view, as far as its API server says. */
interface Given {
  /** When the object that asked for it was made: RFC 3339 in seconds. */
  readonly created: string | null;
  /** Of that object; counts up with each write in one cluster. An object that is written again looks younger than it is. */
  readonly version: number | null;
}

/** Where a live gateway serves a link: its node port, or the port of its Service. */
export interface LivePort {
  /** Only the client says so: it may go on dialling a port that the server no longer has. */
  readonly isDialled?: boolean;
  readonly server: string;
  readonly client: string;
  readonly port: number;
}

/** What live clusters have decided about the links and CIDRs of a topology. What else they have is drift. */
export function adoptableOf({ clusters, links }: AddressedModel, live: readonly LiveNetwork[]): LiveNetwork {
  const isInTopology = ({ viewer, peer, cidr }: WaitingView): boolean => {
    const known = clusters.get(viewer)?.peers.get(peer);
    return known !== undefined && viewsOf(known).some((it) => samePrefix(it.cidr, cidr));
  };
  const ports = live.flatMap((it) => it.ports);
  const known = new Set(ports.filter((it) => it.isDialled !== true).map(pairOf));
  const served = new Set(links.map((it) => pairOf({ server: it.server.cluster.name, client: it.client.cluster.name })));
  return {
    views: live.flatMap((it) => it.views).filter(isInTopology),
    waiting: live.flatMap((it) => it.waiting).filter(isInTopology),
    // What a client dials counts where nothing shows what its server has.
    ports: ports.filter((it) => served.has(pairOf(it)) && (it.isDialled !== true || !known.has(pairOf(it)))),
  };
}

const pairOf = ({ server, client }: Pick<LivePort, 'server' | 'client'>): string => `${server}/${client}`;

/** A view that cannot be as it is beside another one of the same cluster. */
export interface OverlappingView {
  readonly view: LiveView;
  readonly other: LiveView;
}

interface SortedViews {
  /** Of views that overlap each other the first one, and one without a remap before others. */
  readonly sound: readonly LiveView[];
  readonly overlapping: readonly OverlappingView[];
}

/** Live views that can all be kept at once, and those that share addresses with one of them. */
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
  /** What the peer announces. */
  readonly cidr: string;
  /** What the lock had for it, and what a live cluster has now for another peer. */
  readonly was: string;
}

/** A view that adopting others would move, although no live cluster says where to: the network of the lock is taken. */
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
