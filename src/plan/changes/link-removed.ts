import { changeKind } from '../change-kind.ts';
import { type FlowEffect, type Flows, flowsBetween } from '../flows.ts';
import { linkFiles } from '../link-files.ts';
import type { PlanContext } from '../plan-context.ts';
import { aboutLink } from '../subject.ts';
import { after, before, breaks, together } from '../verdict.ts';

export const linkRemoved = changeKind('link-removed')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: 'plan/link-removed',
  // The tenant namespace is never pruned, and if it is deleted first, finalizers never complete.
  judge: ({ link: { ends } }, context) =>
    effectOn(...ends, context) === 'readdressed'
      ? breaks(
          'remove',
          'addresses-stop-working',
          before('stop-using-its-addresses'),
          together('prune-gateways-first'),
          after('delete-tenant-namespaces'),
        )
      : breaks('remove', 'tunnel-is-removed', together('prune-gateways-first'), after('delete-tenant-namespaces')),
  flows: ({ link }, context) => closed(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});

/** A path that is left has other addresses: those of a link are views of its ends, those through a hub are the hub's. */
const effectOn = (a: string, b: string, { is }: PlanContext): FlowEffect =>
  is.isLinked(a, b) || is.hubsBetween(a, b).length > 0 ? 'readdressed' : 'stops';

/** Traffic over the link, and of its spoke with the other spokes: some of it may have another path. */
function closed([a, b]: readonly [string, string], context: PlanContext): readonly Flows[] {
  const { was } = context;
  const behind = (hub: string, spoke: string): readonly Flows[] => {
    if (!was.isHubOf(hub, spoke)) return [];
    const others = was.spokesBehind(hub, spoke).map((it) => ({ name: it, effect: effectOn(spoke, it, context) }));
    const named = (effect: FlowEffect) => others.filter((it) => it.effect === effect).map((it) => it.name);
    return [
      ...flowsBetween('stops', spoke, named('stops')),
      ...flowsBetween('readdressed', spoke, named('readdressed')),
    ];
  };
  return [...flowsBetween(effectOn(a, b, context), a, [b]), ...behind(b, a), ...behind(a, b)];
}
