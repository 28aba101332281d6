import { groupBy } from '../../core/group-by.ts';
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
  const listed = changes.filter((it) => sectionOf(it) === section && !kindOf(it).isListedElsewhere?.(it));
  const groups = groupBy(listed, (it) => [`${it.kind} ${it.action} ${it.reason}`]);
  const found = [...groups.values()].map((list) => ({
    disruptive: list.some((it) => it.disruptive),
    why: list[0] === undefined ? '' : describeReason(list[0]),
    changes: list,
  }));
  return [...found.filter((it) => it.disruptive), ...found.filter((it) => !it.disruptive)];
}
