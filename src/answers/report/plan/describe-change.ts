import { groupBy } from '../../../base/core/collections.ts';
import { oncePer } from '../../../base/core/once.ts';
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

/**
 * The changes with values unlike those of the others first, for a list that is cut: of 300 gateways that move, the one that
 * moves to another network. Changes with equal rank keep their order.
 */
export const outliersFirst = oncePer((changes: readonly Change[]): readonly Change[] => {
  const traits = new Map(changes.map((it) => [it, traitsOf(it)]));
  const counts = new Map<string, Map<string, number>>();
  for (const own of traits.values()) {
    for (const [place, value] of own) {
      const known = counts.get(place) ?? new Map<string, number>();
      counts.set(place, known.set(value, (known.get(value) ?? 0) + 1));
    }
  }
  // The number of changes with the usual value, where most have it. Other places have no usual value.
  const usual = new Map(
    [...counts].flatMap(([place, values]) => {
      const [all, most] = [...values.values()].reduce(([sum, max], it) => [sum + it, Math.max(max, it)], [0, 0]);
      return 2 * most > all ? [[place, most] as const] : [];
    }),
  );
  const rankOf = (own: readonly Trait[]): number =>
    own.reduce((rank, [place, value]) => {
      const count = counts.get(place)?.get(value) ?? 1;
      return Math.max(rank, (usual.get(place) ?? count) / count);
    }, 1);
  const ranks = new Map([...traits].map(([it, own]) => [it, rankOf(own)]));
  return changes.toSorted((a, b) => (ranks.get(b) ?? 1) - (ranks.get(a) ?? 1));
});

type Trait = readonly [place: string, value: string];

/** The values of a difference and what they are part of: networks of addresses, domains of hosts. Names of its clusters are left out. */
function traitsOf(change: Change): readonly Trait[] {
  const { kind, clusters, subject: _, flows: __, steps: ___, id: ____, otherNames: _____, ...difference } = change;
  const names = [...clusters].sort((a, b) => b.length - a.length);
  const withoutNames = (text: string): string => names.reduce((it, name) => it.replaceAll(name, '*'), text);
  const found = new Map<string, Trait>();
  const add = (place: string, value: string): void => void found.set(`${place} ${value}`, [place, value]);
  add('kind', kind);
  const walk = (place: string, value: unknown): void => {
    if (Array.isArray(value)) for (const it of value) walk(place, it);
    else if (typeof value === 'object' && value !== null)
      for (const [key, it] of Object.entries(value)) walk(`${place}.${key}`, it);
    else for (const [i, it] of wider(withoutNames(String(value))).entries()) add(`${place} ${i}`, it);
  };
  walk(kind, { ...difference, ...describeFields(change) });
  return [...found.values()];
}

/** A value, and what it is part of. */
function wider(value: string): readonly string[] {
  const [, two, three] = /^((\d+\.\d+)\.\d+)\.\d+(?:\/\d+)?$/.exec(value) ?? [];
  if (two !== undefined && three !== undefined) return [value, two, three];
  const host = /^(?:\w+:\/\/)?(?:[^/@]*@)?([\w-]+(?:\.[\w-]+)+)(?:[:/].*)?$/.exec(value)?.[1];
  return host === undefined ? [value] : [value, host.split('.').slice(-2).join('.')];
}
