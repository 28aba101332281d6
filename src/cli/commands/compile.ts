import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { compareTree } from '../../disk/tree/compare-tree.ts';
import { isFolder } from '../../disk/tree/request-problems.ts';
import { type TreeProblem, writeTree } from '../../disk/tree/write-tree.ts';
import { watchAndRun } from '../../disk/watch-and-run.ts';
import { compileSummary } from '../../report/compile-summary.ts';
import { countDiagnostics } from '../../report/count-diagnostics.ts';
import { countOf, listOf } from '../../report/count-of.ts';
import { describeLockChanges } from '../../report/describe-lock-changes.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import type { CompileReport } from '../../report/print-summary.ts';
import { printSummary } from '../../report/print-summary.ts';
import { choosePaint } from '../choose-paint.ts';
import { type CompileRequest, compileRequest } from '../compile-request.ts';
import { asTyped, type CompiledTopology, compileTopology, type Destination, treeRequest } from '../compile-topology.ts';
import { emptiedClusters } from '../emptied-clusters.ts';
import { findAllTopologies, findTopology, type TopologyFiles } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { startProgress } from '../progress.ts';
import { Refusal } from '../refusal.ts';
import { formatOf, reportDiagnostics } from '../report-diagnostics.ts';

/** `weft compile`: the main job. */
export async function compileCommand(host: Host, call: Call<'compile'>): Promise<ExitCode> {
  const { options } = call;
  const request = compileRequest(call);
  if (options.watch) return watchCompile(host, options, request);
  return compileOnce(host, options, request);
}

type Ready = CompiledTopology & { readonly result: NonNullable<CompiledTopology['result']> };

async function compileOnce(host: Host, options: OptionsOf<'compile'>, request: CompileRequest): Promise<ExitCode> {
  const progress = startProgress(host, options);
  const finished: Finished[] = [];
  let diagnostics: readonly Diagnostic[] = [];
  try {
    progress.step('compiling');
    const topologies = await compileAll(host, request);
    diagnostics = topologies.flatMap((it) => it.diagnostics);
    const ready = topologies.filter((it): it is Ready => it.result !== null);
    // One topology with errors, and nothing is written: half a fleet of fleets is what nobody asked for.
    if (ready.length < topologies.length) return await report(host, options, { diagnostics, finished });
    for (const [it, to] of destinations(host, request, ready)) {
      progress.step(request.check ? `comparing ${to.out}/` : `writing ${to.out}/`);
      finished.push(request.check ? await checkOne(it, to) : await writeOne(it, to, request));
      // A pull request is where somebody finds out that a file was edited by hand, so there the promises are proved too.
      if (request.check && inCI(host))
        diagnostics = [...diagnostics, ...(await brokenPromises(it, to, finished.at(-1)))];
    }
  } finally {
    await progress.end();
  }
  return report(host, options, { diagnostics, finished });
}

async function compileAll(host: Host, request: CompileRequest): Promise<readonly CompiledTopology[]> {
  const compiled: CompiledTopology[] = [];
  for (const it of await filesToCompile(host, request)) compiled.push(await compileTopology(host.cwd, it, request));
  return compiled;
}

async function filesToCompile(host: Host, request: CompileRequest): Promise<readonly TopologyFiles[]> {
  if (request.all) return findAllTopologies(host.cwd, request.topology);
  return [await findTopology(host.cwd, request.topology, request.lock)];
}

/** Several topologies get a folder each, by the name of their fleet. */
function destinations(
  host: Host,
  request: CompileRequest,
  ready: readonly Ready[],
): readonly (readonly [Ready, Destination])[] {
  const { cwd } = host;
  const { out, only } = request;
  if (ready.length < 2) return ready.map((it) => [it, { cwd, out, only }]);
  const names = ready.map((it) => it.result.compiled.model.fleet.name);
  const twice = names.find((it, i) => names.indexOf(it) !== i);
  if (twice !== undefined) {
    const paths = ready.filter((_, i) => names[i] === twice).map((it) => it.files.topology);
    const hint = 'give each topology a `name` of its own: it is the name of its folder';
    throw new Refusal(`${listOf(paths)} both describe a fleet "${twice}"`, hint, EXIT.no);
  }
  return ready.map((it, i) => [it, { cwd, out: join(out, names[i] ?? ''), only }]);
}

/** What came of one topology. */
type Finished =
  | { readonly kind: 'written'; readonly report: CompileReport; readonly remarks: readonly string[] }
  | { readonly kind: 'current'; readonly report: CompileReport }
  | { readonly kind: 'differs'; readonly report: CompileReport; readonly differences: readonly Difference[] };

