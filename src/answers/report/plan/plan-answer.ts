import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, firstOf, moreLine, shownOf, someOf } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { AddressedModel } from '../../../fleet/ipam/addressed-model.ts';
import { blastRadius, countPairs } from '../../../plan/blast-radius.ts';
import { type Change, countChanges } from '../../../plan/change.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import type { StageKind } from '../../../plan/stages/draft-stages.ts';
import { type Loss, lossesOf } from '../../../plan/stages/losses.ts';
import { type Observation, observationsOf, remediesOf } from '../../../plan/stages/observe.ts';
import type { StepCommand } from '../../../plan/step-command.ts';
import { type Answer, forTools, unlessQuiet } from '../answer.ts';
import { SCHEMA_VERSION } from '../diagnostics-document.ts';
import { commandLines, type LiveNames } from '../live-commands.ts';
import { markdownText } from '../markdown-text.ts';
import { type Paint, plainPaint } from '../paint.ts';
import type { Remark } from '../print-annotations.ts';
import { describeChange, describeFields, describeReason, describeSteps, outliersFirst } from './describe-change.ts';
import { planDiagnostics } from './plan-diagnostics.ts';
import { stepGroups, usualNames } from './plan-steps.ts';
import { type Preflight, planLine, preflightLine, SIGNS, WHEN_WORDS } from './plan-tables.ts';
import { printPlan } from './print-plan.ts';
import { MARKDOWN_LIMIT, printPlanMarkdown } from './print-plan-markdown.ts';

interface Planned {
  readonly plan: Plan;
  /** The model of the topology. */
  readonly model: AddressedModel;
  /** `null` for a plan that starts from files. */
  readonly live: Preflight | null;
  /** The names of clusters in commands, as the call has them. */
  readonly names?: LiveNames;
  /** The states between the two sides, where they are asked for. */
  readonly stages?: Stages | null;
  /** The folder of bundles that the plan starts from, in a git repository, whose branches may differ more; else `null`. */
  readonly out?: string | null;
}

/** `weft plan`. The text shows disruptive changes; tools get diagnostics for them. */
export const planAnswer: Answer<'plan', Planned> = {
  text: ({ plan, live, names = usualNames(plan), out = null, stages = null }, look) =>
    stages !== null
      ? printStages(stages, { ...look, names })
      : `${startText(live)}${printPlan(plan, { ...look, hasDrift: hasDrift(live), names })}${branchHint(plan, out)}`,
  json: ({ plan, live, names = usualNames(plan), stages = null }) => ({
    plan: planDocument(plan, names),
    ...(live && { live }),
    ...(stages && stagesDocument(stages, (it) => planDocument(it, names))),
  }),
  markdown: ({ plan, live, names = usualNames(plan), stages = null }) =>
    stages !== null
      ? printStagesMarkdown(stages, names)
      : `${startText(live)}${printPlanMarkdown(plan, { limit: MARKDOWN_LIMIT, hasDrift: hasDrift(live), names })}`,
  ...forTools(({ plan, model }) => planDiagnostics(plan, model)),
};

const hasDrift = (live: Preflight | null): boolean => (live?.unexplained ?? []).length > 0;

/** After a compile no difference is left, while the steps of the whole branch are still to be done. */
const branchHint = (plan: Plan, out: string | null): string =>
  out === null || !isEmptyPlan(plan)
    ? ''
    : `This compares with ${visibleText(out)}/; with --base main, it shows what a branch changes.\n`;

const startText = (live: Preflight | null): string => (live === null ? '' : `${preflightLine(live)}\n\n`);

interface PullRequestAnswer {
  readonly plan: Plan;
  readonly planId: string;
  readonly remarks: readonly Remark[];
  /** True when the plan is printed as text. */
  readonly showsPlan: boolean;
  /** The results of one mode. */
  readonly done: object;
}

/** `weft pr`. With `-o json` stdout is one document in every mode and for every result. */
export const pullRequestAnswer: Answer<'pr', PullRequestAnswer> = {
  text: unlessQuiet(({ plan, showsPlan }, look) => (showsPlan ? printPlan(plan, look) : '')),
  json: ({ plan, planId, remarks, done }) => ({
    planId,
    remarks: remarks.map(({ severity, message, hint = null }) => ({ severity, message, hint })),
    ...done,
    plan: planDocument(plan),
  }),
  ...forTools(),
};

