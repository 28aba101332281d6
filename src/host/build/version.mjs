// Which weft is built: its version, and the commit of its sources.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a bundle is made of; changes elsewhere are no changes of weft. */
const SOURCES = ['src', 'schemas', 'package.json', 'package-lock.json'];

/** Of package.json. */
export async function readVersion(root) {
  return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version;
}

/**
 * The version with its commit, for people: `0.1.0 (711d3be7)`, or `0.1.0 (711d3be7, changed)` where tracked sources are not as
 * committed. The version alone where `root` is no repository, as in an unpacked archive.
 */
export async function readBuild(root) {
  const version = await readVersion(root);
  const commit = git(root, ['rev-parse', '--verify', 'HEAD'])?.slice(0, 8);
  if (commit === undefined) return version;
  const changes = git(root, ['status', '--porcelain', '--untracked-files=no', '--', ...SOURCES]);
  return `${version} (${commit}${changes === '' ? '' : ', changed'})`;
}

/** What git prints, or `undefined` where it fails. With its folder named, it does not answer for a repository around `root`. */
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
