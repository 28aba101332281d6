import type { Octokit } from '@octokit/rest';
import type { Clock } from './clock.ts';
import { explainFailure } from './explain-failure.ts';
import {
  type Comment,
  type Commit,
  type Forge,
  nameOf,
  type Pull,
  type Repository,
  type TreeEdit,
  type TreeEntry,
} from './forge.ts';
import { ForgeError } from './forge-error.ts';
import { isUnanswered, limitWait, readFailure } from './retry.ts';

export interface OctokitForge {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly clock: Clock;
}

/** Entries or comments in one response: the maximum of GitHub. */
const PER_PAGE = 100;
/** Attempts to create an object that is missing after an unanswered request. */
const MAX_ATTEMPTS = 4;
const RETRY_WAIT_MILLISECONDS = 2000;

/** GitHub behind `Forge`. Every failure is thrown as a `ForgeError` with a hint. */
export function octokitForge({ octokit, repository, clock }: OctokitForge): Forge {
  const { git, repos, pulls, issues, users } = octokit.rest;
  const at = { owner: repository.owner, repo: repository.name };
  const name = nameOf(repository);

  async function ask<T>(operation: string, request: () => Promise<T>, unless: Answers<T> = {}): Promise<T> {
    try {
      return await request();
    } catch (error) {
      const failure = forgeErrorOf(error, operation, clock);
      for (const [words, answer] of Object.entries(unless)) {
        if (words === String(failure.status) || failure.reason.includes(words)) return answer;
      }
      throw failure;
    }
  }

  /** Creates something that must not exist twice: after an unanswered request, weft looks it up first. */
  async function makeOnce<T>(make: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await make();
      } catch (error) {
        const failure = forgeErrorOf(error, '', clock);
        if (failure.failure !== 'unreachable' || attempt >= MAX_ATTEMPTS) throw error;
        await clock.sleep(RETRY_WAIT_MILLISECONDS * attempt);
        const made = await find();
        if (made !== undefined) return made;
      }
    }
  }

  const headOf = (branch: string) =>
    ask<string | null>(
      `read the branch ${branch} of ${name}`,
      async () => (await git.getRef({ ...at, ref: `heads/${branch}` })).data.object.sha,
      { '404': null },
    );

  const openPulls = async (branch: string): Promise<readonly Pull[]> => {
    const list = (filter: { readonly head?: string }) =>
      octokit.paginate(pulls.list, { ...at, state: 'open', per_page: PER_PAGE, ...filter });
    const operation = `list the pull requests of ${name}`;
    const found = await ask(operation, () => list({ head: `${repository.owner}:${branch}` }));
    return found.filter(isFrom(branch, repository)).map(pullOf);
  };

  /** Without the filter for the head, which misses forks of the same owner. Source: peter-evans/create-pull-request. */
  const openPullsOfAll = async (branch: string): Promise<readonly Pull[]> => {
    const all = await ask(`list the pull requests of ${name}`, () =>
      octokit.paginate(pulls.list, { ...at, state: 'open', per_page: PER_PAGE }),
    );
    return all.filter(isFrom(branch, repository)).map(pullOf);
  };

  const listComments = async (pull: number): Promise<readonly Comment[]> => {
    const all = await ask(`read the comments of #${pull} in ${name}`, () =>
      octokit.paginate(issues.listComments, { ...at, issue_number: pull, per_page: PER_PAGE }),
    );
    return all.map(commentOf);
  };

  return {
    repository,
    headOf,
    openPulls,
    listComments,
    defaultBranch: () => ask(`read ${name}`, async () => (await repos.get(at)).data.default_branch),
    readCommit: (id) =>
      ask(`read the commit ${id} of ${name}`, async () => {
        const { data } = await git.getCommit({ ...at, commit_sha: id });
        return { id: data.sha, tree: data.tree.sha, parents: data.parents.map((it) => it.sha), message: data.message };
      }),
    compare: (base, head) =>
      ask(`compare ${base} with ${head} in ${name}`, async () => {
        const commits: Commit[] = [];
        for (let page = 1; ; page++) {
          const basehead = `${base}...${head}`;
          const { data } = await repos.compareCommitsWithBasehead({ ...at, basehead, per_page: PER_PAGE, page });
          commits.push(...data.commits.map(commitOf));
          if (data.commits.length > 0 && commits.length < data.total_commits) continue;
          return { mergeBase: data.merge_base_commit.sha, ahead: data.ahead_by, behind: data.behind_by, commits };
        }
      }),
    readFolder: (tree) =>
      ask(`read the tree ${tree} of ${name}`, async () =>
        entriesOf((await git.getTree({ ...at, tree_sha: tree })).data.tree),
      ),
    listFiles: (tree) =>
      ask(`read the tree ${tree} of ${name}`, async () => {
        const { data } = await git.getTree({ ...at, tree_sha: tree, recursive: '1' });
        return data.truncated ? null : entriesOf(data.tree.filter((it) => it.type !== 'tree'));
      }),
    readText: (blob) =>
      ask(`read the file ${blob} of ${name}`, async () => {
        const { data } = await git.getBlob({ ...at, file_sha: blob });
        return data.encoding === 'base64' ? textOfBase64(data.content) : data.content;
      }),
    writeBlob: (text) =>
      ask(
        `send a file to ${name}`,
        async () => (await git.createBlob({ ...at, content: text, encoding: 'utf-8' })).data.sha,
      ),
    writeTree: (base, edits) =>
      ask(
        `send ${edits.length} files to ${name}`,
        async () => (await git.createTree({ ...at, base_tree: base, tree: edits.map(treeEntryOf) })).data.sha,
      ),
    writeCommit: ({ tree, parents, message }) =>
      ask(
        `commit to ${name}`,
        async () => (await git.createCommit({ ...at, tree, parents: [...parents], message })).data.sha,
      ),
    createBranch: (branch, commit) =>
      ask<'created' | 'exists'>(
        `create the branch ${branch} in ${name}`,
        () =>
          makeOnce<'created' | 'exists'>(
            async () => {
              await git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: commit });
              return 'created';
            },
            async () => {
              const head = await headOf(branch);
              return head === null ? undefined : head === commit ? 'created' : 'exists';
            },
          ),
        { 'Reference already exists': 'exists' },
      ),
    moveBranch: (branch, { to, force }) =>
      ask<'moved' | 'not-a-fast-forward' | 'missing'>(
        `push to the branch ${branch} of ${name}`,
        async () => {
          await git.updateRef({ ...at, ref: `heads/${branch}`, sha: to, force });
          return 'moved';
        },
        { 'not a fast forward': 'not-a-fast-forward', 'Reference does not exist': 'missing' },
      ),
    createPull: async ({ branch, base, title, body }) => {
      const findIn = async (list: (branch: string) => Promise<readonly Pull[]>) =>
        (await list(branch)).find((it) => it.base === base);
      const created = await ask<Pull | 'nothing-between' | 'exists'>(
        `open a pull request in ${name}`,
        () =>
          makeOnce(
            async () => pullOf((await pulls.create({ ...at, head: branch, base, title, body })).data),
            () => findIn(openPulls),
          ),
        { 'No commits between': 'nothing-between', 'A pull request already exists': 'exists' },
      );
      if (created !== 'exists') return created;
      // Another run was faster, or the filter omits it.
      const found = (await findIn(openPulls)) ?? (await findIn(openPullsOfAll));
      if (found !== undefined) return found;
      throw explainFailure({
        operation: `open a pull request in ${name}`,
        status: 422,
        reason: 'GitHub reports an existing pull request but does not list it',
      });
    },
    updatePull: (number, change) =>
      ask(`update the pull request #${number} of ${name}`, async () => {
        await pulls.update({ ...at, pull_number: number, ...change });
      }),
    login: async () => {
      try {
        return (await users.getAuthenticated()).data.login;
      } catch (error) {
        const failure = forgeErrorOf(error, 'read the owner of the token', clock);
        if (failure.status === 403 || failure.status === 404) return null;
        throw failure;
      }
    },
    createComment: (pull, body, known) =>
      ask(`comment on #${pull} in ${name}`, () =>
        makeOnce(
          async () => commentOf((await issues.createComment({ ...at, issue_number: pull, body })).data),
          async () => (await listComments(pull)).find(known),
        ),
      ),
    updateComment: (id, body) =>
      ask(`update a comment in ${name}`, async () => {
        await issues.updateComment({ ...at, comment_id: id, body });
      }),
  };
}

