import { groupBy } from '../../base/core/collections.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { countOf } from '../../base/core/words.ts';
import type { Check, Runbook, RunbookStep } from '../../live/runbook/runbook.ts';
import { type LiveNames, proofCommand, USUAL_NAMES } from './live-commands.ts';
import { markdownText } from './markdown-text.ts';
import type { Paint } from './paint.ts';

/** A runbook from git, and one from live clusters. */
export interface PrintedRunbook {
  /** The expected values. */
  readonly runbook: Runbook;
  /** The values of live clusters; `null` when there is nothing to compare. */
  readonly live: Runbook | null;
  /** The names of clusters in the last command. */
  readonly names?: LiveNames;
}

const FILL_IN =
  'kubectl finds clusters by contexts of their names. NODE, GENEVE and ADDRESS are yours to fill in. `kubectl debug` leaves pods behind (node-debugger-...): delete them afterwards.';

/**
 * `weft view rome milan --runbook`: every step with its commands, expected output and other outcomes. Beside live
 * clusters only the checks that differ, and the others with --verbose.
 */
export function printRunbook(
  printed: PrintedRunbook,
  { paint, verbose }: { readonly paint: Paint; readonly verbose: boolean },
): string {
  const { runbook, live } = printed;
  if (live !== null && !verbose) return printDifferingChecks(printed, paint);
  const steps = runbook.steps.flatMap((step, index) => [
    '',
    paint.strong(`${index + 1}. ${step.title}`),
    ...checkRows(step, live).flatMap((it) => ['', ...checkLines(it, paint)]),
    '',
    ...step.outcomes.map((it) => `  If ${visibleText(it.when)}: ${visibleText(it.next)}.`),
  ]);
  const last = ['', PROOF, `  ${visibleText(proofOf(printed))}`];
  return `${[paint.strong(runbookTitle(runbook)), FILL_IN, ...steps, ...last].join('\n')}\n`;
}

const PROOF = 'When it is repaired, this ends with "no drift":';

const proofOf = ({ runbook: { client, server }, names = USUAL_NAMES }: PrintedRunbook): string =>
  proofCommand([client, server], names);

function printDifferingChecks(printed: PrintedRunbook, paint: Paint): string {
  const { runbook, live } = printed;
  const rows = runbook.steps.flatMap((step) => checkRows(step, live));
  const differing = rows
    .map(({ check, expect }) => ({ check, expect: expect.filter((it) => it.live !== null) }))
    .filter((it) => it.expect.length > 0);
  const rest = countOf(rows.length - differing.length, 'check');
  return `${[
    paint.strong(runbookTitle(runbook)),
    ...differing.flatMap((it) => ['', ...checkLines(it, paint)]),
    '',
    differing.length === 0
      ? `No live object differs from what the ${rest} expect; -v shows them, step by step.`
      : `No live object differs in ${rest} more; -v shows them all, step by step.`,
    ...(differing.length === 0 ? [] : [PROOF, `  ${visibleText(proofOf(printed))}`]),
  ].join('\n')}\n`;
}

const checkLines = ({ check, expect }: CheckRow, paint: Paint): readonly string[] => [
  `  ${visibleText(check.command)}`,
  ...expect.flatMap(({ what, value, live: is }) => [
    `    ${paint.quiet(`${visibleText(what)}:`)} ${shown(value)}`,
    ...(is === null ? [] : [`    ${paint.warning(`live: ${shown(is)}`)}`]),
  ]),
];

/** Prints a runbook for an issue or a wiki. */
export function printRunbookMarkdown(printed: PrintedRunbook): string {
  const { runbook, live } = printed;
  const steps = runbook.steps.flatMap((step, index) => [
    '',
    `### ${index + 1}. ${markdownText(step.title)}`,
    ...checkRows(step, live).flatMap(({ check, expect }) => [
      '',
      '```sh',
      visibleText(check.command),
      '```',
      '',
      ...expect.map(
        ({ what, value, live: is }) =>
          `- ${markdownText(what)}: ${shownInMarkdown(value)}${is === null ? '' : ` (live: ${shownInMarkdown(is)})`}`,
      ),
    ]),
    '',
    ...step.outcomes.map((it) => `- If ${markdownText(it.when)}: ${markdownText(it.next)}.`),
  ]);
  const last = ['', PROOF, '', '```sh', visibleText(proofOf(printed)), '```'];
  return `${[`## ${markdownText(runbookTitle(runbook))}`, '', FILL_IN, ...steps, ...last].join('\n')}\n`;
}

/** The runbook for programs. */
export const runbookDocument = ({ live, ...printed }: PrintedRunbook) => ({
  ...printed.runbook,
  steps: printed.runbook.steps.map((step) => ({
    ...step,
    checks: checkRows(step, live).map(({ check, expect }) => ({ ...check, expect })),
  })),
  proof: proofOf({ live, ...printed }),
});

/** A public key is printed in full for comparison; the model has no private keys. */
const PUBLIC_KEY = /^[A-Za-z0-9+/]{43}=$/;

const shown = (value: string): string => (PUBLIC_KEY.test(value) ? value : visibleText(value));

const shownInMarkdown = (value: string): string => (PUBLIC_KEY.test(value) ? `\`${value}\`` : markdownText(value));

const runbookTitle = ({ client, server }: Runbook): string =>
  `${client} and ${server}: what to look at when packets are lost, in order`;

interface CheckRow {
  readonly check: Check;
  /** `live` is `null` when it is as expected, or unknown. */
  readonly expect: readonly { readonly what: string; readonly value: string; readonly live: string | null }[];
}

/** Adds the live values: the same value of the same check of that cluster in the step. */
function checkRows(step: RunbookStep, live: Runbook | null): readonly CheckRow[] {
  const now = groupBy(live?.steps.find((it) => it.id === step.id)?.checks ?? [], (it) => [it.cluster]);
  const counts = new Map<string, number>();
  return step.checks.map((check) => {
    const index = counts.get(check.cluster) ?? 0;
    counts.set(check.cluster, index + 1);
    const found = now.get(check.cluster)?.[index]?.expect ?? [];
    return {
      check,
      expect: check.expect.map(({ what, value, isInPod }, at) => {
        const is = isInPod ? undefined : found[at];
        return { what, value, live: is === undefined || is.what !== what || is.value === value ? null : is.value };
      }),
    };
  });
}
