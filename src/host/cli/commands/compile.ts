import { countDiagnostics } from '../../../answers/report/diagnostics-document.ts';
import { compileAnswer } from '../../../answers/report/print-summary.ts';
import { sortedUnique } from '../../../base/core/collections.ts';
import { type CompileRequest, topologiesOf } from '../../app/compile-fleet.ts';
import { diskCache, diskPorts, diskStart } from '../../app/disk-ports.ts';
import { compileRemembered, type ShownCompile } from '../../app/remembered-compile.ts';
import { threadUse } from '../../disk/tree/staging-thread.ts';
import type { TreeCache } from '../../disk/tree/tree-cache.ts';
import { bundlesFolder, relockTargets, removedShare, shardOf, targetsOf } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { show, startProgress, worded } from '../../front/show.ts';
import { growHeapFaster } from '../../front/v8-flags.ts';
import { type Kept, watchFleets } from '../../watch/watch-fleets.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft compile`: the main job. */
export const compileCommand = (host: Host, call: Call<'compile'>): Promise<ExitCode> =>
  call.options.watch ? watchCompile(host, call) : compileOnce(host, call);

async function compileOnce(host: Host, { args, options }: Call<'compile'>, kept?: Kept): Promise<ExitCode> {
  const once = compileRequest(args[0], options, host.env['CI']);
  const request: CompileRequest = kept === undefined ? once : { ...once, memory: kept.rebuilds };
  const progress = startProgress(host, options);
  const cache = kept === undefined && !options.noCache ? await cacheOf(host, request) : null;
  const found = await compileRemembered(
    {
      ...diskPorts(host.cwd, kept?.tree ?? cache?.memory ?? null, threadUse(host.pathBeside('stage-files.cjs'))),
      progress: progress.of,
    },
    request,
    cache,
  ).finally(progress.end);
  // No editor reads the schema in CI: a check there, and a run that may not change the lock.
  const isInCi = options.frozenLock || (options.check && request.verify);
  const result = isInCi ? found : await withSchemas(host, found);
  return show(host, options, compileAnswer, result, (compiled) => {
    const { diagnostics, fleets } = compiled;
    const isCurrent = compiled.kind !== 'compared' || compiled.fleets.every((it) => it.differences.length === 0);
    const ok = countDiagnostics(diagnostics).errors === 0 && isCurrent;
    return { fleets, diagnostics, ok, report: { terminal: 'warnings' as const } };
  });
}

/** The cache of the folder of the bundles; `null` for several fleets, for a part of one, and where CI or a proof reads every file. */
async function cacheOf(host: Host, { all, only, shard, out, verify }: CompileRequest): Promise<TreeCache | null> {
  if (all || only !== null || shard || verify) return null;
  return diskCache(host, { out, program: `${host.build}\n${await host.readBeside(PROGRAM)}` });
}

/** The program, which names the other files of a build by their content. */
const PROGRAM = 'weft.cjs';

/**
 * Keeps the names of clusters in the schemas for editors, or adds the schemas to what a compile would change. Not every
 * topology names one, so the module is loaded on demand.
 */
async function withSchemas({ cwd }: Host, result: ShownCompile): Promise<ShownCompile> {
  const hasSchema = result.kind === 'written' || result.kind === 'compared' ? result.fleets.some(namesSchema) : false;
  if (!hasSchema) return result;
  const { keepClusterNames, outdatedNames } = await import('../../app/editor-schema.ts');
  const { files } = diskPorts(cwd);
  if (result.kind === 'written') {
    const ports = { files, writeFile: diskStart(cwd).writeFile };
    for (const it of result.fleets.filter(namesSchema)) await keepClusterNames(ports, it.topology.sources.topology);
  }
  if (result.kind !== 'compared') return result;
  const fleets = result.fleets.map(async (it) => {
    const schema = namesSchema(it) ? await outdatedNames(files, it.topology.sources.topology) : undefined;
    const change = schema === undefined ? [] : [{ change: 'change', path: schema.path } as const];
    return { ...it, differences: [...it.differences, ...change] };
  });
  return { ...result, fleets: await Promise.all(fleets) };
}

const namesSchema = ({
  topology,
}: Extract<ShownCompile, { kind: 'compared' | 'written' }>['fleets'][number]): boolean =>
  topology.sources.topology.text.includes('$schema=');

async function watchCompile(host: Host, call: Call<'compile'>): Promise<ExitCode> {
  growHeapFaster();
  const request = compileRequest(call.args[0], call.options, host.env['CI']);
  const { files } = diskPorts(host.cwd);
  const topologies = await topologiesOf(files, request);
  await watchFleets({
    ...{ cwd: host.cwd, files, topologies, onInterrupt: host.onInterrupt },
    compile: async (kept) => {
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
    nudge: targetsOf('nudge', options.nudge),
    shard: shardOf(options.shard),
    mode: options.check ? 'check' : 'write',
    // CI must find files that were edited by hand in a pull request.
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
  ['all', 'shard', 'a part is one of one fleet'],
  ['cluster', 'shard', 'weft divides the clusters'],
  ['watch', 'check', '--check runs once'],
  ['watch', 'shard', '--watch writes what has changed'],
  ['all', 'nudge', 'a link belongs to one topology'],
  ['frozenLock', 'relock', '--relock changes the lock'],
  ['frozenLock', 'nudge', '--nudge changes the lock'],
];

function refuseContradictions(options: OptionsOf<'compile'>): void {
  for (const [one, other, why] of CONTRADICTIONS) {
    if (!isGiven(options[one]) || !isGiven(options[other])) continue;
    throw new CommandFailure(`--${dashed(one)} and --${dashed(other)} exclude each other: ${why}`);
  }
  if (options.watch && options.output !== undefined && options.output !== 'text') {
    throw new CommandFailure(
      '--watch and --output exclude each other: --watch prints a summary for each run',
      'remove one of them',
    );
  }
}

const isGiven = (value: OptionsOf<'compile'>[Name]): boolean =>
  typeof value === 'object' ? value.length > 0 : value !== undefined && value !== false;

/** The name that users type: `frozen-lock` for `frozenLock`. */
const dashed = (name: Name): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
