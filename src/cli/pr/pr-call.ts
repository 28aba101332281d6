import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { Host } from '../../front/host.ts';
import { formatOf, pathFromCheckout } from '../../front/report-diagnostics.ts';
import type { Forge } from '../../github/forge.ts';
import { jobSummary } from '../../github/job-summary.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { planDocument } from '../../report/plan/plan-document.ts';
import { printPlan } from '../../report/plan/print-plan.ts';
import type { OptionsOf } from '../options-of.ts';
import type { Connect } from './connect-forge.ts';
import type { PrRequest } from './pr-request.ts';
import type { PreparedPlan } from './prepare-plan.ts';
import { writeSummary } from './write-outputs.ts';

/** All that a mode of `weft pr` needs. */
export interface PrCall {
  readonly host: Host;
  readonly options: OptionsOf<'pr'>;
  readonly connect: Connect;
  readonly request: PrRequest;
}

export interface Summary {
  readonly topology: string;
  readonly diagnostics: readonly Diagnostic[];
  /** `null` when the topology has errors. */
  readonly plan: Plan | null;
}

export function forgeOf({ connect, host, request }: PrCall): Forge {
  const { repository, token, context } = request;
  if (repository === null)
    throw new CommandFailure('which repository is meant?', 'name it with --repository owner/name');
  if (token === undefined)
    throw new CommandFailure(
      'there is no token for GitHub',
      'give one in WEFT_TOKEN or GITHUB_TOKEN; an option would show it to every process',
    );
  return connect({ repository, token, apiUrl: context.apiUrl, version: host.version });
}

/** Puts it on the page of the run. */
export const summarise = ({ host, request }: PrCall, summary: Summary): Promise<void> =>
  writeSummary(request.context, jobSummary({ ...summary, pathOf: pathFromCheckout(host) }));

/** The plan for people; nothing for those who asked for quiet. */
export function planText({ host, options }: PrCall, plan: Plan): string {
  const paint = choosePaint(options.color, host.env, host.stdout);
  return options.quiet ? '' : printPlan(plan, { paint, verbose: options.verbose });
}

/** With `-o json` stdout holds one document, whatever the mode. */
export async function writeDocument(
  { host, options }: PrCall,
  { diagnostics, plan }: PreparedPlan,
  more: object,
): Promise<void> {
  if (formatOf(options) !== 'json') return;
  await host.stdout.write(printJson({ ...diagnosticsDocument(diagnostics), ...more, plan: planDocument(plan) }));
}

/** A line for people, beside whatever stdout is for. */
export const say = (host: Host, line: string): Promise<boolean> => host.stderr.write(`${line}\n`);
