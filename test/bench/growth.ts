// npm run bench:growth -- [--sizes 100,1000,10000] [--dumps 100,300,900] [--lists 400,2000,10000] [--runs 3] [--only REGEXP] [--work DIR]
// Prints by which power of its input each command grows, in CPU time and in memory: 1 is linear.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchFolder, benchFolder, compileUnmeasured, runWeft } from './bench-folder.ts';
import { COMMANDS, type MeasuredCommand } from './commands.ts';
import { benchFleet } from './fleet.ts';
import { GROWING_LISTS } from './growing-lists.ts';
import { median } from './median.ts';
import { ProgramFailed } from './process-cost.ts';
import { writeDumps } from './write-dumps.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    dumps: { type: 'string', default: '100,300,900' },
    lists: { type: 'string', default: '400,2000,10000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    work: { type: 'string', default: tmpdir() },
  },
});

const numbers = (text: string): readonly number[] => text.split(',').filter(Boolean).map(Number);
const runs = Number(values.runs);
const only = new RegExp(values.only);
const weft = resolve('dist/weft.cjs');

interface Cost {
  readonly cpuMs: number;
  readonly peakMB: number;
}

function costOf(
  folder: BenchFolder,
  { args, prepare, exits }: Omit<MeasuredCommand, 'name' | 'reference' | 'needs'>,
): Cost {
  const costs = Array.from({ length: runs }, (_, run) => {
    prepare?.(folder, run);
    return runWeft(folder, args(folder), exits ? { exits } : {});
  });
  return { cpuMs: median(costs.map((it) => it.cpuMs ?? 0)), peakMB: median(costs.map((it) => it.peakMB ?? 0)) };
}

/**
 * The power by which a cost grows, from three sizes of which each is as many times the one before: what starting costs is the same at
 * all of them, and is not in the differences. Empty when it is not known; `small` where little grows.
 */
function exponent(sizes: readonly number[], costs: readonly (Cost | string)[], of: (cost: Cost) => number): string {
  const known = costs.slice(-3).flatMap((it) => (typeof it === 'string' ? [] : [of(it)]));
  const [small, middle, large] = known;
  const [before = 1, last = 1] = sizes.slice(-2);
  if (small === undefined || middle === undefined || large === undefined) return '';
  if (middle - small < small / 20) return 'small';
  return (Math.log((large - middle) / (middle - small)) / Math.log(last / before)).toFixed(2);
}

const shown = (cost: Cost | string | undefined): string =>
  cost === undefined
    ? ''
    : typeof cost === 'string'
      ? cost
      : `${(cost.cpuMs / 1000).toFixed(2)} s, ${cost.peakMB.toFixed(0)} MB`;

function printTable(title: string, sizes: readonly number[], rows: ReadonlyMap<string, readonly (Cost | string)[]>) {
  const cells = [...rows].map(([name, costs]) => [
    name,
    ...sizes.map((_, i) => shown(costs[i])),
    exponent(sizes, costs, (it) => it.cpuMs),
    exponent(sizes, costs, (it) => it.peakMB),
  ]);
  const head = [title, ...sizes.map(String), 'CPU', 'memory'];
  console.log([head, head.map(() => '---'), ...cells].map((it) => `| ${it.join(' | ')} |`).join('\n'));
}

function measured(run: () => Cost): Cost | string {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    return error.message;
  }
}

/** Commands of the bench that take a fleet with bundles, or also dumps of all its clusters, from size to size. */
function ofCommands(work: string, needs: 'bundles' | 'dumps', sizes: readonly number[]): void {
  const commands = COMMANDS.filter((it) => it.needs === needs && only.test(it.name));
  if (sizes.length === 0 || commands.length === 0) return;
  const rows = new Map(commands.map((it) => [it.name, [] as (Cost | string)[]]));
  for (const size of sizes) {
    const folder = benchFolder(join(work, `fleet-${size}`), benchFleet(size), weft);
    compileUnmeasured(folder);
    if (needs === 'dumps') writeDumps(folder);
    for (const it of commands) {
      console.error(`${size} links: ${it.name}`);
      rows.get(it.name)?.push(measured(() => costOf(folder, it)));
      it.restore?.(folder);
    }
    rmSync(folder.path, { recursive: true });
    rmSync(folder.scratch, { recursive: true });
  }
  printTable('links', sizes, rows);
}

/** `weft validate` of topologies in which one kind of list grows. */
function ofLists(work: string): void {
  const lists = Object.entries(GROWING_LISTS).filter(([name]) => only.test(name));
  const sizes = numbers(values.lists);
  const rows = new Map<string, readonly (Cost | string)[]>();
  const folder = benchFolder(join(work, 'lists'), benchFleet(1), weft);
  for (const [name, topologyOf] of sizes.length === 0 ? [] : lists) {
    console.error(`validate: ${name}`);
    const costs = sizes.map((size) => {
      writeFileSync(join(folder.path, 'grown.yaml'), topologyOf(size));
      return measured(() => costOf(folder, { args: () => ['validate', 'grown.yaml'], exits: [0] }));
    });
    rows.set(name, costs);
  }
  if (sizes.length > 0 && lists.length > 0) printTable('entries', sizes, rows);
}

const work = mkdtempSync(join(resolve(values.work), 'weft-growth-'));
try {
  ofLists(work);
  ofCommands(work, 'bundles', numbers(values.sizes));
  ofCommands(work, 'dumps', numbers(values.dumps));
} finally {
  rmSync(work, { recursive: true, force: true });
}
