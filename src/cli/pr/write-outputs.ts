import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { asDiskError } from '../../disk/disk-error.ts';
import type { ActionsContext } from './actions-context.ts';

/** What later steps of a workflow may ask for. Names are the ones that action.yml documents. */
export type Outputs = Partial<
  Readonly<Record<'changed' | 'disruptive' | 'plan-json' | 'pull-request-number' | 'pull-request-url', string>>
>;

/** Nothing happens outside of GitHub Actions. */
export async function writeOutputs({ outputFile }: ActionsContext, outputs: Outputs): Promise<void> {
  if (outputFile === undefined) return;
  const texts = Object.entries(outputs).map(([name, value]) => {
    // A value cannot end itself early when nobody can guess its end. Source: docs.github.com, "Workflow commands".
    const end = `weft-${randomBytes(12).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await append(outputFile, texts.join(''));
}

export async function writeSummary({ summaryFile }: ActionsContext, markdown: string): Promise<void> {
  if (summaryFile !== undefined) await append(summaryFile, markdown);
}

const append = (path: string, text: string): Promise<void> =>
  appendFile(path, text).catch((error: unknown) => {
    throw asDiskError(error, path);
  });
