import { planAnswer, printStagesMarkdown } from '../../../answers/report/plan/plan-answer.ts';
import { removalDiagnostics } from '../../../answers/report/plan/plan-diagnostics.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { isEmptyPlan } from '../../../plan/plan-changes.ts';
import { agingDiagnostics } from '../../app/compile-topology.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { planFleet } from '../../app/plan-fleet.ts';
import { planLive } from '../../app/plan-live.ts';
import { stageChange } from '../../app/stage-change.ts';
import { DiskError, EnvironmentError } from '../../disk/disk-error.ts';
import { liveNames, liveRequest, planRequest, relockTargets } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { readingClusters, show, showUnanswered, worded } from '../../front/show.ts';
import { writeDiff, writeStages, writtenWords } from '../../front/write-diff.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** The exit code of `--detailed-exitcode` if there is something to do, as `terraform plan -detailed-exitcode` does. */
const DIFFERS = 2;

/** `weft plan`: shows what would change, and what that breaks. Writes only the diff of `--diff`. */
export async function planCommand(host: Host, { args, options }: Call<'plan'>): Promise<ExitCode> {
  try {
    return await planOnce(host, options, args[0]);
  } catch (error) {
    // With the detailed exit code, 2 means that there is something to do, so every failure is 1.
    throw options.detailedExitcode ? withExitCode(await worded(error), EXIT.no) : error;
  }
}

function withExitCode(error: unknown, exitCode: ExitCode): unknown {
  if (error instanceof DiskError) return new CommandFailure(`${error.path}: ${error.message}`, error.hint, exitCode);
  const isExpected = error instanceof CommandFailure || error instanceof EnvironmentError;
  return isExpected ? new CommandFailure(error.message, error.hint, exitCode) : error;
}

async function planOnce(host: Host, options: OptionsOf<'plan'>, topology: string | undefined): Promise<ExitCode> {
  const request = { ...planRequest(topology, options), relock: relockTargets(options) };
  const liveClusters = liveRequest(options);
  if (liveClusters !== undefined && request.base.kind !== 'out') {
    throw new CommandFailure(
      `--live and --${request.base.kind === 'nothing' ? 'new' : 'base'} exclude each other: each names what the plan starts from`,
      'remove one',
    );
  }
  if (liveClusters !== undefined && options.steps !== undefined)
    throw new CommandFailure('--steps and --live exclude each other: states are in git', 'remove one');
  const { files, tree } = diskPorts(host.cwd);
  const result =
    liveClusters === undefined
      ? await planFleet({ files, tree }, request)
      : await readingClusters(host, options, (ports) => planLive(ports, { ...request, live: liveClusters }));
  const { diff: folder, steps, detailedExitcode, quiet } = options;
  const staged = steps === undefined || result.kind !== 'planned' ? null : await stageChange(files, request);
  if (staged !== null && staged.kind !== 'staged') return showUnanswered(host, options, staged);
  const stages = staged === null || steps === undefined ? null : { ...staged, folder: steps };
  if (stages !== null) {
    const list = printStagesMarkdown(stages, liveNames(topology, options));
    await writeStages(host, { folder: stages.folder, out: request.out }, stages, list);
  }
  const isWritten = result.kind === 'planned' && folder !== undefined;
  const diff = isWritten ? await writeDiff(host, { folder, out: request.out }, result) : null;
  const comparesOut = liveClusters === undefined && request.base.kind === 'out' && request.relock.length === 0;
  const exitCode = await show(host, options, planAnswer, result, (planned) => {
    const { topology: ready, diagnostics, plan, removals, broken, live } = planned;
    const { model } = ready.compiled;
    const differs = detailedExitcode && (!isEmptyPlan(plan) || (live?.unexplained ?? []).length > 0);
    return {
      plan,
      model,
      live,
      names: liveNames(topology, options),
      stages,
      out: comparesOut && files.folderInRepository(request.out) !== undefined ? request.out : null,
      diagnostics: [
        ...diagnostics,
        ...agingDiagnostics(ready, systemClock.now()),
        ...removalDiagnostics(removals, model.fleet.at, live !== null),
        ...broken,
      ],
      exitCode: removals.length + broken.length > 0 ? EXIT.no : differs ? DIFFERS : EXIT.yes,
      report: { terminal: 'warnings' as const, isLast: true },
    };
  });
  if (isWritten && !quiet) await host.stderr.write(`${visibleText(writtenWords(diff))}\n`);
  return result.kind !== 'planned' && detailedExitcode ? EXIT.no : exitCode;
}
