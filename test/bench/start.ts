// npm run bench:start -- [--clusters 3,20,100] [--runs 20] [--before OTHER/dist/weft.cjs] [--only REGEXP] [--work DIR]
// Prints how many milliseconds commands take beyond the start of Node, in small fleets: bare Node and the commands in turns.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchFolder, benchFolder, commitAll, compileUnmeasured } from './bench-folder.ts';
import { wideFleet } from './fleet.ts';
import { median } from './median.ts';

const { values } = parseArgs({
  options: {
    clusters: { type: 'string', default: '3,20,100' },
    runs: { type: 'string', default: '20' },
    before: { type: 'string' },
    only: { type: 'string', default: '' },
    work: { type: 'string', default: tmpdir() },
  },
});

const sizes = values.clusters.split(',').filter(Boolean).map(Number);
const runs = Number(values.runs);
const builds = [resolve('dist/weft.cjs'), ...(values.before === undefined ? [] : [resolve(values.before)])];

const COMMANDS = [
  ...[
    '--help',
    'explain',
    'completion bash',
    'validate',
    'view spoke-0',
    'trace spoke-0 hub',
    'whois 10.64.0.1 --in spoke-0',
  ],
  ...['ports', 'graph', 'whatif', 'compile', 'compile --check', 'compile --cluster spoke-0', 'verify', 'plan'],
].filter((it) => new RegExp(values.only).test(it));

/** Twice unmeasured, since the first run keeps what it compiled, and the first one of a fleet what it found. */
const UNMEASURED = 2;

interface Timed {
  readonly argv: readonly string[];
  readonly folder: BenchFolder;
  readonly cache: string;
}

function millisecondsOf({ argv, folder, cache }: Timed): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, argv, {
    cwd: folder.path,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: cache },
  });
  if (status === null || status > 1) throw new Error(`${argv.join(' ')}: exit ${status}`);
  return performance.now() - start;
}

/** The medians of what the builds take beyond bare Node, which runs before each of them. */
function beyondNode(command: string, folders: readonly BenchFolder[]): readonly number[] {
  const timed = folders.map((folder, i) => ({
    argv: [builds[i] ?? '', ...command.split(' ')],
    folder,
    cache: `${folder.scratch}/home`,
  }));
  const bare = timed.map((it) => ({ ...it, argv: ['-e', '0'] }));
  const differences: number[][] = builds.map(() => []);
  for (let run = -UNMEASURED; run < runs; run++)
    for (const [i, it] of timed.entries()) {
      const node = millisecondsOf(bare[i] ?? it);
      const weft = millisecondsOf(it);
      if (run >= 0) differences[i]?.push(weft - node);
    }
  return differences.map(median);
}

function folderOf(work: string, clusters: number, build: number): BenchFolder {
  const topology = wideFleet(clusters - 1);
  const links = clusters - 1;
  const names = { leaf: 'spoke-0', other: 'spoke-1', hub: 'hub' };
  const fleet = { topology, keys: '', links, clusters, ...names, edits: { one: topology, hubMoved: topology } };
  const folder = benchFolder(join(work, `${clusters}-${build}`), fleet, builds[build] ?? '');
  mkdirSync(`${folder.scratch}/home`);
  compileUnmeasured(folder);
  commitAll(folder, 'fleet');
  return folder;
}

const work = mkdtempSync(join(resolve(values.work), 'weft-start-'));
try {
  const folders = sizes.map((size) => builds.map((_, i) => folderOf(work, size, i)));
  const rows = COMMANDS.map((command) => {
    console.error(command);
    const figures = folders.map((it) => beyondNode(command, it).map((ms) => ms.toFixed(0)));
    return [command, ...figures.map(([now, before]) => (before === undefined ? now : `${before}, now ${now}`))];
  });
  const head = [`ms beyond bare Node ${process.version}`, ...sizes.map((it) => `${it} clusters`)];
  console.log([head, head.map(() => '---'), ...rows].map((it) => `| ${it.join(' | ')} |`).join('\n'));
} finally {
  rmSync(work, { recursive: true, force: true });
}
