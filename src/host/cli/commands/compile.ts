import { resolve } from 'node:path';
import { type CompileReport, compileReport } from '../../../answers/report/compile-report.ts';
import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import type { Paint } from '../../../answers/report/paint.ts';
import { printSummary } from '../../../answers/report/print-summary.ts';
import { sortedUnique } from '../../../base/core/collections.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { firstLines } from '../../../base/core/words.ts';
import {
  type ComparedFleet,
  type CompileRequest,
  type CompileResult,
  compileFleet,
  type FileDifference,
  topologiesOf,
  type WrittenFleet,
} from '../../app/compile-fleet.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type RebuildMemory, rebuildMemory, watchedFolders } from '../../app/watch-fleet.ts';
import { type TreeMemory, treeMemory } from '../../disk/tree/tree-memory.ts';
import { watchAndRun } from '../../disk/watch-and-run.ts';
import { bundlesFolder } from '../../front/bundles-folder.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, growHeapFaster, type Host } from '../../front/host.ts';
import { removedShare } from '../../front/plan-request.ts';
import { worded } from '../../front/print-failure.ts';
import { refused } from '../../front/refused.ts';
import { formatOf, reportDiagnostics } from '../../front/report-diagnostics.ts';
import { relockTargets } from '../argument-values.ts';
import type { Call, OptionsOf } from '../options-of.ts';
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

/** The request of `weft compile`. `ci` is the variable that CI systems set; if it is set, the files are also verified. */
function compileRequest(
  topology: string | undefined,
  options: OptionsOf<'compile'>,
  ci: string | undefined,
): CompileRequest {
  refuseContradictions(options);
  const clusters = options.cluster;
  return {
    topology,
    all: options.all,
    lock: options.lock,
    out: bundlesFolder(options),
    only: clusters.length === 0 ? null : sortedUnique(clusters),
    relock: relockTargets(options),
    mode: options.check ? 'check' : 'write',
    // In a pull request, a file that was edited by hand must be found.
    verify: ci !== undefined && !['', '0', 'false'].includes(ci),
    frozenLock: options.frozenLock,
    allowEmpty: options.allowEmpty,
    allowDestroy: options.allowDestroy,
    maxRemoved: removedShare(options.maxRemoved),
  };
}

type Name = keyof OptionsOf<'compile'>;

/** Pairs of options that exclude each other, with the reason. */
const CONTRADICTIONS: readonly (readonly [one: Name, other: Name, why: string])[] = [
  ['all', 'cluster', 'a cluster belongs to one topology'],
  ['all', 'relock', 'a link belongs to one topology'],
  ['all', 'lock', 'each topology has its own lock'],
  ['watch', 'check', '--check runs once'],
  ['frozenLock', 'relock', '--relock changes the lock'],
];

function refuseContradictions(options: OptionsOf<'compile'>): void {
  for (const [one, other, why] of CONTRADICTIONS) {
    if (!isGiven(options[one]) || !isGiven(options[other])) continue;
    throw new CommandFailure(`--${dashed(one)} and --${dashed(other)} exclude each other: ${why}`);
  }
  if (options.watch && formatOf(options) !== 'text') {
    throw new CommandFailure(
      '--watch and --output exclude each other: --watch prints a summary for each run',
      'remove one of them',
    );
  }
}

const isGiven = (value: OptionsOf<'compile'>[Name]): boolean =>
  typeof value === 'object' ? value.length > 0 : value !== undefined && value !== false;

/** `frozen-lock` for `frozenLock`: the name that users type. */
const dashed = (name: Name): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const SHOWN_DIFFERENCES = 50;

/** Printed after `weft compile --check`. */
function printCompared({ topology, out: folder, differences }: ComparedFleet): string {
  const out = visibleText(folder);
  if (differences.length === 0) return `${out}/ and ${visibleText(topology.files.lock)} are current.\n`;
  const lines = differences.map((it) => `  ${SIGNS[it.change]} ${visibleText(it.path)}`);
  return [
    `${out}/ is out of date:`,
    ...firstLines(lines, SHOWN_DIFFERENCES, (left) => `  ... and ${left} more`),
    'Run "weft compile" and commit the result.',
    '',
  ].join('\n');
}

/** One topology of `weft compile -o json`. */
type CompileRow = Omit<CompileReport, 'counts' | 'accepted' | 'byDefault'> & {
  readonly accepted: Omit<CompileReport['accepted'], 'errors'>;
  readonly differences: readonly { readonly action: FileDifference['change']; readonly file: string }[];
};

function compileRow(fleet: WrittenFleet | ComparedFleet, differences: readonly FileDifference[] = []): CompileRow {
  const { counts: _counts, byDefault: _byDefault, accepted, ...report } = compileReport(fleet);
  const { warnings, notes } = accepted;
  const files = differences.map(({ change: action, path: file }) => ({ action, file }));
  return { ...report, accepted: { warnings, notes }, differences: files };
}

/** Printed after `weft compile`. */
function printWritten(fleet: WrittenFleet, paint: Paint): string {
  const { out, topology, keptFiles } = fleet;
  const remarks = [
    ...(fleet.lockWasLost ? [lockLost(topology.files.lock, out)] : []),
    ...keptFiles.map(
      (path) => `${path} is no longer generated but was edited by hand, so it is kept; weft no longer manages it.`,
    ),
  ];
  return `${printSummary(compileReport(fleet), paint)}${remarks.map((it) => `${visibleText(it)}\n`).join('')}`;
}

/** A fleet that lost its lock is not a new one: without the lock every address is decided again. */
const lockLost = (lock: string, out: string): string =>
  `There was no ${lock}, although ${out}/ has bundles: everything was decided again, and addresses may have changed. If the lock was lost, restore it (\`git checkout\`) and compile again.`;
