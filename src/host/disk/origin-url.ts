import { GitError } from './git-error.ts';
import { runGit } from './run-git.ts';

/** Where the repository around a folder was cloned from; `undefined` without a repository, a remote of that name, or git. */
export async function originUrl(cwd: string): Promise<string | undefined> {
  try {
    const { ok, stdout } = await runGit(cwd, ['remote', 'get-url', 'origin']);
    return ok ? stdout.toString().trim() || undefined : undefined;
  } catch (error) {
    // What needs git says so itself.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
