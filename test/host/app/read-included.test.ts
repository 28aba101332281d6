import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { readIncluded } from '../../../src/host/app/topology-files.ts';
import { openCommit } from '../../../src/host/disk/open-commit.ts';
import { LARGEST_FILE_BYTES } from '../../../src/host/disk/read-text-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-read-included-'));
  mkdirSync(join(folder, 'repository/fleet/regions'), { recursive: true });
  git('init', '-q');
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(folder, 'repository') });
};

function write(path: string, text: string | Buffer = 'version: 1\n'): void {
  const file = join(folder, 'repository/fleet', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const topology = (...include: readonly string[]) => ({
  path: 'fleet/topology.yaml',
  text: `version: 1\ninclude: ${JSON.stringify(include)}\n`,
});

const onDisk = () => diskPorts(join(folder, 'repository')).files;

const pathsOf = (read: Awaited<ReturnType<typeof readIncluded>>) =>
  read.ok ? read.value.map((it) => it.path) : read.diagnostics.map((it) => it.message);

/** The message, and the text at its place. */
async function reported(...include: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  const read = await readIncluded(onDisk(), topology(...include));
  expect(new Set(read.diagnostics.map((it) => it.code))).toEqual(new Set(['topology/cannot-include']));
  return read.diagnostics.map(({ span, message }) => [span.source.text.slice(span.start, span.end), message]);
}

describe('files of a topology', () => {
  it('are those that it names and those of its folders, by name, on disk and in a commit', async () => {
    for (const it of [
      'regions/us.yaml',
      'regions/eu.yml',
      'regions/README.md',
      'regions/asia/japan.yaml',
      'more/x.yaml',
    ])
      write(it);
    git('add', '-A');
    git('commit', '-q', '-m', 'all');
    const paths = ['fleet/more/x.yaml', 'fleet/regions/eu.yml', 'fleet/regions/us.yaml'];
    const wanted = topology('more/x.yaml', 'regions/');
    expect(pathsOf(await readIncluded(onDisk(), wanted))).toEqual(paths);
    const commit = await openCommit(join(folder, 'repository'), 'HEAD');
    expect(pathsOf(await readIncluded(commit, wanted))).toEqual(paths);
  });

  it('are found however the key is written', async () => {
    write('regions/eu.yaml');
    const source = { path: 'fleet/topology.yaml', text: '"\\u0069nclude": [regions/]\n' };
    expect(pathsOf(await readIncluded(onDisk(), source))).toEqual(['fleet/regions/eu.yaml']);
  });

  it('are not looked for at paths that leave its folder', async () => {
    write('../secret.yaml');
    expect(pathsOf(await readIncluded(onDisk(), topology('../secret.yaml', '/etc/', 'eu.yaml')))).toEqual([]);
  });
});

describe('what cannot be included', () => {
  it('is a file or folder that is missing, or is the other of the two', async () => {
    write('regions/eu.yaml/x.yaml');
    mkdirSync(join(folder, 'repository/fleet/empty'));
    write('file');
    expect(await reported('regions/us.yaml', 'regions/eu.yaml', 'empty/', 'nowhere/', 'file/')).toEqual([
      ['"empty/"', 'there is no YAML file in fleet/empty/'],
      ['"nowhere/"', 'there is no folder fleet/nowhere/'],
      ['"file/"', 'there is no folder fleet/file/'],
    ]);
    expect(await reported('regions/us.yaml', 'regions/eu.yaml')).toEqual([
      ['"regions/us.yaml"', 'there is no file fleet/regions/us.yaml'],
      ['"regions/eu.yaml"', 'fleet/regions/eu.yaml is a folder'],
    ]);
  });

  it('is a link out of the repository, to a file or to a folder', async () => {
    writeFileSync(join(folder, 'secret.yaml'), 'token: hidden\n');
    symlinkSync(join(folder, 'secret.yaml'), join(folder, 'repository/fleet/regions/eu.yaml'));
    symlinkSync(folder, join(folder, 'repository/fleet/out-of-here'));
    expect(await reported('regions/')).toEqual([
      ['"regions/"', 'cannot read fleet/regions/eu.yaml: a symbolic link leads out of the repository'],
    ]);
    expect(await reported('out-of-here/')).toEqual([
      ['"out-of-here/"', 'cannot read fleet/out-of-here: a symbolic link leads out of the repository'],
    ]);
  });

  it('is a link, or behind one, also within the repository: owners review paths', async () => {
    write('regions/eu.yaml');
    write('docs/us.yaml');
    symlinkSync('../docs/us.yaml', join(folder, 'repository/fleet/regions/us.yaml'));
    symlinkSync('docs', join(folder, 'repository/fleet/more'));
    expect(await reported('regions/', 'more/us.yaml')).toEqual([
      ['"regions/"', 'fleet/regions/us.yaml is a symbolic link'],
      ['"more/us.yaml"', 'fleet/more/us.yaml is behind the symbolic link fleet/more'],
    ]);
    expect(await reported('more/')).toEqual([['"more/"', 'fleet/more/us.yaml is behind the symbolic link fleet/more']]);
  });

  it('may all be below a folder that is a link itself', async () => {
    write('regions/eu.yaml');
    symlinkSync('fleet', join(folder, 'repository/linked'));
    const source = { path: 'linked/topology.yaml', text: 'include: [regions/]\n' };
    expect(pathsOf(await readIncluded(onDisk(), source))).toEqual(['linked/regions/eu.yaml']);
  });

  it('is a link to a device, or a pipe', async () => {
    symlinkSync('/dev/zero', join(folder, 'repository/fleet/regions/a.yaml'));
    execFileSync('mkfifo', [join(folder, 'repository/fleet/regions/b.yaml')]);
    expect(await reported('regions/')).toEqual([
      ['"regions/"', expect.stringMatching(/^cannot read fleet\/regions\/a\.yaml: /)],
      ['"regions/"', 'cannot read fleet/regions/b.yaml: it is a pipe, not a file'],
    ]);
  });

  it('is the same file again, by its name or with its folder', async () => {
    write('regions/eu.yaml');
    expect(await reported('regions/', 'regions/eu.yaml')).toEqual([
      ['"regions/eu.yaml"', 'fleet/regions/eu.yaml is included twice'],
    ]);
  });

  it('is more than a thousand files', async () => {
    for (let i = 0; i <= 1000; i++) write(`regions/${i}.yaml`, '');
    expect(await reported('regions/')).toEqual([
      ['"regions/"', 'the topology includes 1001 files, and at most 1000 are read'],
    ]);
  });
});

it('files that are large together are not read, and reported as one that is too large', async () => {
  const half = LARGEST_FILE_BYTES / 2 + 1;
  for (const it of ['a', 'b']) {
    write(`regions/${it}.yaml`, '');
    truncateSync(join(folder, `repository/fleet/regions/${it}.yaml`), half);
  }
  const read = await readIncluded(onDisk(), topology('regions/'));
  expect(read.diagnostics.map((it) => [it.span.source.path, it.code])).toEqual([
    ['fleet/regions/b.yaml', 'source/too-large'],
  ]);
});
