import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error The build is plain JavaScript.
import { readBuild } from '../../../src/host/build/version.mjs';

let around: string;
let clone: string;

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'weft-version-'));
  clone = join(around, 'weft');
  mkdirSync(join(clone, 'src'), { recursive: true });
  writeFileSync(join(clone, 'package.json'), '{ "version": "1.2.3" }\n');
  writeFileSync(join(clone, 'src/main.ts'), 'one();\n');
  writeFileSync(join(clone, 'README.md'), 'weft\n');
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });

/** Makes a repository of a folder, and returns the first digits of its commit. */
function commitAll(folder: string): string {
  git(folder, 'init', '-q');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'all');
  return git(folder, 'rev-parse', 'HEAD').slice(0, 8);
}

describe('the version for people', () => {
  it('names the commit', async () => {
    const commit = commitAll(clone);
    expect(await readBuild(clone)).toBe(`1.2.3 (${commit})`);
  });

  it('says that a source was changed after the commit, also where the change is staged', async () => {
    const commit = commitAll(clone);
    writeFileSync(join(clone, 'src/main.ts'), 'two();\n');
    expect(await readBuild(clone)).toBe(`1.2.3 (${commit}, changed)`);
    git(clone, 'add', '.');
    expect(await readBuild(clone)).toBe(`1.2.3 (${commit}, changed)`);
  });

  it('is not changed by what is not built', async () => {
    const commit = commitAll(clone);
    writeFileSync(join(clone, 'README.md'), 'another text\n');
    writeFileSync(join(clone, 'src/untracked.ts'), 'three();\n');
    writeFileSync(join(clone, 'src/main.ts'), 'one();\n');
    expect(await readBuild(clone)).toBe(`1.2.3 (${commit})`);
  });

  it('is the version alone without a repository or a commit', async () => {
    expect(await readBuild(clone)).toBe('1.2.3');
    git(clone, 'init', '-q');
    expect(await readBuild(clone)).toBe('1.2.3');
  });

  it('does not name the commit of a repository around the folder', async () => {
    commitAll(around);
    expect(await readBuild(clone)).toBe('1.2.3');
  });

  it('names the commit of a worktree', async () => {
    const commit = commitAll(clone);
    git(clone, 'worktree', 'add', '-q', join(around, 'worktree'));
    expect(await readBuild(join(around, 'worktree'))).toBe(`1.2.3 (${commit})`);
  });
});