interface Difference {
  readonly change: 'create' | 'change' | 'remove';
  readonly path: string;
}

async function writeOne(it: Ready, to: Destination, request: CompileRequest): Promise<Finished> {
  const { compiled, sources } = it.result;
  if (request.frozenLock && sources.lock?.text !== compiled.lock) {
    const what = describeLockChanges(sources.lock?.text, compiled.lock);
    throw new Refusal(
      `the lock ${it.files.lock} would change${what.length === 0 ? '' : `: ${listOf(what)}`}; nothing is written`,
      'run weft compile without --frozen-lock and commit the lock',
      EXIT.no,
    );
  }
  if (!request.allowEmpty) await refuseEmptied(it, to);
  const tree = await writeTree(treeRequest(it.files, it.result, to));
  if (tree.kind === 'refused') throw refusalOf(tree.problems, to);
  if (tree.kind === 'busy') {
    throw new Refusal(
      `${to.out} is being written by ${tree.holder}; nothing is written`,
      `run it again when that is done; when no such weft runs any more, delete ${to.out}/.weft/lock`,
    );
  }
  const { created, changed, removed, unchanged, lockChanged, keptEdited } = tree;
  const counts = { created: created.length, changed: changed.length, removed: removed.length, unchanged, lockChanged };
  const lost = sources.lock === undefined && changed.length + removed.length + unchanged > 0;
  const remarks = [
    ...(lost ? [lockLost(it, to)] : []),
    ...keptEdited.map(
      (path) => `${join(to.out, path)} is no longer compiled, but somebody edited it: it stays, and is yours now.`,
    ),
  ];
  return { kind: 'written', report: reportOf(it, to, counts, removed), remarks };
}

async function checkOne(it: Ready, to: Destination): Promise<Finished> {
  const request = treeRequest(it.files, it.result, to);
  const found = await compareTree(request);
  if (found.kind === 'refused') throw refusalOf(found.problems, to);
  const { created, changed, removed, unchanged, lockChanged, keptEdited } = found;
  const counts = { created: created.length, changed: changed.length, removed: removed.length, unchanged, lockChanged };
  const report = reportOf(it, to, counts, removed);
  if (found.isCurrent) return { kind: 'current', report };
  const differences = [
    ...(lockChanged ? [{ change: 'change', path: it.files.lock } as const] : []),
    ...created.map((path) => ({ change: 'create', path: join(to.out, path) }) as const),
    ...changed.map((path) => ({ change: 'change', path: join(to.out, path) }) as const),
    ...[...removed, ...keptEdited].map((path) => ({ change: 'remove', path: join(to.out, path) }) as const),
    ...(found.recordChanged ? [{ change: 'change', path: join(to.out, '.weft/bundle.json') } as const] : []),
  ];
  return { kind: 'differs', report, differences };
}

const inCI = ({ env }: Host): boolean => env['CI'] !== undefined && !['', '0', 'false'].includes(env['CI']);

/** What `weft verify` finds, without what the comparison tells already. One cluster alone is half of each promise. */
async function brokenPromises(
  { result }: Ready,
  to: Destination,
  found: Finished | undefined,
): Promise<readonly Diagnostic[]> {
  if (to.only !== null) return [];
  const start = join(to.out, 'x').length - 1;
  const differing = found?.kind === 'differs' ? found.differences.map((it) => it.path.slice(start)) : [];
  if (!isFolder(resolve(to.cwd, to.out))) return [];
  return (await import('../verify-out.ts')).verifyEdited(result.compiled, to, differing);
}

/** Nothing that was full becomes empty unless somebody says that this is meant: not a cluster, and not the whole fleet. */
async function refuseEmptied(it: Ready, to: Destination): Promise<void> {
  const { compiled } = it.result;
  const hint =
    'set `retired: true` on a cluster that leaves the fleet; when an empty result is meant, say --allow-empty';
  if (compiled.model.clusters.size === 0) {
    const found = await compareTree(treeRequest(it.files, it.result, to));
    const gone = found.kind === 'compared' ? found.removed : [];
    if (gone.length === 0) return;
    const what = `${it.files.topology} has no clusters, and ${to.out}/ has ${countOf(gone.length, 'file')} of some`;
    throw new Refusal(`${what}; nothing is written`, hint, EXIT.no);
  }
  const emptied = await emptiedClusters(compiled, to);
  const [first] = emptied;
  if (first === undefined) return;
  const names = listOf(emptied.map((name) => `"${name}"`));
  const what = `${names} would have no peer left, and ${to.out}/${first}/ has some`;
  throw new Refusal(`${what}; nothing is written`, hint, EXIT.no);
}

