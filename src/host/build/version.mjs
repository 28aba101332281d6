// The identity of this build: the version of weft and the commit of its sources.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The paths from which a bundle is built; changes elsewhere do not change weft. */
const SOURCES = ['src', 'schemas', 'package.json', 'package-lock.json'];

/** The version in package.json. */
export async function readVersion(root) {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version;
}

/**
 * The version with its commit for users: `0.1.0 (711d3be7)`, or `0.1.0 (711d3be7, changed)` if tracked sources differ
 * from the commit. Only the version when `root` is not a repository, as in an unpacked archive.
 */
export async function readBuild(root) {
  const version = await readVersion(root);
  const commit = git(root, ['rev-parse', '--verify', 'HEAD'])?.slice(0, 8);
  if (commit === undefined) return version;
  const changes = git(root, ['status', '--porcelain', '--untracked-files=no', '--', ...SOURCES]);
  return `${version} (${commit}${changes === '' ? '' : ', changed'})`;
}

/**
 * The output of git, or `undefined` when it fails. The git folder is named explicitly, so that git does not use a
 * repository around `root`.
 */
function git(root, args) {
  const where = ['--no-optional-locks', `--git-dir=${join(root, '.git')}`, `--work-tree=${root}`];
  try {
    return execFileSync('git', [...where, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
