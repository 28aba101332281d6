import { groupBy } from '../../../base/core/group-by.ts';
import { breaksFlows } from '../../../plan/blast-radius.ts';
import type { Change } from '../../../plan/change.ts';
import { kindOf } from '../../../plan/changes/change-kinds.ts';
import { namespacesDeletedBy } from '../../../plan/deleted-namespaces.ts';
import { describeReason, sectionOf } from './describe-change.ts';
import type { Section } from './sections.ts';

/** Similar changes, with the reason that they share. */
export interface ChangeGroup {
  /** `null` for changes that break nothing and need nothing. */
  readonly label: 'deletes data' | 'changes who is trusted' | 'breaks live flows' | 'needs care' | null;
  readonly why: string;
  readonly changes: readonly Change[];
}

/** The changes of a section, similar ones together, disruptive ones first. */
export function changeGroups(changes: readonly Change[], section: Section): readonly ChangeGroup[] {
  const listed = changes.filter((it) => sectionOf(it) === section && !kindOf(it).isListedElsewhere?.(it));
  const groups = groupBy(listed, (it) => [[it.kind, it.action, it.reason, labelOf(it) ?? ''].join(' ')]);
  const found = [...groups.values()].map((list) => ({
    label: list[0] === undefined ? null : labelOf(list[0]),
    why: list[0] === undefined ? '' : describeReason(list[0]),
    changes: list,
  }));
  return [...found.filter((it) => it.label !== null), ...found.filter((it) => it.label === null)];
}

function labelOf(it: Change): ChangeGroup['label'] {
  if (namespacesDeletedBy(it).length > 0) return 'deletes data';
  if (it.isTrust) return 'changes who is trusted';
  if (breaksFlows(it)) return 'breaks live flows';
  return it.disruptive ? 'needs care' : null;
}
