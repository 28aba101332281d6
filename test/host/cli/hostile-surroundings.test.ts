import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;
const SECRET = 'hunter2';

/** A repository with a topology, and files that no output may quote. */
function repository() {
  const it = workspace({
    '.git/config': `AUTHORIZATION: basic ${SECRET}\n`,
    'topologies/topology.yaml': TOPOLOGY,
  });
  const outside = workspace({ secret: `${SECRET}: [\n` });
  const path = (name: string) => join(it.folder, name);
  return { ...it, path, secret: join(outside.folder, 'secret') };
}

const TARGETS = ['the secret', '/etc/passwd', '/proc/self/environ', '../.git/config', '/dev/zero'];
const FILES = ['topology.yaml', 'topology.keys.yaml', 'topology.lock.yaml'];
const CASES = [
  ...TARGETS.map((it) => ['topology.yaml', it] as const),
  ...FILES.slice(1).map((it) => [it, 'the secret'] as const),
];
const COMMANDS = [
  ['validate'],
  ['compile'],
  ['compile', '--all'],
  ['compile', '--check', '-o', 'json'],
  ['plan', '-o', 'github'],
  ['verify', '-o', 'sarif'],
  ['view', 'rome'],
  ['graph'],
  ['trace', '--all'],
  ['keys', 'generate'],
  ['pr', 'check'],
];

