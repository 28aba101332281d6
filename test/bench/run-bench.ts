import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, commitAll, compileUnmeasured, sizeOfOut, useTopology } from './bench-folder.ts';
import { COMMANDS, type MeasuredCommand } from './commands.ts';
import { type BenchFleet, benchFleet, wideFleet } from './fleet.ts';
import { floorsOf } from './floors.ts';
import { type CommandRow, type MeasureRequest, measureCommand } from './measure-command.ts';
import { measureOtherTools, type OtherTool } from './other-tools.ts';
import { type CommandProfile, profileCommands } from './profile-commands.ts';
import { measureWatch, type WatchFigures } from './watch.ts';
import { writeDumps } from './write-dumps.ts';

export interface BenchOptions {
  /** Links of the fleets. */
  readonly sizes: readonly number[];
  /** Spokes of the fleet with one hub; 0: none. */
  readonly spokes: number;
  /** Further sizes of which only memory is measured. */
  readonly memorySizes: readonly number[];
  /** The size whose commands are profiled; 0: none. */
  readonly profileSize: number;
  /** Links and rebuilds of `compile --watch`; no rebuilds: it is left out. */
  readonly watch: { readonly links: number; readonly rebuilds: number };
  readonly runs: number;
  readonly seconds: number;
  readonly limitSeconds: number;
  /** Commands are measured if their name matches. */
  readonly only: RegExp;
  readonly otherTools: boolean;
  /** The built weft, and another one to compare with. */
  readonly weft: string;
  readonly before: string | null;
  /** A folder for everything that is written. */
  readonly work: string;
  readonly log: (line: string) => void;
}

export interface SizeResult {
  readonly title: string;
  readonly links: number;
  readonly clusters: number;
  readonly files: number;
  readonly bytes: number;
  readonly rows: readonly CommandRow[];
  readonly otherTools: readonly OtherTool[];
  readonly profiles: readonly CommandProfile[];
}

export interface BenchResult {
  readonly sizes: readonly SizeResult[];
  readonly watch: WatchResult | null;
  readonly memory: readonly SizeResult[];
}

export interface WatchResult extends WatchFigures {
  readonly links: number;
}

/** Commands whose memory is shown over the number of clusters. */
export const MEMORY_COMMANDS = [
  'validate',
  'compile, into an empty folder',
  'compile, nothing changed',
  'plan, one edit',
  'verify',
] as const;

export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const sizes = options.sizes.map((it) =>
    runFleet(benchFleet(it), `${it} links`, COMMANDS, {
      ...options,
      withReference: true,
      withProfile: it === options.profileSize,
    }),
  );
  if (options.spokes > 0) sizes.push(runWide(options));
  const isMemory = ({ name }: MeasuredCommand) => (MEMORY_COMMANDS as readonly string[]).includes(name);
  const once = { ...options, runs: 1, before: null, otherTools: false, withReference: false, withProfile: false };
  const memory = options.memorySizes.map((it) =>
    runFleet(benchFleet(it), `memory of ${it} links`, COMMANDS.filter(isMemory), once),
  );
  const { weft, watch, log } = options;
  if (watch.rebuilds === 0) return { sizes, watch: null, memory };
  log(`compile --watch, ${watch.rebuilds} rebuilds`);
  return { sizes, watch: { links: watch.links, ...(await measureWatch({ weft, ...watch })) }, memory };
}

function runWide(options: BenchOptions): SizeResult {
  const topology = wideFleet(options.spokes);
  const fleet: BenchFleet = {
    topology,
    keys: '',
    links: options.spokes,
    clusters: options.spokes + 1,
    leaf: 'spoke-0',
    other: 'spoke-1',
    hub: 'hub',
    edits: { one: topology, hubMoved: topology },
  };
  const validate = COMMANDS.filter((it) => it.name === 'validate').map((it) => ({ ...it, needs: 'nothing' as const }));
  return runFleet(fleet, `one hub with ${options.spokes} spokes`, validate, {
    ...options,
    otherTools: false,
    withReference: true,
    withProfile: false,
  });
}

interface FleetOptions extends BenchOptions {
  readonly withReference: boolean;
  readonly withProfile: boolean;
}

/** Everything about one fleet. */
function runFleet(
  fleet: BenchFleet,
  title: string,
  commands: readonly MeasuredCommand[],
  options: FleetOptions,
): SizeResult {
  const { log } = options;
  const root = join(options.work, title.replaceAll(' ', '-'));
  const folders = {
    now: benchFolder(join(root, 'now'), fleet, options.weft),
    before: options.before === null ? null : benchFolder(join(root, 'before'), fleet, options.before),
  };
  const both = [folders.now, ...(folders.before ? [folders.before] : [])];
  const chosen = commands.filter(
    (it) => options.only.test(it.name) && fleet.links <= (it.maxLinks ?? Number.POSITIVE_INFINITY) * 1.1,
  );
  if (chosen.some((it) => it.needs !== 'nothing')) for (const it of both) compileUnmeasured(it);
  const request: MeasureRequest = { ...options, ...folders, floors: floorsOf(folders.now) };
  const measure = (it: MeasuredCommand): CommandRow => {
    log(`${title}: ${it.name}`);
    return measureCommand(it, request);
  };
  const inFolder = (needs: MeasuredCommand['needs']) => chosen.filter((it) => it.needs === needs);
  const rows = [...inFolder('nothing'), ...inFolder('bundles')].map(measure);
  if (inFolder('dumps').length > 0) {
    for (const it of both) writeDumps(it);
    rows.push(...inFolder('dumps').map(measure));
    for (const it of both) rmSync(join(it.path, 'dumps'), { recursive: true });
  }
  const otherTools = options.otherTools ? measureOtherTools(folders.now, options) : [];
  const profiles = options.withProfile ? profileCommands(folders.now) : [];
  const { files, bytes } = sizeOfOut(folders.now);
  // A repository changes what weft looks at, so it is last.
  if (inFolder('repository').length > 0) {
    for (const it of both) {
      useTopology(it, 'base');
      commitAll(it, 'compiled', it === folders.now ? undefined : folders.now);
    }
    rows.push(...inFolder('repository').map(measure));
  }
  return { title, links: fleet.links, clusters: fleet.clusters, files, bytes, rows, otherTools, profiles };
}
