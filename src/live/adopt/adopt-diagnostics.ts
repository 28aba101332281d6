import { countOf, firstOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster, View } from '../../fleet/ipam/addressed-model.ts';
import { viewObstacle } from '../../fleet/ipam/view-obstacle.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { ForcedReason, ForcedViews } from './forced-views.ts';
import type { LivePort, LiveView, WaitingView } from './live-network.ts';
import type { OverlappingView } from './overlapping-views.ts';

/** How many views a message names. */
const SHOWN = 5;

const REASONS: Readonly<Record<ForcedReason, string>> = {
  contradicting: 'alone it would be explained, but other clusters got theirs in another order',
  interleaved: 'the networks of several peers were given in turn, as when all were applied at once',
  'others-then': 'other networks were taken when these were given; since then a peer was removed, or created again',
};

/** The views of one cluster that the lock keeps although no order of joining gives them. */
export function forcedViewsDiagnostic({ viewer, views, reason }: ForcedViews): Diagnostic {
  const { name, at } = viewer.cluster;
  const texts = views.map(({ end, view, again }) => {
    const rollout = again === null ? 'a rollout has no network for it' : `a rollout gives ${printPrefix(again)}`;
    return `${describe(end.peer.name, view, kindOf(end.views, view))} as ${printPrefix(view.seenAs)} (${rollout})`;
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

/** The external CIDR of a peer is the last one that is asked for. */
const kindOf = (views: readonly View[], view: View): WaitingView['kind'] =>
  views.at(-1) === view ? 'external' : 'pod';

const describe = (peer: string, { cidr }: Pick<View, 'cidr'>, kind: WaitingView['kind']): string =>
  `${kind} CIDR ${printPrefix(cidr)} of "${peer}"`;

const objectOf = ({ object }: WaitingView): string => `Configuration ${object.namespace}/${object.name}`;

const seen = (it: LiveView): string =>
  `"${it.viewer}" sees the ${describe(it.peer, it, it.kind)} as ${printPrefix(it.seenAs)} (${objectOf(it)})`;

const MAKE_AGAIN = (it: LiveView): string =>
  `packets to these addresses go to one of the two; delete the Configuration in "${it.viewer}" and apply it again, so that it gets another network`;

/** Two views of a cluster that share addresses. */
export const overlappingView = (cluster: AddressedCluster, { view, other }: OverlappingView): Diagnostic =>
  diagnostic(
    'import/broken-view',
    cluster.at,
    `${seen(view)}, which overlaps how it sees the ${describe(other.peer, other, other.kind)}, ${printPrefix(other.seenAs)} (${objectOf(other)})`,
    { hint: MAKE_AGAIN(view) },
  );

/** A view that the cluster cannot have, or that overlaps its own networks. */
export const unkeptView = (cluster: AddressedCluster, live: LiveView, view: View): Diagnostic =>
  diagnostic(
    'import/broken-view',
    cluster.at,
    `${seen(live)}, and ${viewObstacle(cluster, cluster, live)}; the lock has ${printPrefix(view.seenAs)}`,
    { hint: MAKE_AGAIN(live) },
  );

/** A port that the topology does not allow. */
export const unkeptPort = ({ at, endpoint }: Link, { server, client, port }: LivePort, kept: number): Diagnostic =>
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
