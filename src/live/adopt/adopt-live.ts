import { groupBy } from '../../base/core/collections.ts';
import { printLockKey } from '../../base/core/lock-key.ts';
import { countOf, firstOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedCluster, type AddressedModel, type View, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { nextDecisions } from '../../fleet/ipam/assign-addresses.ts';
import { viewObstacle } from '../../fleet/ipam/view-diagnostics.ts';
import type { NextDecisions } from '../../fleet/lock/lock.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { type Explanation, exactOrder, explainedBy, explainingOrder, MOST_EXACT } from './explaining-order.ts';
import { forwardOrder, prefixKey } from './forward-order.ts';
import type { LiveNetwork, LivePort, LiveView, OverlappingView, WaitingView } from './live-network.ts';
import { orderOfHints } from './merge-chains.ts';
import { isRemap, type MissedView, type Viewer, viewersOf } from './viewer.ts';

/** The decisions of live clusters, for the lock of a fleet. */
interface Adoption {
  readonly decisions: NextDecisions;
  /** The number of views that differ from the peer's own network. */
  readonly remapped: number;
  /** Views that no order of joining produces. */
  readonly forced: readonly ForcedViews[];
  readonly diagnostics: readonly Diagnostic[];
}

interface LiveFacts {
  /** Without views that overlap others. */
  readonly live: LiveNetwork;
  readonly overlapping: readonly OverlappingView[];
  /** True when the order of the model is intended: it is kept unless another one explains more. */
  readonly keepsOrder: boolean;
  /** Clusters of which the pools are not known, so the model has those of Liqo. */
  readonly unknownPools?: ReadonlySet<string>;
}

/**
 * Completes a model that was compiled with `liveDecisions`: adds an order of joining that explains as many views as
 * possible, and reports decisions that could not be kept.
 */
export function adoptLive(model: AddressedModel, facts: LiveFacts): Adoption {
  const { live, overlapping, keepsOrder, unknownPools = new Set() } = facts;
  const viewers = viewersOf(model);
  const hinted = orderOfHints(viewers, live.views, model.links);
  const explained = explainingOrder(viewers, keepsOrder ? [model.links, hinted] : [hinted, model.links]);
  const forced = forcedViews(viewers, explained).map((it) =>
    unknownPools.has(it.viewer.cluster.name) ? { ...it, reason: 'unknown-pools' as const } : it,
  );
  return {
    decisions: withJoins(nextDecisions(model), model.links, explained),
    remapped: countRemapped(viewers),
    forced,
    diagnostics: [
      ...broken(model, overlapping),
      ...unkept(model, live),
      ...forced.map((it) => forcedViewsDiagnostic(it)),
    ],
  };
}

/** If the order is unchanged, the join numbers are, too. */
function withJoins(decisions: NextDecisions, links: readonly Link[], { order }: Explanation): NextDecisions {
  if (order === links) return decisions;
  const joins = order.map(({ id }, index) => [printLockKey({ kind: 'join', link: id }), index + 1] as const);
  return new Map([...decisions, ...joins]);
}

const countRemapped = (viewers: ReadonlyMap<string, Viewer>): number =>
  [...viewers.values()]
    .flatMap((it) => it.remapped)
    .flatMap((it) => it.views)
    .filter((it) => !samePrefix(it.cidr, it.seenAs)).length;

const broken = ({ clusters }: AddressedModel, overlapping: readonly OverlappingView[]): readonly Diagnostic[] =>
  overlapping.flatMap((it) => {
    const cluster = clusters.get(it.view.viewer);
    return cluster === undefined ? [] : [overlappingView(cluster, it)];
  });

/** Reports live views and ports that the model does not have, because they are impossible beside others. */
function unkept({ clusters, links }: AddressedModel, { views, ports }: LiveNetwork): readonly Diagnostic[] {
  const served = new Map(links.map((it) => [`${it.server.cluster.name}/${it.client.cluster.name}`, it]));
  return [
    ...views.flatMap((live) => {
      const cluster = clusters.get(live.viewer);
      const peer = cluster?.peers.get(live.peer);
      const view = peer && viewsOf(peer).find((it) => isOf(live, it));
      return cluster === undefined || view === undefined || samePrefix(view.seenAs, live.seenAs)
        ? []
        : [unkeptView(cluster, live, view)];
    }),
    ...ports.flatMap((live) => {
      const link = served.get(`${live.server}/${live.client}`);
      const port = link && (link.endpoint.nodePort ?? link.endpoint.servicePort);
      return link === undefined || port === undefined || port === live.port ? [] : [unkeptPort(link, live, port)];
    }),
  ];
}

const isOf = (live: LiveView, { cidr }: { readonly cidr: LiveView['cidr'] }): boolean => samePrefix(live.cidr, cidr);

/** The most views that a message names. */
const SHOWN = 5;

const REASONS: Readonly<Record<ForcedReason, string>> = {
  'unknown-pools': 'the pools of its IPAM are not known, and with those that it has, some order may give them',
  contradicting: 'alone it would be explained, but other clusters got theirs in another order',
  interleaved: 'the networks of several peers were given in turn, as when all were applied at once',
  'others-then': 'other networks were taken when these were given; since then a peer was removed, or created again',
};

/** Reports the views of one cluster that the lock keeps although no order of joining produces them. */
function forcedViewsDiagnostic({ viewer, views, reason }: ForcedViews): Diagnostic {
  const { name, at } = viewer.cluster;
  const texts = views.map(({ end, view, again }) => {
    const rollout = again === null ? 'a rollout has no network for it' : `a rollout gives ${printPrefix(again)}`;
    return `${peerCidrText(end.peer.name, view, cidrKindOf(end.views, view))} as ${printPrefix(view.seenAs)} (${rollout})`;
  });
  return diagnostic(
    'import/forced-view',
    at,
    `the lock keeps ${countOf(views.length, 'view')} of "${name}" that no order of joining gives: ${firstOf(texts, SHOWN)}; ${REASONS[reason]}`,
    {
      hint: `nothing moves until a Configuration of these is created again; "weft plan --relock ${name}" shows what deciding again would move`,
    },
  );
}

/** The external CIDR of a peer is requested last. */
const cidrKindOf = (views: readonly View[], view: View): WaitingView['kind'] =>
  views.at(-1) === view ? 'external' : 'pod';

const peerCidrText = (peer: string, { cidr }: Pick<View, 'cidr'>, kind: WaitingView['kind']): string =>
  `${kind} CIDR ${printPrefix(cidr)} of "${peer}"`;

const configurationText = ({ object }: WaitingView): string => `Configuration ${object.namespace}/${object.name}`;

const viewText = (it: LiveView): string =>
  `"${it.viewer}" sees the ${peerCidrText(it.peer, it, it.kind)} as ${printPrefix(it.seenAs)} (${configurationText(it)})`;

const MAKE_AGAIN = (it: LiveView): string =>
  `packets to these addresses go to one of the two; delete the Configuration in "${it.viewer}" and apply it again, so that it gets another network`;

/** Reports two views of a cluster that share addresses. */
const overlappingView = (cluster: AddressedCluster, { view, other }: OverlappingView): Diagnostic =>
  diagnostic(
    'import/broken-view',
    cluster.at,
    `${viewText(view)}, which overlaps how it sees the ${peerCidrText(other.peer, other, other.kind)}, ${printPrefix(other.seenAs)} (${configurationText(other)})`,
    { hint: MAKE_AGAIN(view) },
  );

/** Reports a view that the cluster cannot have, or that overlaps its own networks. */
const unkeptView = (cluster: AddressedCluster, live: LiveView, view: View): Diagnostic =>
  diagnostic(
    'import/broken-view',
    cluster.at,
    `${viewText(live)}, and ${viewObstacle(cluster, cluster, live)}; the lock has ${printPrefix(view.seenAs)}`,
    { hint: MAKE_AGAIN(live) },
  );

/** Reports a port that the topology does not allow. */
const unkeptPort = ({ at, endpoint }: Link, { server, client, port }: LivePort, kept: number): Diagnostic =>
  diagnostic(
    'import/unkept-port',
    at,
    `"${server}" serves "${client}" at port ${port}, which the topology does not allow, so the lock has ${kept}`,
    {
      hint:
        endpoint.nodePort === null
          ? `let \`gateway.ports\` of "${server}" contain ${port}, so that the gateway keeps its port`
          : `let \`gateway.nodePorts\` of "${server}" contain ${port}, so that the gateway keeps its port`,
    },
  );

/**
 * The reason why no order of joining produces a view: the pools are only assumed; the orders of the clusters contradict each other; the networks of
 * several peers were requested alternately, not peer by peer; or other networks were taken at that time.
 */
type ForcedReason = 'unknown-pools' | 'contradicting' | 'interleaved' | 'others-then';

/** The views of one cluster that the lock keeps although a rollout would not assign them. */
interface ForcedViews {
  readonly viewer: Viewer;
  readonly views: readonly [MissedView, ...MissedView[]];
  readonly reason: ForcedReason;
}

/** Groups the views that an order of joining does not explain by cluster. */
function forcedViews(viewers: ReadonlyMap<string, Viewer>, { order, missed }: Explanation): readonly ForcedViews[] {
  return [...groupBy(missed, (it) => [it.end.viewer])].flatMap(([name, [first, ...others]]) => {
    const viewer = viewers.get(name);
    if (viewer === undefined || first === undefined) return [];
    const isExplained = isExplainedAlone(viewer, order);
    const reason = isExplained ? 'contradicting' : areInterleaved(viewer) ? 'interleaved' : 'others-then';
    return [{ viewer, views: [first, ...others], reason } satisfies ForcedViews];
  });
}

/** True when some order of the cluster's own peers produces all of its views. */
function isExplainedAlone(viewer: Viewer, order: Explanation['order']): boolean {
  if (viewer.remapped.length <= MOST_EXACT) return exactOrder(viewer, viewer.remapped).missed === 0;
  const alone = new Map([[viewer.cluster.name, viewer]]);
  const own = new Set(viewer.remapped.map((it) => it.link));
  const links = order.filter((it) => own.has(it));
  return explainedBy(alone, forwardOrder(alone, links)).missed.length === 0;
}

/** True when the networks can be assigned one by one in some order, although not peer by peer. */
function areInterleaved(viewer: Viewer): boolean {
  const ipam = viewer.freshIpam();
  const views = viewer.remapped.flatMap((it) => it.views);
  for (const { cidr } of views.filter((it) => !isRemap(it))) ipam.acquire(cidr);
  let left: ReadonlyMap<number, View> = new Map(views.filter(isRemap).map((it) => [prefixKey(it.seenAs), it]));
  while (left.size > 0) {
    const rest = takeNext(left, ipam);
    if (rest.size === left.size) return false;
    left = rest;
  }
  return true;
}

/** Removes the networks that the IPAM assigns next, one per remaining view; returns the rest. */
function takeNext(left: ReadonlyMap<number, View>, ipam: Allocator): ReadonlyMap<number, View> {
  const rest = new Map(left);
  for (const asker of left.values()) {
    const given = ipam.acquire(asker.cidr);
    if (!given.ok) continue;
    const holder = rest.get(prefixKey(given.prefix));
    // The requested network itself may still be free; it is not the one that the view has.
    if (holder === undefined || samePrefix(given.prefix, asker.cidr)) ipam.release(given.prefix);
    else rest.delete(prefixKey(given.prefix));
  }
  return rest;
}