/** The JSON document of a plan, for programs and for its own file. */
export function planDocument(plan: Plan, names = usualNames(plan)) {
  const { fleet, changes, files, size, batches, history, acceptances, assertions } = plan;
  const rows = blastRadius(plan);
  return {
    schemaVersion: SCHEMA_VERSION,
    fleet,
    empty: isEmptyPlan(plan),
    line: planLine(plan),
    counts: countChanges(changes),
    size,
    pairs: countPairs(rows),
    blastRadius: rows,
    changes: changes.map(changeDocument),
    steps: stepGroups(plan).map(({ when, what, on, commands, steps }) => ({
      when,
      what,
      on,
      commands: commandLines(commands, names, true),
      kinds: [...new Set(steps.map((it) => it.step))],
    })),
    batches,
    history,
    acceptances,
    assertions,
    files: files.map(({ path, change: action, explainedBy }) => ({ path, action, explainedBy })),
    lockChanges: plan.lock.before !== plan.lock.after,
  };
}

/** The JSON document of a change: its subject first, then its meaning. The order of the keys is that of the output. */
export function changeDocument(change: Change) {
  const { id, disruptive, isTrust, isConsequence, reason, steps, subject, clusters, flows, ...difference } = change;
  return {
    ...difference,
    ...describeFields(change),
    disruptive,
    trust: isTrust,
    why: describeReason(change),
    id,
    steps: describeSteps(change).map(({ when, what, on }) => ({ when, what, on })),
    clusters,
    flows,
    text: describeChange(change),
  };
}

/** The states of a change, each with the plan that leads to it. */
interface Stages {
  readonly stages: readonly { readonly name: string; readonly kind: StageKind; readonly plan: Plan }[];
  readonly leftOut: readonly {
    readonly kind: Exclude<StageKind, 'finish'>;
    readonly diagnostics: readonly Diagnostic[];
  }[];
  /** The folder with the files of the states; `null` when they are not written. */
  readonly folder: string | null;
}

interface StagesLook {
  readonly paint: Paint;
  readonly verbose: boolean;
  readonly names: LiveNames;
}

const KIND_WORDS: Readonly<Record<StageKind, string>> = {
  upgrade: 'the new release of Liqo, and nothing else',
  retire: 'clusters leave the network, and are installed again',
  add: 'everything new, beside everything old',
  finish: 'the wanted state',
};

/** The number of changes, of places of a step, and of pairs in one line. */
const SHOWN = { changes: 8, names: 6, pairs: 6 } as const;

/** Prints each state: its changes, what it may lose, what to do, and what to observe before the next one. */
export function printStages({ stages, leftOut, folder }: Stages, look: StagesLook): string {
  const blocks = [
    [headLine(stages.length, folder)],
    ...leftOut.map((it) => leftOutLines(it, look)),
    ...stages.map((it, i) => stageLines(it, { look, isLast: i === stages.length - 1 })),
  ];
  return `${blocks.map((it) => it.join('\n')).join('\n\n')}\n`;
}

function headLine(count: number, folder: string | null): string {
  const where = folder === null ? '' : `, in ${visibleText(folder)}/`;
  if (count <= 1) return `One state is enough${where}: nothing of this change can be there beside what it replaces.`;
  return `${countOf(count, 'state')}${where}. Each compiles and verifies by itself; apply one, observe, then the next.`;
}

const leftOutLines = ({ kind, diagnostics }: Stages['leftOut'][number], { paint }: StagesLook): readonly string[] => [
  `${paint.warning('left out')}: a state with ${KIND_WORDS[kind]}, which is no topology by itself:`,
  ...diagnostics.slice(0, SHOWN.changes).map((it) => `  ${it.code}: ${visibleText(it.message)}`),
];

interface StagePlace {
  readonly look: StagesLook;
  readonly isLast: boolean;
}