/** Responses that are no failure, by status or by words of GitHub. */
type Answers<T> = Readonly<Record<string, T>>;

/** An error of octokit as an error with a hint. Any other error is a bug and is thrown unchanged. */
function forgeErrorOf(error: unknown, operation: string, clock: Clock): ForgeError {
  if (error instanceof ForgeError) return error;
  const failed = readFailure(error);
  if (failed === undefined) throw error;
  const limit = limitWait(failed, 1, clock);
  return explainFailure({
    operation,
    reason: isUnanswered(failed) && failed.message === '' ? 'no answer' : failed.message,
    status: failed.status,
    ...(limit === undefined ? {} : { limitedForSeconds: Math.ceil(limit / 1000) }),
  });
}

interface ApiEntry {
  readonly path?: string;
  readonly mode?: string;
  readonly sha?: string;
}

const entriesOf = (entries: readonly ApiEntry[]): ReadonlyMap<string, TreeEntry> =>
  new Map(entries.map(({ path = '', mode = '', sha = '' }) => [path, { mode, id: sha }]));

type Mode = '100644' | '100755' | '040000' | '160000' | '120000';
const TYPES = { '040000': 'tree', '160000': 'commit' } as const;

function treeEntryOf(edit: TreeEdit) {
  const { path } = edit;
  // Never `sha` and `content` together: GitHub refuses that.
  if (edit.kind === 'write') return { path, mode: '100644', type: 'blob', content: edit.text } as const;
  const mode = (edit.kind === 'put' ? edit.entry.mode : edit.mode) as Mode;
  const type = mode === '040000' || mode === '160000' ? TYPES[mode] : 'blob';
  return { path, mode, type, sha: edit.kind === 'put' ? edit.entry.id : null } as const;
}

