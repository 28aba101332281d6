import type { Commit, Forge, TreeEdit, TreeEntry } from '../forge/forge.ts';
import { type GitHub, PER_PAGE } from './ask-github.ts';

type RepositoryReader = Pick<
  Forge,
  'headOf' | 'readCommit' | 'authorOf' | 'compare' | 'readFolder' | 'listFiles' | 'readTexts'
>;

/** Reads branches, commits, trees and texts. */
export function readRepository({ octokit, at, name, ask }: GitHub): RepositoryReader {
  const { git, repos } = octokit.rest;
  const readText = (blob: string): Promise<string> =>
    ask(`read the file ${blob} of ${name}`, async () => {
      const { data } = await git.getBlob({ ...at, file_sha: blob });
      return data.encoding === 'base64' ? textOfBase64(data.content) : data.content;
    });
  return {
    headOf: (branch) =>
      ask<string | null>(
        `read the branch ${branch} of ${name}`,
        async () => (await git.getRef({ ...at, ref: `heads/${branch}` })).data.object.sha,
        { '404': null },
      ),
    readCommit: (id) =>
      ask(`read the commit ${id} of ${name}`, async () => {
        const { data } = await git.getCommit({ ...at, commit_sha: id });
        return { id: data.sha, tree: data.tree.sha, parents: data.parents.map((it) => it.sha), message: data.message };
      }),
    authorOf: (id) =>
      ask(`read the commit ${id} of ${name}`, async () => {
        const { author } = (await git.getCommit({ ...at, commit_sha: id })).data;
        return { name: author.name, email: author.email };
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
    readTexts: async (blobs) => {
      const texts: string[] = [];
      for (const blob of blobs) texts.push(await readText(blob));
      return texts;
    },
  };
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

interface ApiEntry {
  readonly path?: string;
  readonly mode?: string;
  readonly sha?: string;
}

const entriesOf = (entries: readonly ApiEntry[]): ReadonlyMap<string, TreeEntry> =>
  new Map(entries.map(({ path = '', mode = '', sha = '' }) => [path, { mode, id: sha }]));

const textOfBase64 = (content: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(content.replace(/\s/g, '')), (it) => it.charCodeAt(0)));

type CommitWriter = Pick<
  Forge,
  'writeBlob' | 'writeTree' | 'writeCommit' | 'createBranch' | 'moveBranch' | 'deleteBranch'
>;

/** Writes trees, commits and branches. */
export function writeCommits({ octokit, at, name, ask, makeOnce }: GitHub, headOf: Forge['headOf']): CommitWriter {
  const { git } = octokit.rest;
  return {
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
    deleteBranch: (branch) =>
      ask<'deleted'>(
        `delete the branch ${branch} of ${name}`,
        async () => {
          await git.deleteRef({ ...at, ref: `heads/${branch}` });
          return 'deleted';
        },
        { 'Reference does not exist': 'deleted' },
      ),
  };
}

type Mode = '100644' | '100755' | '040000' | '160000' | '120000';
const TYPES = { '040000': 'tree', '160000': 'commit' } as const;

function treeEntryOf(edit: TreeEdit) {
  const { path } = edit;
  // GitHub refuses `sha` and `content` together.
  if (edit.kind === 'write') return { path, mode: edit.mode, type: 'blob', content: edit.text } as const;
  const mode = (edit.kind === 'put' ? edit.entry.mode : edit.mode) as Mode;
  const type = mode === '040000' || mode === '160000' ? TYPES[mode] : 'blob';
  return { path, mode, type, sha: edit.kind === 'put' ? edit.entry.id : null } as const;
}
