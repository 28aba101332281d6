import type { Author, ForgeContent } from '../forge/forge.ts';
import { explainGit } from './explain-git.ts';
import type { GitRemote } from './git-remote.ts';

/** Commits of the owner of the token. */
export function writeCommits({ try: run, remote }: GitRemote): Pick<ForgeContent, 'writeCommit'> {
  let known: Promise<Author> | undefined;
  return {
    writeCommit: async ({ tree, parents, message }) => {
      known ??= remote.author();
      const { name, email } = await known;
      const who = {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
      };
      const args = ['commit-tree', tree, ...parents.flatMap((it) => ['-p', it])];
      const made = await run(args, { input: message, env: who });
      if (made.ok) return made.stdout.toString().trim();
      throw explainGit(`commit to ${remote.name}`, made.stderr, remote);
    },
  };
}
