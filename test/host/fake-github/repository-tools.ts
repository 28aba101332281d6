import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../../src/base/core/once.ts';
import { readRefs } from './branch-files.ts';
import { addComment } from './comments.ts';
import { dateOf } from './commit-object.ts';
import { git } from './git-store.ts';
import { type ImportedCommit, importCommit } from './import-commit.ts';
import { type MergeMethod, mergeCommit } from './merge-commit.ts';
import { noDetails } from './pull-rules.ts';
import { settlePulls } from './settle-pulls.ts';
import { SUBMODULE } from './tree-object.ts';
import { type Account, type Comment, fullName, type Guard, type Pull, type Repository, type World } from './world.ts';

/** The actions of a test on a repository without the client, and its reads of the result. */
export interface RepositoryTools {
  /** A clone by the real git, made at `folder`, with all branches and the default one checked out. */
  readonly clone: (folder: string, branch?: string) => void;
  /**
   * A clone that is never changed, of which the default branch or another one is checked out. The tests of a worker mostly
   * begin alike, and share it.
   */
  readonly checkout: (branch: string) => string;
  /** A commit by another user, made by the real git; a branch that is new starts at the default one. */
  readonly commit: (
    branch: string,
    files: Readonly<Record<string, string | null>>,
    more?: Partial<Pick<ImportedCommit, 'modes' | 'message'>> & { readonly author?: string },
  ) => Promise<string>;
  /** path -> mode at a branch or a commit. */
  readonly modesAt: (name: string) => ReadonlyMap<string, string>;
  /** Merges an open pull request as its button does. */
  readonly merge: (number: number, how?: MergeMethod) => Promise<string>;
  /** True if the button works. */
  readonly canMerge: (number: number, how: MergeMethod) => boolean;
  /** True if the commits of an open pull request include merges. */
  readonly hasMerges: (number: number) => boolean;
  /** path -> text of the base after a merge of an open pull request. */
  readonly filesAfterMerge: (number: number) => ReadonlyMap<string, string>;
  readonly branches: () => readonly string[];
  /** Makes or moves a branch to another one, or to a commit. */
  readonly branch: (name: string, from?: string) => Promise<string>;
  /** A pull request by a user; a new branch gets a separate file. */
  readonly openPull: (pull: OpenedPull) => Promise<Readonly<Pull>>;
  /** Changes by a user in the browser. */
  readonly editPull: (number: number, edit: PullEdit) => void;
  readonly deleteBranch: (branch: string) => Promise<void>;
  readonly headOf: (branch: string) => string | null;
  /** path -> text at a branch or a commit. */
  readonly filesAt: (name: string) => ReadonlyMap<string, string>;
  /** The messages of a branch, the newest first. */
  readonly messagesOf: (branch: string) => readonly string[];
  /** The ids of all commits of a branch, the newest first. */
  readonly historyOf: (branch: string) => readonly string[];
  /** The paths that the page of a pull request shows. */
  readonly changedBetween: (base: string, head: string) => readonly string[];
  /** The old name is redirected from then on. */
  readonly rename: (name: string) => void;
  readonly protect: (branch: string, guard: Guard) => void;
  readonly comment: (pull: number, author: Account, body: string) => Comment;
  readonly pulls: readonly Readonly<Pull>[];
  readonly comments: readonly Comment[];
  readonly forbidPullsByActions: () => void;
  readonly forbidDrafts: () => void;
}

type PullEdit = Partial<Pick<Pull, 'title' | 'body' | 'labels' | 'assignees' | 'reviewers'>>;

interface OpenedPull extends Partial<Pick<Pull, 'number' | 'base' | 'title' | 'body'>> {
  readonly branch: string;
  readonly author: Account;
}

/** The shared checkouts by their branch and all refs; with their files, in which a test that writes there is noticed. */
const CHECKOUTS = new Map<string, { readonly folder: string; readonly files: string }>();

const checkoutsFolder = once(() => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-checkouts-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
});

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true })
    .filter((it) => !`${it}`.startsWith('.git/'))
    .join('\n');