/** All that stands in the way at once; the first one's advice. */
function refusalOf(problems: readonly TreeProblem[], to: Destination): Refusal {
  const lines = problems.map((it) => `${asTyped(it.path, to)}: ${it.message}`);
  return new Refusal(`${lines.join('\n')}\nnothing is written`, problems[0]?.hint);
}

/** A lock that got lost is not a new fleet: without it every address is decided again. */
function lockLost(it: Ready, to: Destination): string {
  return `There was no ${it.files.lock} beside a full ${to.out}/, so everything was decided anew. If it got lost, bring it back (\`git checkout\`) and compile again: addresses may have moved.`;
}

type DiskCounts = Omit<CompileReport['disk'], 'out' | 'lock'>;

function reportOf(it: Ready, to: Destination, counts: DiskCounts, removed: readonly string[]): CompileReport {
  const { sources, compiled } = it.result;
  const { model } = compiled;
  const folders = [...new Set(removed.map((path) => path.split('/', 1)[0] ?? ''))];
  return {
    topology: it.files.topology,
    byDefault: it.files.byDefault,
    summary: compileSummary(model),
    counts: countDiagnostics(it.diagnostics),
    decided: describeLockChanges(sources.lock?.text, compiled.lock),
    disk: { out: to.out, lock: it.files.lock, ...counts },
    gone: folders.filter((name) => !name.startsWith('_') && name.includes('.') === false && !model.clusters.has(name)),
    only: to.only,
  };
}

interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly finished: readonly Finished[];
}

async function report(
  host: Host,
  options: OptionsOf<'compile'>,
  { diagnostics, finished }: Outcome,
): Promise<ExitCode> {
  await reportDiagnostics(host, options, diagnostics, 'warnings');
  const document = diagnosticsDocument(diagnostics);
  const ok = document.ok && finished.every((it) => it.kind !== 'differs');
  const format = formatOf(options);
  if (format === 'json') {
    await host.stdout.write(printJson({ ...document, ok, results: finished.map(resultRow) }));
  } else if (format === 'text') {
    const paint = choosePaint(options.color, host.env, host.stdout);
    const quiet = options.quiet;
    const texts = finished.map((it) => {
      if (it.kind === 'differs') return printDifferences(it.report, it.differences);
      if (quiet) return '';
      if (it.kind === 'current') return `${it.report.disk.out}/ and ${it.report.disk.lock} are current.\n`;
      return `${printSummary(it.report, paint)}${it.remarks.map((remark) => `${remark}\n`).join('')}`;
    });
    await host.stdout.write(texts.filter((it) => it !== '').join('\n'));
  }
  return ok ? EXIT.yes : EXIT.no;
}

function resultRow(it: Finished) {
  const { counts: _counts, byDefault: _byDefault, ...report } = it.report;
  return { ...report, differences: it.kind === 'differs' ? it.differences : [] };
}

const SIGNS = { create: '+', change: '~', remove: '-' } as const;
const SHOWN_DIFFERENCES = 50;

function printDifferences({ disk }: CompileReport, differences: readonly Difference[]): string {
  const shown = differences.slice(0, SHOWN_DIFFERENCES).map((it) => `  ${SIGNS[it.change]} ${it.path}`);
  const left = differences.length - shown.length;
  return [
    `${disk.out}/ is not what the topology says:`,
    ...shown,
    ...(left > 0 ? [`  ... and ${left} more`] : []),
    'Run weft compile and commit what it writes.',
    '',
  ].join('\n');
}

async function watchCompile(host: Host, options: OptionsOf<'compile'>, request: CompileRequest): Promise<ExitCode> {
  const files = await filesToCompile(host, request);
  const names = new Set(files.flatMap((it) => [basename(it.topology), basename(it.keys)]));
  await watchAndRun({
    onInterrupt: host.onInterrupt,
    folders: [...new Set(files.map((it) => resolve(host.cwd, dirname(it.topology))))],
    matters: (name) => names.has(name),
    run: async () => {
      await compileOnce(host, options, request).catch(async (error: unknown) => {
        // What stands in the way now may be gone after the next edit.
        if (!(error instanceof Refusal)) throw error;
        await host.stderr.write(
          `error: ${error.message}\n${error.hint === undefined ? '' : `  hint: ${error.hint}\n`}`,
        );
      });
      await host.stderr.write('Watching for changes; Ctrl-C ends.\n');
    },
  });
  return EXIT.interrupted;
}
