import { diskPorts } from '../../app/disk-ports.ts';
import { emptiedClusters } from '../../app/emptied-clusters.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode } from '../../front/host.ts';
import { formatOf } from '../../front/report-diagnostics.ts';
import { digestOf } from '../../github/blob-id.ts';
import type { Forge } from '../../github/forge.ts';
import { proposeManifests } from '../../github/propose-manifests.ts';
import { pullText } from '../../github/pull-text.ts';
import { pathInRepository } from './checkout-paths.ts';
import { forgeOf, type PrCall, planText, say, summarise, writeDocument } from './pr-call.ts';
import type { PrRequest } from './pr-request.ts';
import type { PreparedPlan } from './prepare-plan.ts';
import { reportProposed } from './report-proposed.ts';
import { inputsOf, wantedTree } from './wanted-tree.ts';
import { type Outputs, writeOutputs } from './write-outputs.ts';

/** `weft pr open`: one pull request with the manifests and the lock, opened, refreshed or closed. */
export async function runOpen(call: PrCall, prepared: PreparedPlan, outputs: Outputs): Promise<ExitCode> {
  const { host, options, request } = call;
  const { plan, files, result } = prepared;
  const { context, isElsewhere } = request;
  if (context.pull?.isFromFork && !isElsewhere) {
    await say(host, 'a pull request from a fork gets no manifests: they come when it is merged');
    await writeOutputs(context, outputs);
    return EXIT.yes;
  }
  await refuseDestruction(prepared, request);
  if (isElsewhere && prepared.tree.lockChanged) {
    throw new CommandFailure(
      `the lock ${files.lock} would change, and it does not live in the repository that gets the manifests`,
      'run weft compile and commit the lock first',
      EXIT.no,
    );
  }
  const forge = forgeOf(call);
  const inRepository = pathInRepository(host);
  const { title, body, message, closingComment } = pullText(plan, plan.fleet, files.topology);
  const base = request.into ?? (await defaultBase(forge, request));
  const branch = request.branch ?? defaultBranch(plan.fleet, request);
  if (branch === base) throw new CommandFailure(`${branch} cannot be merged into itself`, 'name another with --branch');
  const done = await proposeManifests(forge, {
    base,
    branch,
    wanted: wantedTree(prepared, inRepository, isElsewhere),
    inputs: isElsewhere ? new Map() : await inputsOf(prepared, inRepository),
    title,
    body,
    message,
    digest: await digestOf(result.sources.topology.text),
    closingComment,
    force: request.force,
  });
  if (done.kind === 'proposed' && done.change !== 'unchanged') {
    if (formatOf(options) === 'text') await host.stdout.write(planText(call, plan));
    await summarise(call, { topology: files.topology, diagnostics: [], plan });
  }
  // What could not be opened is told as every refusal is, in a document of its own.
  if (done.kind !== 'not-opened') {
    const pullRequest = 'pull' in done ? { number: done.pull.number, url: done.pull.url } : null;
    await writeDocument(call, prepared, { result: done.kind, pullRequest });
  }
  return reportProposed(call, done, { outputs, base, branch });
}

/** The branch that was pushed to, or that of the pull request which edits the topology; else the repository's default. */
async function defaultBase(forge: Forge, { context, isElsewhere }: PrRequest): Promise<string> {
  const here = isElsewhere ? undefined : (context.pull?.branch ?? context.branch);
  return here ?? forge.defaultBranch();
}

/** Each pull request that edits the topology has manifests of its own. */
const defaultBranch = (fleet: string, { context, isElsewhere }: PrRequest): string =>
  context.pull === null || isElsewhere ? `weft/${fleet}` : `weft/${fleet}-pr-${context.pull.number}`;

/** As `weft compile` refuses, and as `weft plan` does. */
async function refuseDestruction({ guard, result, to }: PreparedPlan, { allowDestroy }: PrRequest): Promise<void> {
  if (allowDestroy) return;
  const hint = 'say --allow-destroy when this is meant; `retired: true` lets one cluster leave the fleet in order';
  const [first] = await emptiedClusters(diskPorts(to.cwd).files, result.compiled, to);
  if (first !== undefined)
    throw new CommandFailure(`"${first}" would have no peer left; nothing is sent`, hint, EXIT.no);
  if (guard.length === 0) return;
  throw new CommandFailure(`${guard.map((it) => it.message).join('; ')}; nothing is sent`, hint, EXIT.no);
}
