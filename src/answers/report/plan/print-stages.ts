import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, firstOf, moreLine, shownOf, someOf } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { isEmptyPlan, type Plan } from '../../../plan/plan-changes.ts';
import type { StageKind } from '../../../plan/stages/draft-stages.ts';
import { type Loss, lossesOf } from '../../../plan/stages/losses.ts';
import { type Observation, observationsOf, remediesOf } from '../../../plan/stages/observe.ts';
import type { StepCommand } from '../../../plan/step-command.ts';
import { commandLines, type LiveNames } from '../live-commands.ts';
import { markdownText } from '../markdown-text.ts';
import { type Paint, plainPaint } from '../paint.ts';
import { describeChange } from './describe-change.ts';
import { outliersFirst } from './outliers-first.ts';
import { stepGroups } from './plan-steps.ts';
import { SIGNS, WHEN_WORDS } from './plan-tables.ts';

/** The states of a change, each with the plan that leads to it. */
export interface Stages {
  readonly stages: readonly { readonly name: string; readonly kind: StageKind; readonly plan: Plan }[];
  readonly leftOut: readonly { readonly kind: StageKind; readonly diagnostics: readonly Diagnostic[] }[];
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
export const stagesDocument = ({ stages, leftOut }: Stages, planOf: (plan: Plan) => object): object => ({
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
