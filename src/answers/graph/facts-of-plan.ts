import type { Action } from '../../plan/difference.ts';
import type { LinkState, SideState } from '../../plan/network-state.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { type TouchedCluster, type TouchedLink, touchedNetwork } from '../../plan/touched-network.ts';
import type { ClusterFacts, FleetFacts, LinkFacts, Mark, Remap } from './fleet-facts.ts';

const MARKS: Readonly<Record<Action, Mark>> = { add: 'added', change: 'changed', remove: 'removed' };

/**
 * The clusters and links that a plan changes, with their neighbours.
 *
 * @param groupOf the group of a cluster; `null` for none
 */
export function factsOfPlan(plan: Plan, groupOf: (cluster: string) => string | null): FleetFacts {
  const { clusters, links } = touchedNetwork(plan);
  return { clusters: clusters.map((it) => touchedFacts(it, groupOf(it.name))), links: links.map(touchedLink) };
}

const touchedFacts = (
  { name, formerName, release, podCIDRs, action, breaks }: TouchedCluster,
  group: string | null,
): ClusterFacts => ({
  name,
  release,
  podCIDRs,
  group,
  mark: action && MARKS[action],
  formerName,
  breaks,
});

const touchedLink = ({ link, before, hub, action, breaks }: TouchedLink): LinkFacts => ({
  kind: link.kind,
  hub,
  server: link.server,
  client: link.client,
  remaps: action === 'add' ? remapsOf(link) : action === 'change' ? movedViews(link, before) : [],
  mark: action && MARKS[action],
  breaks,
});

const remapsOf = (link: LinkState): readonly Remap[] => viewsOf(link).filter((it) => it.cidr !== it.seenAs);

function movedViews(link: LinkState, before: LinkState | null): readonly Remap[] {
  return [...link.sides.values()].flatMap((side) => {
    const was = before?.sides.get(side.cluster)?.views ?? [];
    return sideViews(side).flatMap((it, i): readonly Remap[] => {
      const earlier = was[i]?.seenAs;
      return earlier === undefined || earlier === it.seenAs ? [] : [{ ...it, was: earlier }];
    });
  });
}

const viewsOf = ({ sides }: LinkState): readonly Remap[] => [...sides.values()].flatMap(sideViews);

const sideViews = ({ cluster, peer, views }: SideState): readonly Remap[] =>
  views.map(({ kind, cidr, seenAs }) => ({ of: peer, seenIn: cluster, kind, cidr, seenAs, was: null }));
