import { execFileSync } from 'node:child_process';

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
    return git('rev-parse', 'HEAD');
  };
  /** A repository whose first commit is empty. */
  const init = (): void => {
    git('init', '--quiet', '--initial-branch=main');
    git('commit', '--quiet', '--allow-empty', '-m', 'the first');
  };
  return { git, commit, init };
}
