// npm run bench:git -- [--sizes 650,6500] [--edits 100] [--edits-at 650] [--work DIR]
// What edits of a fleet cost in git, with the real git: the figures of docs/large-fleets.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchFleet, benchFleet } from './fleet.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '650,6500' },
    edits: { type: 'string', default: '100' },
    'edits-at': { type: 'string', default: '650' },
    work: { type: 'string', default: tmpdir() },
  },
});

interface Ran {
  readonly stdout: string;
  readonly wall: number;
  /** User and system time of the program and its children. */
  readonly cpu: number;
}

const ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@example.com',
};

const MAX_OUTPUT_BYTES = 2 ** 30;

/** Runs a program below bash, which measures what it and its children need. */
function run(cwd: string, ...argv: readonly string[]): Ran {
  const script = 'exec 3>&2; TIMEFORMAT="%R %U %S"; time "$@" 2>&3';
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], {
    cwd,
    env: ENV,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status !== 0) throw new Error(`${argv.join(' ')}: exit ${status}: ${stderr.slice(-400)}`);
  const [wall = 0, user = 0, system = 0] = (stderr.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { stdout, wall, cpu: user + system };
}

const git = (cwd: string, ...args: readonly string[]): Ran => run(cwd, 'git', '-c', 'gc.auto=0', ...args);

/** An edit of a fleet, as the texts of its two files. */
interface Edit {
  readonly name: string;
  readonly topology: string;
  readonly keys: string;
}

const KEYS = [1, 2].map((it) => Buffer.alloc(32, it).toString('base64'));

/** One more leaf below the hub in the middle. */
function withLeaf({ topology, keys, hub }: BenchFleet): Edit {
  const row = `  new-leaf: { podCIDR: 10.127.0.0/23, hub: [${hub}] }`;
  return {
    name: 'one new leaf',
    topology: topology.replace('\nshortcuts:', `\n${row}\nshortcuts:`),
    keys: `${keys.replace(`\n  ${hub}:\n`, `\n  ${hub}:\n    new-leaf: ${KEYS[0]}\n`)}  new-leaf:\n    ${hub}: ${KEYS[1]}\n`,
  };
}

const editsOf = (fleet: BenchFleet): readonly Edit[] => [
  { name: 'the gateway of a leaf', topology: fleet.edits.one, keys: fleet.keys },
  withLeaf(fleet),
  { name: 'the gateway of a hub', topology: fleet.edits.hubMoved, keys: fleet.keys },
];

const time = ({ wall, cpu }: Ran): string => `${wall.toFixed(2)} s, CPU ${cpu.toFixed(2)} s`;
const bytes = (n: number): string => (n < 1e5 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`);
const print = (...cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

function head(...cells: readonly string[]): void {
  console.log();
  print(...cells);
  print(...cells.map(() => '---'));
}

const sizeBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .reduce((sum, it) => sum + statSync(join(it.parentPath, it.name)).size, 0);

const weft = resolve('dist/weft.cjs');

function compile(folder: string, { topology, keys }: Omit<Edit, 'name'>): Ran {
  writeFileSync(join(folder, 'topologies/topology.yaml'), topology);
  writeFileSync(join(folder, 'topologies/topology.keys.yaml'), keys);
  return run(folder, process.execPath, weft, 'compile', '--quiet');
}

/** The data that the newest commit would send to a server that has the one before. */
const pushedBytes = (folder: string): number =>
  Number(
    run(
      folder,
      'bash',
      '-c',
      'git rev-parse HEAD ^HEAD~1 | git pack-objects --revs --thin --stdout -q --delta-base-offset | wc -c',
    ).stdout,
  );

function measureFleet(work: string, links: number): void {
  const fleet = benchFleet(links);
  const folder = join(work, `fleet-${links}`);
  mkdirSync(join(folder, 'topologies'), { recursive: true });
  compile(folder, fleet);
  git(folder, 'init', '-q');
  writeFileSync(join(folder, '.gitattributes'), readFileSync('src/host/app/init/gitattributes.hbs', 'utf8'));
  const added = git(folder, 'add', '-A');
  const committed = git(folder, 'commit', '-q', '-m', 'compiled');
  const repacked = git(folder, 'repack', '-adq');
  const files = git(folder, 'ls-files').stdout.split('\n').length - 1;
  const packed = sizeBelow(join(folder, '.git/objects/pack'));

  console.log(`\n## ${fleet.clusters} clusters, ${fleet.links} links, ${files} files`);
  head('step', 'cost');
  print('first `git add -A`', time(added));
  print('first `git commit`', time(committed));
  print('`git repack -ad`', time(repacked));
  print('bytes of the files', bytes(sizeBelow(join(folder, 'out'))));
  print('the same, packed', bytes(packed));

  measureStatus(folder);
  measureEdits(folder, fleet);
  measureClones(work, folder, fleet);
  if (links === Number(values['edits-at'])) measureGrowth(folder, fleet, Number(values.edits));
  rmSync(folder, { recursive: true });
}

/** `git status` with nothing changed, with the settings that help in large folders. */
function measureStatus(folder: string): void {
  const settings: readonly (readonly string[])[] = [
    [],
    ['-c', 'core.untrackedCache=true'],
    ['-c', 'feature.manyFiles=true'],
    ['-c', 'core.fsmonitor=true'],
  ];
  head('`git status`, nothing changed', 'cost', 'bytes of the index');
  for (const it of settings) {
    forgetCaches(folder);
    // The first run fills the caches that the setting brings.
    git(folder, ...it, 'update-index', '--force-write-index');
    git(folder, ...it, 'status', '--porcelain');
    const ran = git(folder, ...it, 'status', '--porcelain');
    const name = it.filter((word) => word !== '-c').join(', ') || 'defaults';
    print(name, time(ran), bytes(statSync(join(folder, '.git/index')).size));
  }
  forgetCaches(folder);
}

