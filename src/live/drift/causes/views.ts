import { by, byCodeUnit } from '../../../base/core/collections.ts';
import { oncePer } from '../../../base/core/once.ts';
import { listOf, someOf } from '../../../base/core/words.ts';
import { moveHost, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../../base/net/text.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../../../fleet/ipam/addressed-model.ts';
import { pathsOf } from '../../../fleet/model/paths.ts';
import type { ObservedPeer } from '../../facts/peer.ts';
import { type ClusterCase, type NetworksHere, type PeerCase, prefixIn } from '../cluster-case.ts';
import {
  type BrokenPairs,
  type DifferentField,
  type Finding,
  type Problem,
  problem,
  type SomeClusters,
  withDetails,
} from '../drift.ts';

/**
 * Reports a CIDR of a peer that the cluster sees as another network than git promises. The Network has the IPAM's
 * decision; the status of the Configuration is a copy of it.
 */
export function* otherView(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const { declared } = peer;
  if (declared === undefined) return;
  const found = peer.pool.take(isAnotherView);
  const views = found.flatMap((one) => (one.kind === 'different' ? movedView(one, declared) : []));
  const distinct = new Map(views.map((one) => [`${one.type} ${printPrefix(one.cidr)}`, one]));
  const moved = [...distinct.values()].sort((a, b) => -byCodeUnit(a.type, b.type));
  if (moved.length === 0) {
    if (found.length > 0) yield unreadable(it, peer, found);
    return;
  }
  const pairs = moved.flatMap((one) =>
    brokenPairs({ model: it.model, cluster: it.cluster, peer: declared, networks: it.networks }, one),
  );
  yield problem('drift/other-view', {
    peer: peer.peer,
    at: peer.at,
    message: otherViewSentence(it, declared, moved),
    hint: 'no address moves back by itself: keep this view by recording it in the lock, or delete the Configuration, and Liqo asks its IPAM again ("weft view CLUSTER PEER --recreated" shows for what)',
    details: [
      ...new Set([
        ...moved.flatMap((one) => addressSentences(it, declared, one)),
        ...moved.flatMap((one) => shortcutSentences(it, declared, one)),
        ...recreatedSentences(it, peer),
        ...moved.flatMap((one) => orderSentences(it, declared, one)),
      ]),
    ],
    findings: found,
    effects: it.pool.take((one) => moved.some((view) => isShortcutOf(one, view))),
    pairs,
  });
}

/** True for a view with another network. A view that is absent or empty only does not exist yet. */
const isAnotherView = (it: Finding): boolean =>
  it.kind === 'different' &&
  it.path[0] === 'status' &&
  (it.object.kind === 'Network' || (it.object.kind === 'Configuration' && it.path[1] === 'remote')) &&
  it.live !== undefined &&
  it.live !== '' &&
  !(typeof it.live === 'object' && it.live !== null && Object.keys(it.live).length === 0);

function movedView(it: DifferentField, peer: Peer): readonly MovedView[] {
  const promised = prefixIn(it.promised);
  if (promised === null) return [];
  const views = [
    ...peer.podViews.map((one) => ({ ...one, type: 'pod' as const })),
    { ...peer.externalView, type: 'external' as const },
  ];
  const type = it.object.kind === 'Configuration' ? it.path[3] : undefined;
  const view = views.find(
    (one) => printPrefix(one.seenAs) === it.promised && (type === undefined || one.type === type),
  );
  if (view === undefined) return [];
  return [{ type: view.type, cidr: view.cidr, promised, live: prefixIn(it.live) }];
}

const WHAT = { pod: 'pods', external: 'external network' } as const;

function otherViewSentence({ cluster }: ClusterCase, peer: Peer, moved: readonly MovedView[]): string {
  const views = moved.map(({ type, live, promised }, index) => {
    const what = index === 0 ? `the ${WHAT[type]} of "${peer.name}"` : `its ${WHAT[type]}`;
    return `${what} at ${live === null ? 'no network' : printPrefix(live)} (git: ${printPrefix(promised)})`;
  });
  return `"${cluster.name}" sees ${listOf(views)}`;
}

function addressSentences({ cluster }: ClusterCase, peer: Peer, view: MovedView): readonly string[] {
  if (view.live === null) return [];
  const host = representative(view.cidr);
  const now = printAddress(moveHost(host, view.live));
  if (view.type === 'external')
    return [
      `what "${peer.name}" forwards, and its traffic that is not from a pod, has addresses of ${printPrefix(view.live)} in "${cluster.name}"`,
    ];
  return [
    `a pod ${printAddress(host)} of "${peer.name}" has the address ${now} in "${cluster.name}", as a destination and as a source`,
  ];
}

/** The operator of the fork copies the hub's views into the ForeignClusterConnection, which translates endpoints. */
const isShortcutOf = (it: Finding, { promised }: MovedView): boolean =>
  it.kind === 'different' &&
  it.object.kind === 'ForeignClusterConnection' &&
  it.path[0] === 'status' &&
  it.promised === printPrefix(promised);

function shortcutSentences({ cluster, model }: ClusterCase, peer: Peer, { type, live }: MovedView): readonly string[] {
  const isTranslated =
    model.fleet.shortcutOperator &&
    type === 'pod' &&
    [...peer.cluster.peers.values()].some((it) => it.link.commonHubs.includes(cluster.name));
  if (!isTranslated || live === null) return [];
  return [
    `shortcuts to "${peer.name}" work only where the ForeignClusterConnections of "${cluster.name}" have ${printPrefix(live)} as well`,
  ];
}

function orderSentences(it: ClusterCase, peer: Peer, view: MovedView): readonly string[] {
  const foreign = it.networks.foreignIn(view.promised);
  if (foreign !== undefined)
    return [`${foreign}, which is none of git's, uses addresses of ${printPrefix(view.promised)}`];
  const other = view.live === null ? undefined : it.networks.promisedTo(view.live);
  const depends = `the view depends on the order in which the Configurations of "${it.cluster.name}" are applied`;
  if (other !== undefined && other !== peer.name) {
    const theirs = it.networks.liveViewsOf(other).some((one) => one.seenAs && samePrefix(one.seenAs, view.promised));
    return [
      theirs
        ? `the views of "${peer.name}" and "${other}" are exchanged: ${depends}, and these two came in the other order`
        : `${printPrefix(view.live ?? view.promised)} is what git promises for "${other}": ${depends}, and "${peer.name}" came before "${other}"`,
    ];
  }
  if (peer.orderDependent) return [depends];
  return [];
}

/**
 * In git, all Configurations come before all gateways. If a few are younger than their gateways, they were created
 * again, and the others in the order of git.
 */
function recreatedSentences(it: ClusterCase, { facts, declared }: PeerCase): readonly string[] {
  if (declared === undefined || !isYounger(facts)) return [];
  const { recreated, isInOrder } = creationOf(it);
  if (!isInOrder || !recreated.has(declared.name))
    return ['the Configuration is younger than its gateway, unlike in git'];
  return [
    'the Configuration is younger than its gateway, so it was deleted and created again, and the IPAM was asked again',
    ...([...declared.podViews, declared.externalView].some((one) => one.history)
      ? ['the lock keeps the view of before, which a new peering does not get']
      : []),
  ];
}

const unreadable = ({ cluster }: ClusterCase, peer: PeerCase, findings: readonly Finding[]): Problem =>
  problem('drift/other-view', {
    peer: peer.peer,
    at: peer.at,
    message: `"${cluster.name}" has other networks for "${peer.peer}" than git promises`,
    findings,
  });

/** A CIDR of a peer that the cluster sees as another network than git promises. */
interface MovedView {
  readonly type: 'pod' | 'external';
  readonly cidr: Prefix;
  readonly promised: Prefix;
  /** `null` while the cluster has none. */
  readonly live: Prefix | null;
}

interface MovedPeer {
  readonly model: AddressedModel;
  readonly cluster: AddressedCluster;
  readonly peer: Peer;
  readonly networks: NetworksHere;
}

/**
 * Returns the pairs of clusters that a moved view breaks, with addresses of one pod: the two themselves; for pods of
 * the peer, those that reach them through this cluster; for its external CIDR, those that this cluster reaches through
 * the peer.
 */
function brokenPairs(moved: MovedPeer, view: MovedView): readonly BrokenPairs[] {
  const { cluster, peer, networks, model } = moved;
  const host = representative(view.cidr);
  const dialled = moveHost(host, view.promised);
  const addresses = {
    dialled: printAddress(dialled),
    now: view.live === null ? null : printAddress(moveHost(host, view.live)),
    reaches: networks.meaningOf(dialled) ?? null,
  };
  const [here, there] = [oneCluster(cluster.name), oneCluster(peer.name)];
  if (view.type === 'external') {
    const behind = behindOf(model, peer.name, cluster.name);
    return behind.names.length === 0 ? [] : [{ from: here, to: behind, through: peer.name, ...addresses }];
  }
  const behind = behindOf(model, cluster.name, peer.name);
  const direct: BrokenPairs = { from: here, to: there, through: null, ...addresses };
  if (behind.names.length === 0) return [direct];
  // Each of them has its own address for the pod, which this cluster maps to the one that it dials itself.
  return [direct, { from: behind, to: there, through: cluster.name, ...addresses }];
}

/** The most names that are listed of clusters with the same problem. */
const NAMED = 6;

/** Returns the clusters that reach `end` through `hub`: they have a link with the hub, but none with `end`. */
function behindOf(model: AddressedModel, hub: string, end: string): SomeClusters {
  const { linkedWith, areLinked } = pathsOf(model.links);
  const ofHub = linkedWith(hub);
  // `end` has few links and the hub many, so the links of `end` are counted.
  const both = linkedWith(end).filter((it) => areLinked(it, hub)).length;
  const count = areLinked(hub, end) ? ofHub.length - both - 1 : 0;
  const names: string[] = [];
  for (const it of ofHub) {
    if (names.length >= Math.min(NAMED, count)) break;
    if (it !== end && !areLinked(it, end)) names.push(it);
  }
  return { names, more: count - names.length };
}

const oneCluster = (name: string): SomeClusters => ({ names: [name], more: 0 });

/** An example address of a pod: always the same host, so that addresses can be compared. */
function representative({ base, length }: Prefix): number {
  const hosts = 2 ** (32 - length);
  return length <= 22 ? base + 3 * 256 + 7 : base + Math.min(7, hosts - 1);
}

/** The order in which the Configurations of a cluster were created, as far as their times show it. */
interface Creation {
  /** Peers whose Configuration is younger than their gateway, if they are the minority. */
  readonly recreated: ReadonlySet<string>;
  /** True when the others were created in the order of git. */
  readonly isInOrder: boolean;
  /** All peers by time, which is in whole seconds; equal times are in the order of git. */
  readonly created: readonly string[];
  readonly wanted: readonly string[];
}

const creationOf = oncePer(({ cluster, peers }: ClusterCase): Creation => {
  const timed = [...cluster.peers.keys()].flatMap((name) => {
    const facts = peers.get(name)?.facts;
    const time = facts?.configurations[0]?.made.created;
    return facts && time ? [{ name, time, isYounger: isYounger(facts) }] : [];
  });
  const younger = timed.filter((one) => one.isYounger);
  const isFew = younger.length * 2 < timed.length;
  const others = isFew ? timed.filter((one) => !one.isYounger) : timed;
  return {
    recreated: new Set(isFew ? younger.map((one) => one.name) : []),
    isInOrder: others.every((one, index) => one.time >= (others[index - 1]?.time ?? '')),
    created: [...timed].sort(by((one) => one.time)).map((one) => one.name),
    wanted: timed.map((one) => one.name),
  };
});

/** True when a Configuration was created after its gateway. Kubernetes times sort as texts. */
function isYounger({ configurations, gateways }: ObservedPeer): boolean {
  const [configuration, gateway] = [configurations[0]?.made.created, gateways[0]?.made.created];
  return Boolean(configuration && gateway && configuration > gateway);
}

/** The most names of each order that a sentence shows. */
const NAMED_IN_ORDER = 8;

/** Adds the actual creation order of the Configurations to the first moved view. */
export function withCreationOrder(it: ClusterCase, problems: readonly Problem[]): readonly Problem[] {
  const first = problems.findIndex((one) => one.diagnostic.code === 'drift/other-view');
  if (first === -1) return problems;
  const { isInOrder, created, wanted } = creationOf(it);
  if (isInOrder) return problems;
  const sentence = `the Configurations of "${it.cluster.name}" were created in the order ${someOf(created, NAMED_IN_ORDER)}; git applies them in the order ${someOf(wanted, NAMED_IN_ORDER)}`;
  return problems.map((one, index) => (index === first ? withDetails(one, [sentence]) : one));
}
