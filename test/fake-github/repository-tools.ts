import { addComment } from './comments.ts';
import { dateOf } from './commit-object.ts';
import { git } from './git-store.ts';
import { type ImportedCommit, importedCommit } from './imported-commit.ts';
import { readFiles } from './read-files.ts';
import { settlePulls } from './settle-pulls.ts';
import type { Account, Comment, Guard, Pull, Repository, World } from './world.ts';

/** What a test does to a repository behind the back of the client, and how it looks at the result. */
export interface RepositoryTools {
  /** A clone by the real git, made at `folder`, with all branches and the default one checked out. */
  readonly clone: (folder: string, branch?: string) => void;
  /** A commit by somebody else, made by the real git; a branch that is new starts at the default one. */
  readonly commit: (branch: string, files: Readonly<Record<string, string | null>>, author?: string) => Promise<string>;
  /** Merges an open pull request as its button does. */
  readonly merge: (number: number, how?: 'merge' | 'squash') => Promise<string>;
  readonly deleteBranch: (branch: string) => Promise<void>;
  readonly headOf: (branch: string) => string | null;
  /** path -> text at a branch or a commit. */
  readonly filesAt: (name: string) => ReadonlyMap<string, string>;
  /** The messages of a branch, the newest first. */
  readonly messagesOf: (branch: string) => readonly string[];
  readonly protect: (branch: string, guard: Guard) => void;
  readonly comment: (pull: number, author: Account, body: string) => Comment;
  readonly pulls: readonly Readonly<Pull>[];
  readonly comments: readonly Comment[];
  readonly forbidPullsByActions: () => void;
}

export function repositoryTools(world: World, repository: Repository, scratch: string): RepositoryTools {
  const { store, pulls, comments } = repository;
  const now = (): string => dateOf(world.clock.now());
  const move = async (branch: string, to: string): Promise<string> => {
    store.run(['update-ref', `refs/heads/${branch}`, to]);
    await settlePulls(world, repository, `refs/heads/${branch}`);
    return to;
  };
  const tools: RepositoryTools = {
    pulls,
    comments,
    clone: (folder, branch) => {
      const args = branch === undefined ? [] : ['--branch', branch];
      // Shared are the objects, which would be copied otherwise; the clone is gone before the repository is.
      git(scratch, ['clone', '--quiet', '--shared', ...args, store.folder, folder]);
    },
    commit: async (branch, files, author = 'Somebody Else') => {
      const parent = tools.headOf(branch) ?? tools.headOf(repository.defaultBranch);
      const by = { name: author, email: 'somebody@example.com', at: world.clock.now() };
      const commit: ImportedCommit = { branch, parent, by, message: `${author} was here\n`, files };
      store.run(['fast-import', '--quiet'], importedCommit(commit));
      await settlePulls(world, repository, `refs/heads/${branch}`);
      return tools.headOf(branch) ?? '';
    },
    merge: async (number, how = 'merge') => {
      const pull = pulls.find((it) => it.number === number && it.state === 'open');
      if (pull === undefined) throw new Error(`there is no open pull request ${number}`);
      const tree = store.run(['merge-tree', '--write-tree', pull.baseSha, pull.headSha]).trim();
      const parents = how === 'merge' ? [pull.baseSha, pull.headSha] : [pull.baseSha];
      const message = how === 'merge' ? `Merge pull request #${number}` : `${pull.title} (#${number})`;
      const args = ['commit-tree', tree, ...parents.flatMap((it) => ['-p', it]), '-m', message];
      const commit = git(store.folder, args, '', identity('GitHub', now())).trim();
      // Before the branch moves, so that nothing else closes it: a squashed pull request is merged, too.
      Object.assign(pull, { state: 'closed', mergedAt: now(), closedAt: now(), updatedAt: now() });
      return move(pull.base, commit);
    },
    deleteBranch: async (branch) => {
      store.run(['update-ref', '-d', `refs/heads/${branch}`]);
      await settlePulls(world, repository, `refs/heads/${branch}`);
    },
    headOf: store.headOf,
    filesAt: (name) => readFiles(store.folder, name),
    messagesOf: (branch) => {
      const all = store.run(['log', '-z', '--format=%B', branch]);
      return all
        .split('\0')
        .map((it) => it.trim())
        .filter(Boolean);
    },
    protect: (branch, guard) => repository.guards.set(branch, guard),
    comment: (pull, author, body) => addComment(world, repository, { pull, author, body }),
    forbidPullsByActions: () => {
      repository.actionsMayOpenPulls = false;
    },
  };
  return tools;
}

const identity = (name: string, date: string): NodeJS.ProcessEnv => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: 'somebody@example.com',
  GIT_AUTHOR_DATE: date,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: 'somebody@example.com',
  GIT_COMMITTER_DATE: date,
});
