import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const WEFT = join(ROOT, 'dist/weft.cjs');

const PROGRAM = join(ROOT, 'dist/program');

/** The file of a part of the program, by the name of its source. */
function partOf(source: string): string {
  const files = readdirSync(PROGRAM).filter((it) => new RegExp(`^${source}-[A-Z0-9]{8}\\.cjs$`).test(it));
  expect(files).toHaveLength(1);
  return files[0] ?? '';
}

/** A file and those that are loaded with it. */
function filesWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const calls = readFileSync(join(PROGRAM, file), 'utf8').matchAll(/^(?:var .* = )?require\("\.\/([^"]+)"\);/gm);
  for (const [, name = ''] of calls) filesWith(name, seen);
  return seen;
}

/** The modules in some files: the first line of each names them. */
const modulesIn = (files: Iterable<string>): readonly string[] =>
  [...files].flatMap(
    (file) =>
      readFileSync(join(PROGRAM, file), 'utf8')
        .split('\n')[0]
        ?.split(' ')
        .filter((it) => /^(node_modules|src|schemas)\//.test(it)) ?? [],
  );

/** Says which programs are started in threads, and how they answered. */
const WATCH_THREADS = `
const threads = require('node:worker_threads');
threads.Worker = class extends threads.Worker {
  constructor(program, options) {
    super(program, options);
    let staged = 0;
    this.on('message', (reply) => { staged += reply.kind === 'staged' ? reply.records.length : 0; });
    this.on('exit', () => { process.stderr.write('thread ' + program + ' staged ' + staged + '\\n'); });
  }
};
require('node:module').syncBuiltinESMExports();
`;

describe('the built program', () => {
  it.each(['validate', 'verify'])('loads no plans, live clusters or schema for editors for weft %s', (command) => {
    const modules = modulesIn(filesWith(partOf(command)));
    expect(modules).toContain('src/compile.ts');
    expect(modules.filter((it) => /^(src\/(plan\/changes|live\/(dumps|drift))|schemas)\//.test(it))).toEqual([]);
  });

  it('loads no compiler for weft explain', () => {
    const files = readdirSync(PROGRAM).filter((it) => it.startsWith('explain-'));
    const modules = modulesIn(files.flatMap((it) => [...filesWith(it)]));
    expect(modules).toContain('src/host/cli/commands/explain.ts');
    expect(modules).not.toContain('src/compile.ts');
  });

  it('loads commander and the command table at start-up, and no other package', () => {
    const modules = modulesIn(filesWith(partOf('start')));
    const packages = modules.filter((it) => it.startsWith('node_modules')).map((it) => it.split('/')[1]);
    expect(new Set(packages)).toEqual(new Set(['commander']));
    const others = modules.filter((it) => it.startsWith('src/') && !/^src\/host\/(cli|front)\//.test(it));
    // The formats of `-o`, which are plain data, and the streams of the process; no more.
    expect(others.sort()).toEqual([
      'src/answers/report/answer.ts',
      'src/host/disk/disk-error.ts',
      'src/host/disk/stream-target.ts',
    ]);
  });

  it('is in strict mode, as its sources are, and in ASCII, since it is read as Latin-1', () => {
    const texts = readdirSync(PROGRAM).map((it) => readFileSync(join(PROGRAM, it), 'utf8'));
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((it) => !it.startsWith('(function (exports, require) { "use strict"; // '))).toEqual([]);
    expect(texts.filter((it) => /[\u0080-\uffff]/.test(it))).toEqual([]);
  });

  it.skipIf(availableParallelism() < 2)(
    'writes the first bundles of a large fleet in another thread, and those of a small one in none (skipped with one core)',
    () => {
      const spokes = Array.from(
        { length: 420 },
        (_, i) => `  c${i}: { podCIDR: 10.${128 + (i >> 8)}.${i & 255}.0/24 }`,
      );
      const large = [
        ...['version: 1', 'name: large', 'hub: hub', 'defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }'],
        ...['clusters:', '  hub: { podCIDR: 10.64.0.0/16, gateway: 203.0.113.1 }', ...spokes, ''],
      ].join('\n');
      const threadsOf = (topology: string): readonly string[] => {
        const { folder, write } = workspace({ 'topologies/topology.yaml': topology });
        write('watch.cjs', WATCH_THREADS);
        const { status, stderr } = spawnSync('node', ['--require', './watch.cjs', WEFT, 'compile', '--quiet'], {
          cwd: folder,
          encoding: 'utf8',
        });
        expect(status, stderr).toBe(0);
        return stderr.split('\n').filter((it) => it.startsWith('thread '));
      };
      const [thread = '', ...others] = threadsOf(large);
      expect(others).toEqual([]);
      const [, program, staged] = /^thread (.*) staged (\d+)$/.exec(thread) ?? [];
      expect(program).toBe(join(ROOT, 'dist/stage-files.cjs'));
      expect(Number(staged)).toBeGreaterThan(400);
      expect(threadsOf(TOPOLOGY)).toEqual([]);
    },
  );

  it('needs nothing but itself', () => {
    const { status, stdout } = spawnSync('node', [WEFT, '--version'], { cwd: '/', encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([status, stdout.split(' ')[0]?.trim()]).toEqual([0, version]);
    expect(stdout.slice(version.length)).toMatch(/^( \([0-9a-f]{8}(, changed)?\))?\n$/);
    expect(spawnSync('node', [WEFT, 'compile', '--nonsense'], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stdout: '',
    });
  });

  it('is quiet when its reader leaves', () => {
    const script = `node "${WEFT}" explain -o json | head -c 1 > /dev/null; exit \${PIPESTATUS[0]}`;
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('fails when its reader leaves without the Secrets, so that no key is recorded', () => {
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const script = `node "${WEFT}" keys generate | true; exit \${PIPESTATUS[0]}`;
    const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: it.folder, encoding: 'utf8' });
    expect(stderr).toContain('stdout was closed before all Secrets were written; no key was recorded');
    expect(status).toBe(2);
    expect(existsSync(join(it.folder, 'topologies/topology.keys.yaml'))).toBe(false);
  });

  it('says so when stdout takes no more', () => {
    const answer = spawnSync('bash', ['-c', `node "${WEFT}" explain > /dev/full`], { encoding: 'utf8' });
    expect(answer.status).toBe(2);
    expect(answer.stderr).toMatch(/^error: stdout: no space left on the disk\n/);
  });

  it('cuts nothing off for a slow reader', () => {
    const leaves = Array.from(
      { length: 200 },
      (_, i) => `  leaf-${i}: { podCIDR: 100.64.${i}.0/24, externalCIDR: auto }\n`,
    );
    const many = TOPOLOGY.slice(0, TOPOLOGY.indexOf('shortcuts')).replace(/ {2}(rome|milan): .*\n/g, '');
    const it = workspace({ 'topologies/topology.yaml': many + leaves.join('') });
    const script = `node "${WEFT}" compile --check -o json | { sleep 0.3; cat; }; exit \${PIPESTATUS[0]}`;
    const { status, stdout } = spawnSync('bash', ['-c', script], {
      cwd: it.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    expect(status).toBe(1);
    expect(stdout.length).toBeGreaterThan(65536);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
  });

  it('compiles again when the topology changes, and ends with 130 on an interrupt', async () => {
    const it = watching({ 'topologies/topology.yaml': TOPOLOGY });
    await it.finished(1);
    expect(it.printed()).toContain('1 shortcut');
    it.write('topologies/topology.yaml', 'version: 1\n');
    await it.finished(2);
    it.write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    await it.finished(3);
    expect(it.printed().match(/^europe from /gm)).toHaveLength(2);
    expect(existsSync(join(it.folder, 'out/rome/peers/milan'))).toBe(false);
    expect(await it.interrupted()).toEqual([130, null]);
  });

  it('compiles again when an included file changes, appears, or appears in a new folder', async () => {
    const it = watching({ 'topologies/topology.yaml': `${TOPOLOGY}include: [regions/north/]\n` });
    const has = (cluster: string): boolean => existsSync(join(it.folder, `out/${cluster}/kustomization.yaml`));
    const file = (cluster: string, pods = '10.203.0.0/16'): string =>
      `version: 1\nclusters: { ${cluster}: { podCIDR: ${pods} } }\n`;
    await it.finished(1);
    expect(it.printed()).toBe('');
    it.write('topologies/regions/north/one.yaml', file('oslo'));
    await it.until(() => has('oslo'));
    it.write('topologies/regions/north/one.yaml', file('bergen', '10.204.0.0/16'));
    await it.until(() => has('bergen'));
    it.write('topologies/regions/north/two.yaml', file('oslo'));
    await it.until(() => has('oslo'));
    expect(await it.interrupted()).toEqual([130, null]);
  });
});

/** A folder in which `weft compile --watch` runs. */
function watching(files: Readonly<Record<string, string>>) {
  const it = workspace(files);
  const child = spawn('node', [WEFT, 'compile', '--watch'], { cwd: it.folder });
  onTestFinished(() => void child.kill());
  let printed = '';
  let runs = 0;
  child.stdout.on('data', (data) => {
    printed += data;
  });
  child.stderr.on('data', (data) => {
    runs += String(data).split('Watching for changes').length - 1;
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await setTimeout(20);
  };
  return {
    ...it,
    until,
    printed: () => printed,
    finished: (count: number) => until(() => runs >= count),
    interrupted: () => {
      child.kill('SIGINT');
      return once(child, 'close');
    },
  };
}
