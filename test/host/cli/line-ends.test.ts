import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { memoryHost, TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });

/** A compiled fleet in a clone as git for Windows makes it, without any .gitattributes. */
async function cloneOfWindows() {
  const origin = workspace({ [PATH]: TOPOLOGY });
  git(origin.folder, 'init', '-q', '-b', 'main');
  expect((await origin.weft('compile', '-q')).code).toBe(0);
  git(origin.folder, 'add', '-A');
  git(origin.folder, 'commit', '-qm', 'base');
  const folder = mkdtempSync(join(tmpdir(), 'weft-crlf-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  git(folder, 'clone', '-q', '-c', 'core.autocrlf=true', origin.folder, '.');
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  for (const path of [PATH, 'topologies/topology.lock.yaml', 'out/addresses.json', 'out/.weft/rome.sha256'])
    expect(read(path)).toContain('\r\n');
  const weft = async (...argv: readonly string[]) => {
    const { host, said } = memoryHost(folder, { env: { CI: 'true' } });
    return { code: await runWeft(argv, host), ...said() };
  };
  return { origin, folder, read, weft };
}

describe('a checkout with the line ends of Windows', () => {
  it.each([
    ['compile', '--check'],
    ['compile', '--frozen-lock'],
    ['compile'],
    ['compile', '--cluster', 'rome'],
    ['verify'],
    ['plan', '--detailed-exitcode'],
    ['plan', '--base', 'HEAD', '--detailed-exitcode'],
    ['pr', 'check', '--base', 'HEAD', '--current'],
  ])('is current for weft %s %s %s, and not one file is rewritten', async (...argv) => {
    const { folder, weft, read } = await cloneOfWindows();
    const before = read('out/rome/kustomization.yaml');
    const answer = await weft(...argv, '-q');
    expect({ ...answer, stdout: '' }).toMatchObject({ code: 0 });
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(read('out/rome/kustomization.yaml')).toBe(before);
  });

  it('compiles an edit to the same commit as a checkout with the others', async () => {
    const { origin, folder, weft, read } = await cloneOfWindows();
    const edit = (text: string) => text.replace('10.202.0.0/16 }', '10.203.0.0/16 }');
    writeFileSync(join(folder, PATH), edit(read(PATH)));
    origin.write(PATH, edit(origin.read(PATH)));
    expect([(await weft('compile', '-q')).code, (await origin.weft('compile', '-q')).code]).toEqual([0, 0]);
    const treeOf = (cwd: string) => {
      git(cwd, 'add', '-A');
      return git(cwd, 'write-tree');
    };
    expect(treeOf(folder)).toBe(treeOf(origin.folder));
  });
});
