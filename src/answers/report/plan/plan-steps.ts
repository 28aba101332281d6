import { groupBy, sortedUnique } from '../../../base/core/collections.ts';
import { someOf } from '../../../base/core/words.ts';
import { type Displaced, displacedNewcomers, linksToMakeFirst } from '../../../plan/apply-order.ts';
import type { Change } from '../../../plan/change.ts';
import type { StepTime } from '../../../plan/change-kind.ts';
import { PROVE } from '../../../plan/changes/plain-words.ts';
import type { LinkState } from '../../../plan/network-state.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { isInCluster, type StepCommand, untilAsCompiled } from '../../../plan/step-command.ts';
import { type LiveNames, USUAL_NAMES } from '../live-commands.ts';
import { type DescribedStep, describeSteps } from './describe-change.ts';

interface StepGroup {
  readonly when: StepTime;
  readonly what: string;
  /** Empty when the commands name everything. */
  readonly on: readonly string[];
  /** Equal commands about several clusters are one. */
  readonly commands: readonly StepCommand[];
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

/** The steps of a plan in order, similar ones grouped. The last one proves the others. */
export function stepGroups({ changes, batches, networks }: Plan): readonly StepGroup[] {
  const first = [
    ...linksToMakeFirst(changes).map(linkStep),
    ...displacedNewcomers(changes).map(displacedStep),
    ...(batches.length > 1 ? batches.map(batchStep) : []),
  ];
  const steps = [...first, ...changes.flatMap(stepsOf)].sort((a, b) => rankOf(a) - rankOf(b));
  const all = steps.length === 0 ? [] : [...steps, ...proof(changes, networks.after)];
  return [...groupBy(all, (it) => [`${it.when} ${it.what}`]).values()]
    .flatMap(groupOf)
    .sort((a, b) => TIMES.indexOf(a.when) - TIMES.indexOf(b.when));
}

/** The names in commands of a plan that no call has given others: `topologies/` has a file for each fleet. */
export function usualNames({ networks }: Plan): LiveNames {
  const file = networks.after.fleet.topologyFile;
  return file === null || file === 'topology.yaml' ? USUAL_NAMES : { ...USUAL_NAMES, topology: `topologies/${file}` };
}

function groupOf(alike: readonly OrderedStep[]): readonly StepGroup[] {
  const [first] = alike;
  if (first === undefined) return [];
  const commands = alike.flatMap((it) => it.commands);
  return [
    {
      when: first.when,
      what: first.what,
      on: [...new Set(alike.flatMap((it) => (it.on === '' ? [] : [it.on])))],
      commands: first.of.step === 'in-batches' ? commands : merged(commands),
      steps: alike.map((it) => it.of),
    },
  ];
}

/** One command of weft for all clusters that it is about. */
function merged(commands: readonly StepCommand[]): readonly StepCommand[] {
  const byRun = groupBy(commands, (it) => [isInCluster(it) ? JSON.stringify(it) : it.run]);
  return [...byRun.values()].flatMap(([first, ...others]): readonly StepCommand[] => {
    if (first === undefined || isInCluster(first)) return first === undefined ? [] : [first];
    const clusters = [first, ...others].flatMap((it) => ('clusters' in it ? it.clusters : []));
    return [{ ...first, clusters: [...new Set(clusters)] }];
  });
}

/**
 * Sorts steps of the same time: a declared rename makes most other steps unnecessary, so it is first; an upgrade of the
 * chart removes the networks that other steps empty, so it is last. Pods can move once the consumer has its identity. A retired
 * cluster stays in the topology while something is left to be deleted in it, and what applied a removed one is deleted when
 * nothing makes it again. Views are proven with everything else.
 */
function rankOf({ what, of: { step } }: OrderedStep): number {
  if (step === 'declare-a-rename') return -1;
  if (what === PROVE) return 2;
  return LATE.has(step) ? 1 : 0;
}

const LATE: ReadonlySet<TypedStep['step']> = new Set([
  'upgrade-and-restart',
  'create-the-pods-again',
  'delete-the-application',
  'delete-what-applied-it',
  'remove-entry-once-pruned',
]);

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
  commands: [untilAsCompiled(displaced.cluster)],
  of: { step: 'remove-leavers-before', displaced },
});

const batchStep = (clusters: readonly string[], i: number): OrderedStep => ({
  when: 'before',
  what: 'make it several changes, and wait after each until all links of its clusters are connected',
  on: `${i + 1}. ${clusters.join(', ')}`,
  commands: [untilAsCompiled(...clusters)],
  of: { step: 'in-batches', clusters },
});

const linkStep = (link: LinkState): OrderedStep => ({
  when: 'before',
  what: 'make before break: add the new links in a separate change, and remove the old ones once these are connected',
  on: link.ends.join(' and '),
  commands: [untilAsCompiled(...link.ends)],
  of: { step: 'make-before-break', link },
});

/**
 * The clusters with steps are as compiled, retired ones included, or the whole fleet if all of them have left it. Those with the
 * most peers are first: a hub shows both ends of each tunnel.
 */
function proof(changes: readonly Change[], { clusters }: Plan['networks']['after']): readonly OrderedStep[] {
  const touched = sortedUnique(changes.filter((it) => it.steps.length > 0).flatMap((it) => it.clusters));
  const present = touched.filter((it) => clusters.has(it));
  const all = [...clusters.values()].flatMap((it) => (it.retired ? [] : [it.name]));
  const peers = (name: string): number => clusters.get(name)?.peers.length ?? 0;
  const proven = (present.length > 0 ? present : all).toSorted((a, b) => peers(b) - peers(a));
  if (proven.length === 0) return [];
  return [
    {
      when: 'after',
      what: PROVE,
      on: '',
      commands: [untilAsCompiled(...proven)],
      of: { step: 'prove-with-drift', clusters: proven },
    },
  ];
}
