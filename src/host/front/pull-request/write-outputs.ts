import { randomBytes } from 'node:crypto';
import { appendToFile } from '../../disk/append-to-file.ts';
import { writeFileWhole } from '../../disk/write-file-whole.ts';
import type { ActionsContext } from './actions-context.ts';

/** Outputs for later steps of a workflow. action.yml documents their names. */
export const STEP_OUTPUTS = [
  ...(['changed', 'disruptive', 'trust-changes', 'add', 'change', 'remove', 'pairs-interrupted', 'plan-id'] as const),
  ...(['plan-json'] as const),
  ...(['diff-markdown', 'diff-html'] as const),
  ...(['operation', 'branch', 'head-commit', 'pull-request-number', 'pull-request-url', 'comment-url'] as const),
] as const;

export type StepOutputs = Partial<Readonly<Record<(typeof STEP_OUTPUTS)[number], string>>>;

/** No effect where nothing reads them. */
export async function writeOutputs(context: ActionsContext, outputs: StepOutputs): Promise<void> {
  const { outputFile, dotenvFile } = context;
  if (dotenvFile !== undefined) await writeFileWhole(dotenvFile, printDotenv(outputs));
  if (outputFile === undefined) return;
  const texts = Object.entries(outputs).map(([name, value]) => {
    // A random delimiter prevents a value from ending itself early. Source: docs.github.com, "Workflow commands".
    const end = `weft-${randomBytes(12).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await appendToFile(outputFile, texts.join(''));
}

/**
 * One variable a line, named like `WEFT_PLAN_ID`. A value is one line there, without quotes. Source: docs.gitlab.com,
 * "artifacts:reports:dotenv", which takes no more than twenty variables.
 */
const printDotenv = (outputs: StepOutputs): string =>
  Object.entries(outputs)
    .map(([name, value]) => `WEFT_${name.replaceAll('-', '_').toUpperCase()}=${value.replace(/[\r\n]+/g, ' ')}\n`)
    .join('');

/** Adds Markdown to the page of the run. */
export async function writeSummary({ summaryFile }: ActionsContext, markdown: string): Promise<void> {
  if (summaryFile !== undefined) await appendToFile(summaryFile, markdown);
}
