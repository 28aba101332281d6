import { randomBytes } from 'node:crypto';
import { appendToFile } from '../../disk/append-to-file.ts';
import type { ActionsContext } from './actions-context.ts';

/** What later steps of a workflow may ask for. Names are the ones that action.yml documents. */
export type StepOutputs = Partial<
  Readonly<Record<'changed' | 'disruptive' | 'plan-json' | 'pull-request-number' | 'pull-request-url', string>>
>;

/** Nothing happens outside of GitHub Actions. */
export async function writeOutputs({ outputFile }: ActionsContext, outputs: StepOutputs): Promise<void> {
  if (outputFile === undefined) return;
  const texts = Object.entries(outputs).map(([name, value]) => {
    // A value cannot end itself early when nobody can guess its end. Source: docs.github.com, "Workflow commands".
    const end = `weft-${randomBytes(12).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await appendToFile(outputFile, texts.join(''));
}

/** Puts Markdown on the page of the run. */
export async function writeSummary({ summaryFile }: ActionsContext, markdown: string): Promise<void> {
  if (summaryFile !== undefined) await appendToFile(summaryFile, markdown);
}
