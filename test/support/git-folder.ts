import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' },
};

/** A commit starts no program that tidies up, and temporary data need not survive a power cut. */
const SETTINGS = {
  GIT_CONFIG_COUNT: '3',
  ...{ GIT_CONFIG_KEY_0: 'gc.auto', GIT_CONFIG_VALUE_0: '0' },
  ...{ GIT_CONFIG_KEY_1: 'maintenance.auto', GIT_CONFIG_VALUE_1: 'false' },
  ...{ GIT_CONFIG_KEY_2: 'core.fsync', GIT_CONFIG_VALUE_2: 'none' },
};

/** The real git in a folder, without the settings of this machine. */
export function gitFolder(folder: string) {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...SETTINGS, ...AUTHOR },
    }).trim();
  const commit = (message = 'a change'): string => {
    git('add', '--all', '--force');
    git('commit', '--quiet', '--allow-empty', '-m', message);
    return headOf(folder) ?? git('rev-parse', 'HEAD');
  };
  /** A repository whose first commit is empty. */
  const init = (): void => {
    first ??= firstRepository();
    for (const [path, bytes] of first) {
      const file = join(folder, '.git', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  };
  return { git, commit, init };
}

/** The files in `.git` of a repository whose first commit is empty: every test that begins with one writes them again. */
let first: ReadonlyMap<string, Buffer> | undefined;

function firstRepository(): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-first-'));
  try {
    const { git } = gitFolder(folder);
    git('init', '--quiet', '--initial-branch=main');
    git('commit', '--quiet', '--allow-empty', '-m', 'the first');
    const entries = readdirSync(join(folder, '.git'), { recursive: true, withFileTypes: true });
    const files = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
    return new Map(files.map((it) => [it.slice(folder.length + '/.git/'.length), readFileSync(it)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The commit that git has just written the branch of, without a process; `undefined` where the branch is no file. */
function headOf(folder: string): string | undefined {
  try {
    const [, ref = ''] = /^ref: (.*)$/m.exec(readFileSync(join(folder, '.git/HEAD'), 'utf8')) ?? [];
    return readFileSync(join(folder, '.git', ref), 'utf8').trim();
  } catch {
    return undefined;
  }
}
