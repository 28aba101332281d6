import { splitNames } from './git-objects.ts';
import { runGit } from './run-git.ts';

/** Files below a folder that git ignores and does not track, by path below it; none without a repository. */
export async function ignoredBelow(folder: string): Promise<readonly string[]> {
  const listed = await runGit(folder, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard']);
  return listed.ok ? splitNames(listed.stdout) : [];
}
