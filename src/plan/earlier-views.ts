import type { SideState, ViewState } from './network-state.ts';

export const viewsOfKind = ({ views }: SideState, kind: ViewState['kind']): readonly ViewState[] =>
  views.filter((it) => it.kind === kind);

/**
 * For each view the one that it continues: that of the same network, and for a network that replaces another one in the
 * list, that of the replaced network. A network that is only added continues none.
 */
export function earlierViews(from: readonly ViewState[], to: readonly ViewState[]): readonly (ViewState | undefined)[] {
  const [old, now] = [new Map(from.map((it) => [it.cidr, it])), new Set(to.map((it) => it.cidr))];
  const replaced = from.filter((it) => !now.has(it.cidr));
  return to.map((it) => old.get(it.cidr) ?? replaced.shift());
}