const commitOf = (it: {
  readonly sha: string;
  readonly parents: readonly { readonly sha: string }[];
  readonly commit: { readonly tree: { readonly sha: string }; readonly message: string };
}): Commit => ({
  id: it.sha,
  tree: it.commit.tree.sha,
  parents: it.parents.map(({ sha }) => sha),
  message: it.commit.message,
});

const pullOf = (it: {
  readonly number: number;
  readonly html_url: string;
  readonly title: string;
  readonly body: string | null;
  readonly base: { readonly ref: string };
  readonly user: { readonly login: string } | null;
}): Pull => ({
  number: it.number,
  url: it.html_url,
  title: it.title,
  body: it.body ?? '',
  base: it.base.ref,
  author: it.user?.login ?? '',
});

/** A fork of the same owner may have a branch of the same name. */
const isFrom =
  (branch: string, repository: Repository) =>
  (it: { readonly head: { readonly ref: string; readonly repo: { readonly full_name: string } | null } }): boolean =>
    it.head.ref === branch && it.head.repo?.full_name.toLowerCase() === nameOf(repository).toLowerCase();

const commentOf = (it: {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string;
  readonly user: { readonly login: string; readonly type?: string } | null;
}): Comment => ({
  id: it.id,
  url: it.html_url,
  body: it.body ?? '',
  author: it.user?.login ?? '',
  byBot: it.user?.type === 'Bot',
});

const textOfBase64 = (content: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(content.replace(/\s/g, '')), (it) => it.charCodeAt(0)));
