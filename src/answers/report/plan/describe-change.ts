import { groupBy, sortedUnique } from '../../../base/core/collections.ts';
import { someOf } from '../../../base/core/words.ts';
import { type Displaced, displacedNewcomers, linksToMakeFirst } from '../../../plan/apply-order.ts';
import { breaksFlows } from '../../../plan/blast-radius.ts';
import type { Change } from '../../../plan/change.ts';
import type { Section, StepTime } from '../../../plan/change-kind.ts';
import { kindOf } from '../../../plan/changes/change-kinds.ts';
import type { Difference, DifferenceKind } from '../../../plan/difference.ts';
import type { LinkState } from '../../../plan/network-state.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { namespacesDeletedBy } from '../../../plan/removal-guard.ts';

/** The change in terms of a network engineer. */
export const describeChange = <K extends DifferenceKind>(it: Difference<K>): string => kindOf(it).words.title(it);

/** The reason why a change breaks flows or not: a clause without names. */
export const describeReason = <K extends DifferenceKind>(it: Change<K>): string => kindOf(it).words.why[it.reason];

interface DescribedStep {
  readonly when: StepTime;
  readonly what: string;
  /** The object of the step. */
  readonly on: string;
}

export const describeSteps = <K extends DifferenceKind>(it: Change<K>): readonly DescribedStep[] =>
  it.steps.map(({ when, step }) => {
    const { what, on } = kindOf(it).words.steps[step];
    return { when, what, on: on(it) };
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

interface StepGroup {
  readonly when: StepTime;
  readonly what: string;
  readonly on: readonly string[];
  /** The grouped steps as values. */
  readonly steps: readonly TypedStep[];
}

/** A step of a change, or one that several changes need together. */
export type TypedStep =
  | { readonly step: 'make-before-break'; readonly link: LinkState }
  | { readonly step: 'remove-leavers-before'; readonly displaced: Displaced }
  | { readonly step: 'in-batches'; readonly clusters: readonly string[] }
  | { readonly step: 'prove-with-drift'; readonly clusters: readonly string[] }
  | { readonly step: Change['steps'][number]['step']; readonly change: Change };

type OrderedStep = DescribedStep & { readonly of: TypedStep };

const TIMES: readonly StepTime[] = ['before', 'together', 'after'];

/** The steps of a plan in order, similar ones grouped. */
export function stepGroups({ changes, batches, networks }: Plan): readonly StepGroup[] {
  const groups = new Map<string, Omit<StepGroup, 'on'> & { readonly on: Set<string>; readonly steps: TypedStep[] }>();
  const first = [
    ...linksToMakeFirst(changes).map(linkStep),
    ...displacedNewcomers(changes).map(displacedStep),
    ...(batches.length > 1 ? batches.map(batchStep) : []),
  ];
  const steps = [...first, ...changes.flatMap(stepsOf)].sort((a, b) => rankOf(a) - rankOf(b));
  const all = steps.length === 0 ? [] : [...steps, driftStep(changes, networks.after)];
  for (const { when, what, on, of } of all) {
    const key = `${when} ${what}`;
    const group = groups.get(key) ?? { when, what, on: new Set<string>(), steps: [] };
    groups.set(key, group);
    group.on.add(on);
    group.steps.push(of);
  }
  return [...groups.values()]
    .map((it) => ({ ...it, on: [...it.on] }))
    .sort((a, b) => TIMES.indexOf(a.when) - TIMES.indexOf(b.when));
}

/**
 * Sorts steps of the same time: a declared rename makes most other steps unnecessary, so it is first; an upgrade of the
 * chart removes the networks that other steps empty, so it is last. Pods can move once the consumer has its identity.
 */
const rankOf = ({ of: { step } }: OrderedStep): number =>
  step === 'declare-a-rename' ? -1 : step === 'upgrade-and-restart' || step === 'create-the-pods-again' ? 1 : 0;

const stepsOf = (change: Change): readonly OrderedStep[] =>
  describeSteps(change).map((it, i) => ({
    ...it,
    of: { step: (change.steps[i] as Change['steps'][number]).step, change },
  }));

/** The number of leavers that are named for one newcomer. */
const NAMED_LEAVERS = 3;

const displacedStep = (displaced: Displaced): OrderedStep => ({
  when: 'before',
  what: 'remove what leaves in a change of its own, if the new cluster is to have its addresses: until it is pruned, it holds them',
  on: `${someOf(displaced.leavers, NAMED_LEAVERS)} before ${displaced.newcomer} in ${displaced.cluster}`,
  of: { step: 'remove-leavers-before', displaced },
});

const batchStep = (clusters: readonly string[], i: number): OrderedStep => ({
  when: 'before',
  what: 'make it several changes, and wait after each until all links of its clusters are connected',
  on: `${i + 1}. ${clusters.join(', ')}`,
  of: { step: 'in-batches', clusters },
});

/** The largest number of clusters that the command names. */
const NAMED_CONTEXTS = 6;

/** The last step proves the others: the clusters of the changes are as compiled. */
function driftStep(changes: readonly Change[], { clusters }: Plan['networks']['after']): OrderedStep {
  const touched = new Set(changes.filter((it) => it.steps.length > 0).flatMap((it) => it.clusters));
  const present = sortedUnique(touched).filter((it) => clusters.get(it)?.retired === false);
  return {
    when: 'after',
    what: 'run `weft drift` with these clusters: it finds nothing when all of this is done',
    on:
      present.length === 0
        ? 'those that stay'
        : someOf(
            present.map((it) => `--context ${it}`),
            NAMED_CONTEXTS,
            ' ',
          ),
    of: { step: 'prove-with-drift', clusters: present },
  };
}

const linkStep = (link: LinkState): OrderedStep => ({
  when: 'before',
  what: 'make before break: add the new links in a separate change, and remove the old ones once these are connected',
  on: link.ends.join(' and '),
  of: { step: 'make-before-break', link },
});
