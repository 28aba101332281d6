import { groupBy } from '../../../base/core/collections.ts';
import { breaksFlows } from '../../../plan/blast-radius.ts';
import type { Change } from '../../../plan/change.ts';
import type { Section, StepTime } from '../../../plan/change-kind.ts';
import { kindOf } from '../../../plan/changes/change-kinds.ts';
import type { Difference, DifferenceKind } from '../../../plan/difference.ts';
import { namespacesDeletedBy } from '../../../plan/removal-guard.ts';
import type { StepCommand } from '../../../plan/step-command.ts';

/** The change in terms of a network engineer. */
export const describeChange = <K extends DifferenceKind>(it: Difference<K>): string => kindOf(it).words.title(it);

/** The reason why a change breaks flows or not: a clause without names. */
export const describeReason = <K extends DifferenceKind>(it: Change<K>): string => kindOf(it).words.why[it.reason];

export interface DescribedStep {
  readonly when: StepTime;
  readonly what: string;
  /** The object of the step. */
  readonly on: string;
  readonly commands: readonly StepCommand[];
}

export const describeSteps = <K extends DifferenceKind>(it: Change<K>): readonly DescribedStep[] =>
  it.steps.map(({ when, step }) => {
    const { what, on, commands } = kindOf(it).words.steps[step];
    return { when, what, on: on(it), commands: commands?.(it) ?? [] };
  });

/** The section of a change. Lost data takes precedence over trust, and trust over the section of the kind. */
function sectionOf(it: Change): Section {
  if (namespacesDeletedBy(it).length > 0) return 'Data loss';
  return it.isTrust ? 'Trust' : kindOf(it).words.section;
}

/** Fields that JSON shows differently from the difference. */
export const describeFields = <K extends DifferenceKind>(it: Difference<K>): Readonly<Record<string, unknown>> =>
  kindOf(it).words.fields?.(it) ?? {};

/** Similar changes with their common reason. */
export interface ChangeGroup {
  /** `null` for changes that break nothing and need no attention. */
  readonly label: 'deletes data' | 'changes who is trusted' | 'breaks live flows' | 'needs care' | null;
  readonly why: string;
  readonly changes: readonly Change[];
}

/** The changes of a section, similar ones grouped, disruptive ones first. */
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
