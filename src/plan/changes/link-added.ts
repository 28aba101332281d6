import { changeKind } from '../change-kind.ts';
import { type FlowEffect, type Flows, flowsBetween } from '../flows.ts';
import { linkFiles } from '../link-files.ts';
import type { PlanContext } from '../plan-context.ts';
import { aboutLink } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const linkAdded = changeKind('link-added')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: null,
  judge: ({ link }) =>
    link.kind === 'shortcut' ? harmless('add', 'beside-the-way-through-the-hub') : harmless('add', 'unused-so-far'),
  flows: ({ link }, context) => opened(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});

/** A spoke gets a path to the other spokes of a hub, unless it already has one. */
function opened([a, b]: readonly [string, string], { was, is }: PlanContext): readonly Flows[] {
  const effect: FlowEffect = was.hubsBetween(a, b).length > 0 ? 'rerouted' : 'opens';
  const behind = (hub: string, spoke: string): readonly Flows[] => {
    if (!is.isHubOf(hub, spoke)) return [];
    const isNew = (it: string): boolean => was.hubsBetween(spoke, it).length === 0 && !was.isLinked(spoke, it);
    return flowsBetween('opens', spoke, is.spokesBehind(hub, spoke).filter(isNew));
  };
  return [...flowsBetween(effect, a, [b]), ...behind(b, a), ...behind(a, b)];
}
