import { changeKind } from '../change-kind.ts';
import { type FlowEffect, type Flows, flowsBetween } from '../flows.ts';
import { linkFiles } from '../link-files.ts';
import type { PlanContext } from '../plan-context.ts';
import { aboutLink } from '../subject.ts';
import { after, breaks, together } from '../verdict.ts';

export const linkRemoved = changeKind('link-removed')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: 'plan/link-removed',
  judge: () =>
    // The tenant namespace is never pruned, and if it is deleted first, finalizers never complete.
    breaks('remove', 'tunnel-is-removed', together('prune-gateways-first'), after('delete-tenant-namespaces')),
  flows: ({ link }, context) => closed(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});

/** Traffic over the link, and of its spoke with the other spokes: some of it may have another path. */
function closed([a, b]: readonly [string, string], { was, is }: PlanContext): readonly Flows[] {
  const effectOn = (x: string, y: string): FlowEffect =>
    is.isLinked(x, y) || is.hubsBetween(x, y).length > 0 ? 'rerouted' : 'stops';
  const behind = (hub: string, spoke: string): readonly Flows[] => {
    if (!was.isHubOf(hub, spoke)) return [];
    const others = was.spokesBehind(hub, spoke).map((it) => ({ name: it, effect: effectOn(spoke, it) }));
    const named = (effect: FlowEffect) => others.filter((it) => it.effect === effect).map((it) => it.name);
    return [...flowsBetween('stops', spoke, named('stops')), ...flowsBetween('rerouted', spoke, named('rerouted'))];
  };
  return [...flowsBetween(effectOn(a, b), a, [b]), ...behind(b, a), ...behind(a, b)];
}
