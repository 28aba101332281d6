import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const WEFT = join(ROOT, 'dist/weft.js');

/** What is loaded before a command is known: the entry and what it imports without being asked. */
function eagerFiles(file = WEFT, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|\} from|export .*from)[^;]*?"(\.\/[^"]+)";/gm,
  )) {
    eagerFiles(join(ROOT, 'dist', name), seen);
  }
  return seen;
}

describe('the built program', () => {
  it('loads commander and the command table at start-up, and no other package', () => {
    const loaded = [...eagerFiles()].map((it) => readFileSync(it, 'utf8')).join('\n');
    const modules = [...loaded.matchAll(/^(?: {2})?\/\/ (node_modules\/[^/\n]+|src\/\S+)/gm)].map((it) => it[1] ?? '');
    expect(new Set(modules.filter((it) => it.startsWith('node_modules')))).toEqual(new Set(['node_modules/commander']));
    const others = modules.filter((it) => it.startsWith('src/') && !/^src\/(cli|front)\//.test(it));
    // The streams of the process, which may take no more.
    expect(others.sort()).toEqual([
      'src/disk/disk-error.ts',
      'src/disk/environment-error.ts',
      'src/disk/stream-target.ts',
    ]);
  });

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
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const child = spawn('node', [WEFT, 'compile', '--watch'], { cwd: it.folder });
    let printed = '';
    let ready = 0;
    const seen = (turns: number) =>
      new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (ready < turns) return;
          clearInterval(timer);
          resolve();
        }, 20);
      });
    child.stdout.on('data', (data) => {
      printed += data;
    });
    child.stderr.on('data', (data) => {
      ready += String(data).split('Watching for changes').length - 1;
    });
    await seen(1);
    expect(printed).toContain('1 shortcut');
    it.write('topologies/topology.yaml', 'version: 1\n');
    await seen(2);
    it.write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    await seen(3);
    expect(printed.match(/^europe from /gm)).toHaveLength(2);
    expect(existsSync(join(it.folder, 'out/rome/peers/milan'))).toBe(false);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
  });
});
