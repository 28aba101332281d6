import type { Commit, Forge, TreeEntry } from '../forge/forge.ts';
import { type GitHub, PER_PAGE } from './ask-github.ts';

type RepositoryReader = Pick<
  Forge,
  'headOf' | 'readCommit' | 'authorOf' | 'compare' | 'readFolder' | 'listFiles' | 'readTexts'
>;

/** What a repository contains: branches, commits, trees and texts. */
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
