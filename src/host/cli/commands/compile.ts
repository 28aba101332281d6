import { resolve } from 'node:path';
import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { type CompileRequest, type CompileResult, compileFleet, topologiesOf } from '../../app/compile-fleet.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type RebuildMemory, rebuildMemory } from '../../app/rebuild-memory.ts';
import { watchedFolders } from '../../app/watched-folders.ts';
import { type TreeMemory, treeMemory } from '../../disk/tree/tree-memory.ts';
import { watchAndRun } from '../../disk/watch-and-run.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { growHeapFaster } from '../../front/grow-heap.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { worded } from '../../front/print-failure.ts';
import { refused } from '../../front/refused.ts';
import { formatOf, reportDiagnostics } from '../../front/report-diagnostics.ts';
import { compileRequest } from '../compile-request.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { compileRow, printCompared } from '../print-compared.ts';
import { printWritten } from '../print-written.ts';
import { describeStep, startProgress } from '../progress.ts';

/** `weft compile`: the main job. */
export const compileCommand = (host: Host, call: Call<'compile'>): Promise<ExitCode> =>
  call.options.watch ? watchCompile(host, call) : compileOnce(host, call);

/** What `--watch` keeps from one run to the next. */
interface Kept {
  readonly rebuilds: RebuildMemory;
  readonly tree: TreeMemory;
}

async function compileOnce(host: Host, { args, options }: Call<'compile'>, kept?: Kept): Promise<ExitCode> {
  const once = compileRequest(args[0], options, host.env['CI']);
  const request: CompileRequest = kept === undefined ? once : { ...once, memory: kept.rebuilds };
  const progress = startProgress(host, options);
  const result = await compileFleet(
    { ...diskPorts(host.cwd, kept?.tree ?? null), progress: (step) => progress.step(describeStep(step)) },
    request,
  ).finally(progress.end);
  if (result.kind === 'refused') throw refused(result.refusal);
  return report(host, options, result);
}

type Finished = Exclude<CompileResult, { kind: 'refused' }>;

async function report(host: Host, options: OptionsOf<'compile'>, result: Finished): Promise<ExitCode> {
  await reportDiagnostics(host, options, result.diagnostics, 'warnings');
  const document = diagnosticsDocument(result.diagnostics);
  const isCurrent = result.kind !== 'compared' || result.fleets.every((it) => it.differences.length === 0);
  const ok = document.ok && isCurrent;
  const format = formatOf(options);
  if (format === 'json') await host.stdout.write(printJson({ ...document, ok, ...rowsOf(result) }));
  if (format === 'text') await host.stdout.write(print(host, options, result));
  return ok ? EXIT.yes : EXIT.no;
}

function rowsOf(result: Finished) {
  switch (result.kind) {
    case 'errors':
      return {};
    case 'written':
      return { results: result.fleets.map((it) => compileRow(it)) };
    case 'compared':
      return { results: result.fleets.map((it) => compileRow(it, it.differences)) };
  }
}

function print(host: Host, { color, quiet }: OptionsOf<'compile'>, result: Finished): string {
  if (result.kind === 'errors') return '';
  const paint = choosePaint(color, host.env, host.stdout);
  const texts =
    result.kind === 'written'
      ? result.fleets.map((it) => (quiet ? '' : printWritten(it, paint)))
      : result.fleets.map((it) => (quiet && it.differences.length === 0 ? '' : printCompared(it)));
  return texts.filter((it) => it !== '').join('\n');
}

async function watchCompile(host: Host, call: Call<'compile'>): Promise<ExitCode> {
  growHeapFaster();
  const request = compileRequest(call.args[0], call.options, host.env['CI']);
  const { files } = diskPorts(host.cwd);
  const topologies = await topologiesOf(files, request);
  const kept: Kept = { rebuilds: rebuildMemory(), tree: treeMemory() };
  await watchAndRun({
    onInterrupt: host.onInterrupt,
    folders: async () => {
      const watched = [...(await watchedFolders(files, topologies))];
      return new Map(watched.map(([folder, matters]) => [resolve(host.cwd, folder), matters]));
    },
    run: async () => {
      await compileOnce(host, call, kept).catch(async (thrown: unknown) => {
        const error = await worded(thrown);
        // The next edit may remove the cause.
        if (!(error instanceof CommandFailure)) throw error;
        await host.stderr.write(
          `error: ${error.message}\n${error.hint === undefined ? '' : `  hint: ${error.hint}\n`}`,
        );
      });
      await host.stderr.write('Watching for changes; Ctrl-C ends.\n');
    },
  });
  return EXIT.interrupted;
}
