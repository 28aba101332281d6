import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error The build is plain JavaScript.
import { readBuild, readRelease } from '../../../src/host/build/version.mjs';

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

describe('the release that a build is', () => {
  const RELEASED = '{ "version": "1.2.3", "repository": { "url": "git+https://github.com/acme/weft.git" } }\n';

  /** A commit of a clone with the tag, and its full id. */
  function tagged(manifest = RELEASED): string {
    writeFileSync(join(clone, 'package.json'), manifest);
    commitAll(clone);
    git(clone, 'tag', '-a', '-m', 'weft 1.2.3', 'v1.2.3');
    return git(clone, 'rev-parse', 'HEAD').trim();
  }

  it('has the repository of package.json, the version and the full commit', async () => {
    const commit = tagged();
    expect(await readRelease(clone)).toEqual({ repository: 'acme/weft', version: '1.2.3', commit });
  });

  it('is none while package.json names no repository on GitHub', async () => {
    tagged('{ "version": "1.2.3" }\n');
    expect(await readRelease(clone)).toBeNull();
  });

  it('is none after its commit, with changed sources, with another tag, or without git', async () => {
    tagged();
    writeFileSync(join(clone, 'src/main.ts'), 'two();\n');
    expect(await readRelease(clone)).toBeNull();
    git(clone, 'commit', '-qam', 'more');
    expect(await readRelease(clone)).toBeNull();
    git(clone, 'tag', 'v1.2.4');
    expect(await readRelease(clone)).toBeNull();
    git(clone, 'checkout', '-q', 'v1.2.3');
    expect(await readRelease(clone)).not.toBeNull();
    rmSync(join(clone, '.git'), { recursive: true });
    expect(await readRelease(clone)).toBeNull();
  });
});
