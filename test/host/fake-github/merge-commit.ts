import { git } from './git-store.ts';
import type { Pull, Repository } from './world.ts';

/** The three buttons below a pull request. */
export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** The commit that a button leaves on the base branch; throws where GitHub shows a conflict. */
export function mergeCommit({ store }: Repository, pull: Pull, how: MergeMethod, date: string): string {
  const env = identity('GitHub', date);
  const commit = (tree: string, parents: readonly string[], message: string): string =>
    git(store.folder, ['commit-tree', tree, ...parents.flatMap((it) => ['-p', it]), '-m', message], '', env).trim();
  if (how === 'rebase') {
    // Each commit gets a new committer, so none keeps its id, and merges are left out.
    const range = `${pull.baseSha}..${pull.headSha}`;
    const commits = store.run(['rev-list', '--reverse', '--no-merges', range]).split('\n').filter(Boolean);
    return commits.reduce((onto, it) => {
      // Three commits of their own give the merge the base that a cherry-pick has: git 2.39 takes none as an argument.
      const [before, ours, theirs] = [`${it}^`, onto, it].map((name) =>
        store.run(['rev-parse', `${name}^{tree}`]).trim(),
      );
      const root = commit(before ?? '', [], 'before');
      const sides = [ours, theirs].map((tree) => commit(tree ?? '', [root], 'side'));
      const tree = store.run(['merge-tree', '--write-tree', ...sides]).trim();
      return commit(tree, [onto], store.run(['log', '-1', '--format=%B', it]).trim());
    }, pull.baseSha);
  }
  const tree = store.run(['merge-tree', '--write-tree', pull.baseSha, pull.headSha]).trim();
  return how === 'merge'
    ? commit(tree, [pull.baseSha, pull.headSha], `Merge pull request #${pull.number}`)
    : commit(tree, [pull.baseSha], `${pull.title} (#${pull.number})`);
}

const identity = (name: string, date: string): NodeJS.ProcessEnv => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: 'somebody@example.com',
  GIT_AUTHOR_DATE: date,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: 'somebody@example.com',
  GIT_COMMITTER_DATE: date,
});
