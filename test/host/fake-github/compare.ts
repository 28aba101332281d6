import { type CommitObject, readCommit } from './commit-object.ts';
import type { Json, JsonObject } from './description.ts';
import { printParent, verificationOf } from './git-commits.ts';
import { apiUrl, nodeId, webUrl } from './print-objects.ts';
import { notFound } from './refusal.ts';
import { filled } from './sample.ts';
import { type Answer, type Call, type Repository, repositoryOf, type World } from './world.ts';

/** The maximum of commits and files in an answer. Source: GitHub's REST reference, "Compare two commits". */
const MOST_COMMITS = 250;
const MOST_FILES = 300;

export async function compareCommits(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { store } = repository;
  const basehead = call.path['basehead'] ?? '';
  const [from = '', to = ''] = basehead.split('...');
  const base = await commitNamed(call.world, repository, from);
  const head = await commitNamed(call.world, repository, to);
  const mergeBase = ancestorOf(repository, base.id, head.id) ?? notFound();
  const ids = (not: string, of: string): readonly string[] =>
    of === mergeBase
      ? []
      : (store.ask(['rev-list', '--reverse', '--topo-order', `${not}..${of}`]) ?? '').split('\n').filter(Boolean);
  const ahead = ids(base.id, head.id);
  const behind = ids(head.id, base.id).length;
  const size = Math.min(Number(call.query['per_page'] ?? MOST_COMMITS), call.query['page'] ? 100 : MOST_COMMITS);
  const page = Math.max(Number(call.query['page'] ?? 1), 1);
  const print = async (id: string): Promise<JsonObject> => printCommit(repository, readCommit(store, id) ?? notFound());
  const url = apiUrl(repository, `/compare/${basehead}`);
  const web = webUrl(repository, `/compare/${basehead}`);
  return {
    status: 200,
    body: {
      url,
      html_url: web,
      permalink_url: web,
      diff_url: `${web}.diff`,
      patch_url: `${web}.patch`,
      base_commit: printCommit(repository, base),
      merge_base_commit: await print(mergeBase),
      status: statusOf(ahead.length, behind),
      ahead_by: ahead.length,
      behind_by: behind,
      total_commits: ahead.length,
      commits: await Promise.all(ahead.slice((page - 1) * size, page * size).map(print)),
      files: page === 1 ? filesBetween(repository, mergeBase, head.id) : [],
    },
  };
}

const statusOf = (ahead: number, behind: number): string =>
  ahead > 0 ? (behind > 0 ? 'diverged' : 'ahead') : behind > 0 ? 'behind' : 'identical';

/** A branch, a commit, or `owner:branch` of a fork. */
async function commitNamed(world: World, repository: Repository, name: string): Promise<CommitObject> {
  const [owner = '', branch] = name.includes(':') ? name.split(':') : [repository.owner, name];
  const at = world.repositories.find((it) => it.owner === owner && it.name === repository.name) ?? notFound();
  if (at !== repository && branch !== undefined) {
    repository.store.run(['fetch', '--quiet', '--no-tags', at.store.folder, `refs/heads/${branch}`]);
  }
  const id = readCommit(at.store, `refs/heads/${branch}`)?.id ?? name;
  return readCommit(repository.store, id) ?? notFound();
}

const ancestorOf = ({ store }: Repository, base: string, head: string): string | null => store.mergeBase(base, head);

const printCommit = (repository: Repository, commit: CommitObject): JsonObject =>
  filled('commit', {
    sha: commit.id,
    node_id: nodeId('Commit', commit.id),
    url: apiUrl(repository, `/commits/${commit.id}`),
    html_url: webUrl(repository, `/commit/${commit.id}`),
    comments_url: apiUrl(repository, `/commits/${commit.id}/comments`),
    commit: {
      url: apiUrl(repository, `/git/commits/${commit.id}`),
      author: { ...commit.author },
      committer: { ...commit.committer },
      message: commit.message,
      tree: { sha: commit.tree, url: apiUrl(repository, `/git/trees/${commit.tree}`) },
      comment_count: 0,
      verification: verificationOf(repository, commit),
    },
    parents: commit.parents.map((it) => printParent(repository, it)),
  });

const WORDS: Readonly<Record<string, string>> = { A: 'added', D: 'removed', M: 'modified', T: 'changed' };

function filesBetween(repository: Repository, base: string, head: string): readonly Json[] {
  const diff = (format: string): readonly string[] =>
    (repository.store.ask(['diff-tree', '-r', '-z', '--no-renames', format, base, head]) ?? '')
      .split('\0')
      .slice(0, -1);
  const raw = diff('--raw');
  return diff('--numstat')
    .slice(0, MOST_FILES)
    .map((line, index) => {
      const [added = '', deleted = '', filename = ''] = line.split('\t');
      const [, , , sha = '', letter = ''] = (raw[2 * index] ?? '').split(' ');
      const numbers = { additions: Number(added) || 0, deletions: Number(deleted) || 0 };
      const status = WORDS[letter] ?? 'changed';
      const changes = numbers.additions + numbers.deletions;
      return filled('diff-entry', { ...numbers, changes, filename, status, sha: status === 'removed' ? null : sha });
    });
}
