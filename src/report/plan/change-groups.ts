import type { Change } from '../../plan/change.ts';
import { kindOf } from '../../plan/changes/change-kinds.ts';
import { describeReason, sectionOf } from './describe-change.ts';
import type { Section } from './sections.ts';

/** Similar changes, with the reason that they share. */
export interface ChangeGroup {
  readonly disruptive: boolean;
  readonly why: string;
  readonly changes: readonly Change[];
}

/** The changes of a section, similar ones together, disruptive ones first. */
export function changeGroups(changes: readonly Change[], section: Section): readonly ChangeGroup[] {
  const groups = new Map<string, Change[]>();
  for (const it of changes) {
    if (sectionOf(it) !== section || kindOf(it).isListedElsewhere?.(it)) continue;
    const key = `${it.kind} ${it.action} ${it.reason}`;
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  const found = [...groups.values()].map((list) => ({
    disruptive: list.some((it) => it.disruptive),
    why: list[0] === undefined ? '' : describeReason(list[0]),
    changes: list,
  }));
  return [...found.filter((it) => it.disruptive), ...found.filter((it) => !it.disruptive)];
}