export function repositoryTools(world: World, repository: Repository, scratch: string): RepositoryTools {
  const { store, pulls, comments } = repository;
  const now = (): string => dateOf(world.clock.now());
  const move = async (branch: string, to: string): Promise<string> => {
    const ref = `refs/heads/${branch}`;
    if (!store.moveRef(ref, to, store.headOf(branch))) throw new Error(`${branch} cannot be moved`);
    settlePulls(world, repository, ref);
    return to;
  };
  const textsAt = (name: string): ReadonlyMap<string, string> =>
    new Map(
      [...store.filesAt(name)]
        .filter(([, it]) => it.mode !== SUBMODULE)
        .map(([path, { id }]) => [path, store.readId(id)?.bytes.toString('utf8') ?? '']),
    );
  const openPull = (number: number): Pull => {
    const pull = pulls.find((it) => it.number === number && it.state === 'open');
    if (pull === undefined) throw new Error(`there is no open pull request ${number}`);
    return pull;
  };
  const tools: RepositoryTools = {
    pulls,
    comments,
    clone: (folder, branch) => {
      const args = branch === undefined ? [] : ['--branch', branch];
      // Shared are the objects, which would be copied otherwise; the clone is gone before the repository is.
      git(scratch, ['clone', '--quiet', '--shared', ...args, store.folder, folder]);
    },
    checkout: (branch) => {
      // A fork needs the objects of its parent.
      const key = repository.parent === null ? `${branch}\n${readRefs(store.folder)}` : null;
      const known = key === null ? undefined : CHECKOUTS.get(key);
      if (known !== undefined && filesIn(known.folder) === known.files) return known.folder;
      const folder = mkdtempSync(join(key === null ? scratch : checkoutsFolder(), 'checkout-'));
      git(scratch, ['clone', '--quiet', '--branch', branch, store.folder, folder]);
      if (key !== null) CHECKOUTS.set(key, { folder, files: filesIn(folder) });
      return folder;
    },
    commit: async (branch, files, { modes = {}, author = 'Somebody Else', message = `${author} was here\n` } = {}) => {
      const parent = tools.headOf(branch) ?? tools.headOf(repository.defaultBranch);
      const by = { name: author, email: 'somebody@example.com', at: world.clock.now() };
      const commit = importCommit(store, { branch, parent, by, message, files, modes });
      settlePulls(world, repository, `refs/heads/${branch}`);
      return commit;
    },
    merge: async (number, how = 'merge') => {
      const pull = openPull(number);
      const commit = mergeCommit(repository, pull, how, now());
      // Before the branch moves, so that nothing else closes it: a squashed pull request is merged, too.
      Object.assign(pull, { state: 'closed', mergedAt: now(), closedAt: now(), updatedAt: now() });
      return move(pull.base, commit);
    },
    canMerge: (number, how) => {
      try {
        mergeCommit(repository, openPull(number), how, now());
        return true;
      } catch {
        return false;
      }
    },
    hasMerges: (number) => {
      const { baseSha, headSha } = openPull(number);
      return store.run(['rev-list', '--merges', `${baseSha}..${headSha}`]) !== '';
    },
    filesAfterMerge: (number) => textsAt(mergeCommit(repository, openPull(number), 'merge', now())),
    branches: () =>
      store.run(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']).split('\n').filter(Boolean),
    branch: async (name, from = repository.defaultBranch) => move(name, tools.headOf(from) ?? from),
    openPull: async ({ number = 1 + Math.max(0, ...pulls.map((it) => it.number)), branch, author, ...more }) => {
      const base = more.base ?? repository.defaultBranch;
      if (tools.headOf(branch) === null) await tools.commit(branch, { [`${branch}.md`]: 'new\n' });
      const shas = { headSha: tools.headOf(branch) ?? '', baseSha: tools.headOf(base) ?? '' };
      const times = { createdAt: now(), updatedAt: now(), closedAt: null, mergedAt: null };
      const texts = { title: more.title ?? `Edit ${branch}`, body: more.body ?? null, state: 'open' as const };
      const pull: Pull = {
        number,
        id: world.nextId(),
        author,
        head: { repository, branch },
        base,
        ...shas,
        ...texts,
        ...times,
        isDraft: false,
        ...noDetails(),
      };
      pulls.push(pull);
      return pull;
    },
    editPull: (number, edit) => {
      const pull = pulls.find((it) => it.number === number);
      Object.assign(pull ?? {}, edit, { updatedAt: now() });
    },
    deleteBranch: async (branch) => {
      store.run(['update-ref', '-d', `refs/heads/${branch}`]);
      settlePulls(world, repository, `refs/heads/${branch}`);
    },
    headOf: store.headOf,
    filesAt: textsAt,
    messagesOf: (branch) => {
      const all = store.run(['log', '-z', '--format=%B', branch]);
      return all
        .split('\0')
        .map((it) => it.trim())
        .filter(Boolean);
    },
    historyOf: (branch) => store.run(['rev-list', branch]).split('\n').filter(Boolean),
    changedBetween: (base, head) =>
      store
        .run(['diff', '--name-only', `${base}...${head}`])
        .split('\n')
        .filter(Boolean),
    modesAt: (name) => new Map([...store.filesAt(name)].map(([path, it]) => [path, it.mode])),
    rename: (name) => {
      repository.formerNames.push(fullName(repository));
      repository.name = name;
    },
    protect: (branch, guard) => repository.guards.set(branch, guard),
    comment: (pull, author, body) => addComment(world, repository, { pull, author, body }),
    forbidPullsByActions: () => {
      repository.actionsMayOpenPulls = false;
    },
    forbidDrafts: () => {
      repository.hasDrafts = false;
    },
  };
  return tools;
}
