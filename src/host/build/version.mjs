// The identity of this build: the version of weft, the commit of its sources, and the release that it is.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The paths from which a bundle is built; changes elsewhere do not change weft. */
const SOURCES = ['src', 'schemas', 'package.json', 'package-lock.json'];

const readPackage = async (root) => JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** The version in package.json. */
export const readVersion = async (root) => (await readPackage(root)).version;

/** `owner/name` on GitHub of the `repository` in package.json, the only place that names it; `undefined` without one. */
export const repositoryOf = ({ repository }) =>
  /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/.exec(repository?.url ?? '')?.[1];

/**
 * The release that a build of these sources is: package.json names the repository, and its commit has the tag of its
 * version. `null` for every other build, such as one of a clone with changes.
 */
export async function readRelease(root) {
  const { version, ...rest } = await readPackage(root);
  const [repository, commit] = [repositoryOf(rest), git(root, ['rev-parse', '--verify', 'HEAD'])];
  if (repository === undefined || commit === undefined || changesIn(root) !== '') return null;
  return git(root, ['rev-parse', '--verify', `refs/tags/v${version}^{commit}`]) === commit
    ? { repository, version, commit }
    : null;
}

/**
 * The version with its commit for users: `0.1.0 (711d3be7)`, or `0.1.0 (711d3be7, changed)` if tracked sources differ
 * from the commit. Only the version when `root` is not a repository, as in an unpacked archive.
 */
export async function readBuild(root) {
  const version = await readVersion(root);
  const commit = git(root, ['rev-parse', '--verify', 'HEAD'])?.slice(0, 8);
  if (commit === undefined) return version;
  return `${version} (${commit}${changesIn(root) === '' ? '' : ', changed'})`;
}

/** The tracked sources that differ from the commit. */
const changesIn = (root) => git(root, ['status', '--porcelain', '--untracked-files=no', '--', ...SOURCES]);

/**
 * The output of git without its last line break, or `undefined` when it fails. The git folder is named explicitly, so that git does not use a
 * repository around `root`.
 */
function git(root, args) {
  const where = ['--no-optional-locks', `--git-dir=${join(root, '.git')}`, `--work-tree=${root}`];
  try {
    return execFileSync('git', [...where, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  } catch {
    return undefined;
  }
}