/** The index keeps the caches of a setting after the setting is gone. */
const forgetCaches = (folder: string): void => {
  git(folder, 'update-index', '--force-write-index', '--no-untracked-cache', '--index-version', '2');
};

function measureEdits(folder: string, fleet: BenchFleet): void {
  const base = git(folder, 'rev-parse', 'HEAD').stdout.trim();
  const edits = editsOf(fleet);
  head(
    'edit',
    'files',
    'of them shared by clusters',
    'bytes of the diff',
    'lines',
    'compile',
    '`git add -A`',
    '`git commit`',
    'pushed',
  );
  for (const edit of edits) {
    const compiled = compile(folder, edit);
    const added = git(folder, 'add', '-A');
    const committed = git(folder, 'commit', '-q', '-m', edit.name);
    const changed = git(folder, 'diff', '--name-only', 'HEAD~1').stdout.trim().split('\n');
    const shared = changed.filter(
      (it) => !/^out\/(\.weft\/|_flux\/clusters\/)?(hub|leaf|new)-/.test(it) && !it.startsWith('topologies/'),
    );
    const diff = git(folder, 'diff', 'HEAD~1').stdout;
    const lines = git(folder, 'diff', '--shortstat', 'HEAD~1')
      .stdout.replace(/^.*changed, /, '')
      .trim();
    print(
      edit.name,
      changed.length,
      shared.map((it) => `\`${it}\` (${bytes(statSync(join(folder, it)).size)})`).join(', '),
      bytes(Buffer.byteLength(diff)),
      lines,
      time(compiled),
      time(added),
      time(committed),
      bytes(pushedBytes(folder)),
    );
    git(folder, 'reset', '-q', '--hard', base);
  }
}

/** The size of a checkout of all, the newest commit, or one cluster. */
function measureClones(work: string, folder: string, fleet: BenchFleet): void {
  const server = join(work, 'server.git');
  git(work, 'clone', '-q', '--bare', `file://${folder}`, server);
  git(server, 'config', 'uploadpack.allowFilter', 'true');
  const kinds: readonly (readonly [string, readonly string[], boolean])[] = [
    ['everything', [], false],
    ['`--depth 1`', ['--depth', '1'], false],
    ['`--sparse`, one cluster', ['--sparse'], true],
    ['`--filter=blob:none --sparse`, one cluster', ['--filter=blob:none', '--sparse'], true],
    ['`--depth 1 --filter=blob:none --sparse`, one cluster', ['--depth', '1', '--filter=blob:none', '--sparse'], true],
    ['`--depth 1 --filter=tree:0 --sparse`, one cluster', ['--depth', '1', '--filter=tree:0', '--sparse'], true],
  ];
  head('clone', 'cost', 'received', 'index', 'files in the folder');
  for (const [name, args, isSparse] of kinds) {
    const clone = join(work, 'clone');
    const cloned = git(work, 'clone', '-q', ...args, `file://${server}`, clone);
    const set = isSparse ? git(clone, 'sparse-checkout', 'set', '--sparse-index', `out/${fleet.leaf}`) : null;
    const total = { stdout: '', wall: cloned.wall + (set?.wall ?? 0), cpu: cloned.cpu + (set?.cpu ?? 0) };
    const files = run(clone, 'bash', '-c', 'find . -type f -not -path "./.git/*" | wc -l').stdout.trim();
    const index = statSync(join(clone, '.git/index')).size;
    print(name, time(total), bytes(sizeBelow(join(clone, '.git/objects'))), bytes(index), files);
    rmSync(clone, { recursive: true });
  }
  rmSync(server, { recursive: true });
}

/** The growth of the repository: the gateway of another leaf moves in each commit. */
function measureGrowth(folder: string, fleet: BenchFleet, edits: number): void {
  const objects = join(folder, '.git/objects');
  git(folder, 'repack', '-adq');
  const before = sizeBelow(objects);
  const gateways = [...fleet.topology.matchAll(/^ {2}leaf-.*gateway: ([\d.]+)/gm)].map((it) => it[1] ?? '');
  let topology = fleet.topology;
  for (let i = 0; i < edits; i++) {
    const from = gateways[Math.floor((i * gateways.length) / edits)] ?? '';
    topology = topology.replace(`gateway: ${from} `, `gateway: 198.51.100.${i} `);
    compile(folder, { topology, keys: fleet.keys });
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', `edit ${i}`);
  }
  const loose = sizeBelow(objects) - before;
  const counted = git(folder, 'count-objects').stdout.split(' ')[0];
  const repacked = git(folder, 'repack', '-adq');
  const grown = sizeBelow(objects) - before;
  head(`after ${edits} edits`, 'figure');
  print('packed before', bytes(before));
  print('loose objects, of each edit', `${(Number(counted) / edits).toFixed(1)}, ${bytes(loose / edits)}`);
  print('after `git repack -ad`, of each edit', bytes(grown / edits));
  print('`git repack -ad`', time(repacked));
}

const work = mkdtempSync(join(resolve(values.work), 'weft-git-'));
try {
  console.log(git(work, '--version').stdout.trim());
  for (const it of values.sizes.split(',')) measureFleet(work, Number(it));
} finally {
  rmSync(work, { recursive: true, force: true });
}