describe.skipIf(process.platform === 'win32')('a link in a repository', () => {
  it.each(CASES)('%s to %s is refused by every command, and no line of it is printed', async (name, target) => {
    const { path, secret, weft } = repository();
    rmSync(path(`topologies/${name}`), { force: true });
    symlinkSync(target === 'the secret' ? secret : target, path(`topologies/${name}`));
    for (const argv of COMMANDS) {
      const { code, stdout, stderr } = await weft(...argv);
      expect(`${argv.join(' ')}: ${code}`).toBe(`${argv.join(' ')}: 2`);
      expect(stderr).toMatch(/cannot read topologies\/\S+: (?:a symbolic link leads out|it belongs to git)/);
      expect(stdout + stderr).not.toMatch(/hunter2|root:|PATH=/);
    }
  });

  it('in the folder of a base is refused as well', async () => {
    const { path, secret, weft } = repository();
    mkdirSync(path('base/topologies'), { recursive: true });
    symlinkSync(secret, path('base/topologies/topology.yaml'));
    const { code, stdout, stderr } = await weft('plan', '--base-dir', 'base');
    expect(code).toBe(2);
    expect(stderr).toContain('cannot read base/topologies/topology.yaml: a symbolic link leads out of the repository');
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('for the folder of topologies is refused before its names are printed', async () => {
    const { path, weft } = repository();
    rmSync(path('topologies'), { recursive: true });
    symlinkSync('/etc', path('topologies'));
    const { code, stderr } = await weft('compile', '--all');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot read topologies: a symbolic link leads out of the repository\n/);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  it.each([...FILES, 'other.yaml'])('at %s is refused at once', async (name) => {
    const { path, weft } = repository();
    rmSync(path(`topologies/${name}`), { force: true });
    execFileSync('mkfifo', [path(`topologies/${name}`)]);
    const { code, stderr } = await weft('compile', '--all');
    expect(code).toBe(2);
    expect(stderr).toContain(`cannot read topologies/${name}: it is a pipe, not a file`);
  });
});

describe('a huge file', () => {
  it.each(FILES)('at %s is refused by its size', async (name) => {
    const { path, weft } = repository();
    writeFileSync(path(`topologies/${name}`), '');
    truncateSync(path(`topologies/${name}`), 2 ** 31);
    const { code, stderr } = await weft('validate');
    expect(code).toBe(1);
    expect(stderr).toContain(`topologies/${name}:1:1: error source/too-large`);
    expect(stderr).toContain('it has 2048 MiB');
  });

  it.each(['.weft/rome.sha256', '.weft/bundle.json', '.weft/journal.json'])(
    'at out/%s is refused by its size',
    async (name) => {
      const { path, weft } = repository();
      await weft('compile');
      writeFileSync(path(`out/${name}`), '');
      truncateSync(path(`out/${name}`), 2 ** 31);
      for (const argv of [['compile'], ['compile', '--check'], ['plan']]) {
        const { code, stderr } = await weft(...argv);
        expect(code).not.toBe(3);
        if (argv[0] === 'compile')
          expect(stderr).toContain(`out/${name} is too large to be a record of weft: it has 2048 MiB`);
      }
    },
  );

  it('at out/addresses.json is refused by its size', async () => {
    const { path, weft } = repository();
    await weft('compile');
    truncateSync(path('out/addresses.json'), 2 ** 31);
    for (const argv of [['plan'], ['verify']]) {
      const { code, stderr } = await weft(...argv);
      expect(code).toBe(2);
      expect(stderr).toContain('out/addresses.json is too large to be a file of weft: it has 2048 MiB');
    }
  });
});

describe.skipIf(process.platform !== 'linux')('an output folder with files of somebody else', () => {
  it('whose names are not UTF-8 is as current as without them', async () => {
    const { path, weft } = repository();
    await weft('compile');
    writeFileSync(Buffer.concat([Buffer.from(path('out/rome/')), Buffer.from([0xff, 0x0a])]), 'text');
    expect((await weft('plan')).stdout).toMatch(/^Nothing to do: europe matches its topology\.\n/);
    for (const argv of [['verify'], ['compile', '--check'], ['compile']]) expect((await weft(...argv)).code).toBe(0);
  });

  it('that claims a size which no file has is refused before it is read', async () => {
    const { path, weft } = repository();
    await weft('compile');
    writeFileSync(path('out/.hidden'), '');
    truncateSync(path('out/.hidden'), 2 ** 42);
    const { code, stderr } = await weft('pr', 'check', '--base-dir', '.');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: \S*out\/\.hidden is too large to be compared: it has 4194304 MiB\n {2}hint: move or delete it\n/m,
    );
  });
});

describe.skipIf(process.platform !== 'linux')('a folder of the system', () => {
  it.each([
    ['compile', '--out', '/proc/x'],
    ['compile', '--out', '/proc/self'],
    ['compile', '--out', '/sys/x'],
    ['compile', '--lock', '/proc/x.lock.yaml'],
    ['compile', '--lock', '/dev/full'],
    ['verify', '--out', '/proc'],
    ['plan', '--out', '/proc/self'],
    ['plan', '--base-dir', '/proc'],
    ['validate', '/proc'],
    ['validate', '/dev/stdin'],
    ['init', '/proc/x'],
    ['keys', 'generate', '--secrets-dir', '/proc/x'],
    ['pr', 'check', '--plan-json', '/proc/x.json'],
    ['plan', '--diff', '/proc/x'],
    ['plan', '--diff', '/dev/fd/1'],
    ['pr', 'check', '--plan-json', '/dev/fd/1'],
    ['pr', 'check', '--plan-json', 'topologies/topology.yaml'],
    ['pr', 'check', '--plan-json', 'no/x.json'],
  ])('weft %s %s %s ends at once, with a reason', async (...argv) => {
    const { code, stderr } = await repository().weft(...argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*\n(?:nothing is written\n)? {2}hint: /m);
  });

  it('a working folder that was deleted is named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-gone-'));
    for (const argv of [['validate'], ['compile', '--all'], ['init']]) {
      mkdirSync(folder, { recursive: true });
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', 'rmdir "$0" && exec "$@"', folder, process.execPath, WEFT, ...argv],
        { cwd: folder, encoding: 'utf8' },
      );
      expect(stderr).toBe('error: the working folder no longer exists\n  hint: change to a folder that does\n');
      expect(status).toBe(2);
    }
  });
});