function stageLines({ name, kind, plan }: Stages['stages'][number], { look, isLast }: StagePlace): readonly string[] {
  const { paint, verbose, names } = look;
  const head = paint.strong(`${name}: ${KIND_WORDS[kind]}`);
  if (isEmptyPlan(plan)) return [head, '  nothing changes for the clusters'];
  const most = verbose ? plan.changes.length : shownOf(plan.changes.length, SHOWN.changes);
  const shown = most < plan.changes.length ? outliersFirst(plan.changes).slice(0, most) : plan.changes;
  return [
    head,
    ...shown.map((it) => `  ${SIGNS[it.action]} ${visibleText(describeChange(it))}`),
    ...moreLine(plan.changes.length - shown.length, ' more; -v shows all').map((it) => `    ${it}`),
    ...lossLines(lossesOf(plan), look),
    ...observeLines(plan, 'before', { look, isLast }),
    ...groupsOf(kind, plan).flatMap((it) => [
      `  ${WHEN_WORDS[it.when]}: ${it.what}${it.on.length === 0 ? '' : ` (${visibleText(someOf(it.on, SHOWN.names, '; '))})`}`,
      ...printed(it.commands, look),
    ]),
    ...observeLines(plan, 'after', { look, isLast }),
    ...remediesOf(plan).flatMap((it) => [`  ${it.what}`, ...printed(it.commands, { paint, verbose, names })]),
  ];
}

const printed = (commands: readonly StepCommand[], { paint, verbose, names }: StagesLook): readonly string[] =>
  commandLines(commands, names, verbose).map((it) => `     ${paint.strong(visibleText(it))}`);

function lossLines(losses: readonly Loss[], { paint, verbose }: StagesLook): readonly string[] {
  if (losses.length === 0) return [`  ${paint.good('no traffic is lost')}`];
  return losses.map((it) => {
    const pairs = verbose ? it.pairs.join(', ') : firstOf(it.pairs, SHOWN.pairs);
    return `  ${paint.warning('may lose')}: ${lossWords(it)}, ${countOf(it.pairs.length, 'pair')}: ${visibleText(pairs)}`;
  });
}

/** The bound of a loss: `at most 6 s, and the start of the slower gateway pod`. */
function lossWords({ seconds, restarts }: Pick<Loss, 'seconds' | 'restarts'>): string {
  if (seconds === null) return 'every connection, until it is made again';
  return `at most ${seconds} s${restarts ? ', and the start of the slower gateway pod' : ' for a connection that begins in that moment'}`;
}

/** The steps of a state. A cluster that retires comes back in the next one, so that its entry stays. */
const groupsOf = (kind: StageKind, plan: Plan) =>
  stepGroups(plan).filter(
    ({ steps }) => kind !== 'retire' || steps.some(({ step }) => step !== 'remove-entry-once-pruned'),
  );

function observeLines(plan: Plan, wanted: Observation['when'], { look, isLast }: StagePlace): readonly string[] {
  const observed = observationsOf(plan).filter((it) => it.when === wanted);
  if (observed.length === 0) return [];
  const waits = observed.map(({ when: _, ...it }): StepCommand => ({ run: 'wait-for-value', ...it }));
  const until = wanted === 'before' ? 'before this state' : isLast ? 'at the end' : 'before the next state';
  return [`  observe ${until}:`, ...printed(waits, look)];
}

/** The list of the states as a file beside them, and for a pull request. */
export const printStagesMarkdown = (stages: Stages, names: LiveNames): string =>
  printStages(stages, { paint: plainPaint, verbose: true, names }).split('\n').map(markdownLine).join('\n');

/** Heads of states are headings, lines below them a list, and commands code. */
function markdownLine(line: string): string {
  if (/^[0-9]+-/.test(line)) return `## ${line}\n`;
  if (line.startsWith('     ')) return `      ${line.trim()}`;
  return line.startsWith('  ') ? `- ${markdownText(line.trim())}` : line;
}

/** The states for programs. */
const stagesDocument = ({ stages, leftOut }: Stages, planOf: (plan: Plan) => object): object => ({
  stages: stages.map(({ name, kind, plan }) => ({
    name,
    kind,
    losses: lossesOf(plan).map(({ seconds, restarts, pairs }) => ({ seconds, restarts, pairs })),
    observe: observationsOf(plan),
    remedies: remediesOf(plan).map((it) => it.what),
    plan: planOf(plan),
  })),
  leftOut: leftOut.map(({ kind, diagnostics }) => ({ kind, why: diagnostics.map((it) => it.message) })),
});
