import { resolve } from 'node:path';
import { writeFileWhole } from '../../disk/write-file-whole.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics } from '../../front/report-diagnostics.ts';
import { ForgeError } from '../../github/forge-error.ts';
import { redactor } from '../../github/redact.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { planDocument } from '../../report/plan/plan-document.ts';
import type { Call } from '../options-of.ts';
import { type Connect, connectForge } from '../pr/connect-forge.ts';
import { type PrCall, summarise } from '../pr/pr-call.ts';
import { prRequest } from '../pr/pr-request.ts';
import { type Prepared, type PreparedPlan, preparePlan } from '../pr/prepare-plan.ts';
import { redactError, redactedHost } from '../pr/redacted-host.ts';
import { runCheck } from '../pr/run-check.ts';
import { runComment } from '../pr/run-comment.ts';
import { runOpen } from '../pr/run-open.ts';
import { type Outputs, writeOutputs } from '../pr/write-outputs.ts';

/** `weft pr`: what CI calls. Whatever happens, no output and no error shows the token. */
export async function prCommand(
  host: Host,
  { args, options }: Omit<Call<'pr'>, 'help'>,
  connect: Connect = connectForge,
): Promise<ExitCode> {
  const redact = redactor(['WEFT_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN'].map((name) => host.env[name]?.trim()));
  try {
    return await run({
      host: redactedHost(host, redact),
      options,
      connect,
      request: await prRequest(host, { args, options }),
    });
  } catch (error) {
    const told = error instanceof ForgeError ? new CommandFailure(error.message, error.hint) : error;
    throw redactError(told, redact);
  }
}

async function run(call: PrCall): Promise<ExitCode> {
  const { host, request } = call;
  const prepared = await preparePlan(host, request);
  if (prepared.kind === 'errors') return reportErrors(call, prepared);
  const outputs = await planOutputs(call, prepared);
  switch (request.mode) {
    case 'check':
      return runCheck(call, prepared, outputs);
    case 'comment':
      return runComment(call, prepared, outputs);
    case 'open':
      return runOpen(call, prepared, outputs);
  }
}

/** Nothing is written or sent for a topology with errors; the page of the run says what they are. */
async function reportErrors(call: PrCall, { files, diagnostics }: Prepared): Promise<ExitCode> {
  const { host, options, request } = call;
  await reportDiagnostics(host, options, diagnostics);
  if (formatOf(options) === 'json') await host.stdout.write(printJson(diagnosticsDocument(diagnostics)));
  await summarise(call, { topology: files.topology, diagnostics, plan: null });
  await writeOutputs(request.context, {});
  return EXIT.no;
}

async function planOutputs({ host, request }: PrCall, { plan, tree }: PreparedPlan): Promise<Outputs> {
  const { planFile } = request;
  if (planFile !== undefined) await writeFileWhole(resolve(host.cwd, planFile), printJson(planDocument(plan)));
  const changes = tree.placements.length + tree.removals.length;
  return {
    changed: String(changes > 0 || tree.recordChanged || tree.lockChanged),
    disruptive: String(plan.changes.some((it) => it.disruptive)),
    ...(planFile === undefined ? {} : { 'plan-json': planFile }),
  };
}
