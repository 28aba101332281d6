import { printLockKey } from '../../base/core/lock-key.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { nextDecisions } from '../../fleet/ipam/next-decisions.ts';
import type { NextDecisions } from '../../fleet/lock/decisions.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { forcedViewsDiagnostic, overlappingView, unkeptPort, unkeptView } from './adopt-diagnostics.ts';
import { type Explanation, explainingOrder } from './explaining-order.ts';
import { type ForcedViews, forcedViews } from './forced-views.ts';
import type { LiveNetwork, LiveView } from './live-network.ts';
import { orderOfHints } from './order-of-hints.ts';
import type { OverlappingView } from './overlapping-views.ts';
import { type Viewer, viewersOf } from './viewer.ts';

/** The decisions of live clusters, for the lock of a fleet. */
interface Adoption {
  readonly decisions: NextDecisions;
  /** How many views are not the peer's own network. */
  readonly remapped: number;
  /** Those that no order of joining gives. */
  readonly forced: readonly ForcedViews[];
  readonly diagnostics: readonly Diagnostic[];
}

interface LiveFacts {
  /** Without views that overlap others. */
  readonly live: LiveNetwork;
  readonly overlapping: readonly OverlappingView[];
  /** The order of the model is what was meant, and stays where no other one explains more; else it has no meaning. */
  readonly keepsOrder: boolean;
}

/**
 * Completes a model that was compiled with the decisions of live clusters, as `liveDecisions` puts them down: an order of
 * joining that explains as many views as possible, and what could not be kept.
 */
export function adoptLive(model: AddressedModel, facts: LiveFacts): Adoption {
  const { live, overlapping, keepsOrder } = facts;
  const viewers = viewersOf(model);
  const hinted = orderOfHints(viewers, live.views, model.links);
  const explained = explainingOrder(viewers, keepsOrder ? [model.links, hinted] : [hinted, model.links]);
  const forced = forcedViews(viewers, explained);
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

/** Numbers stay where the order does. */
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

/** Live views and ports that the model does not have: they are impossible beside others. */
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
