import type { Forge, TreeEdit } from '../forge/forge.ts';
import type { GitHub } from './ask-github.ts';

type CommitWriter = Pick<
  Forge,
  'writeBlob' | 'writeTree' | 'writeCommit' | 'createBranch' | 'moveBranch' | 'deleteBranch'
>;

/** Trees, commits and the branches that point at them. */
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
  // Never `sha` and `content` together: GitHub refuses that.
  if (edit.kind === 'write') return { path, mode: edit.mode, type: 'blob', content: edit.text } as const;
  const mode = (edit.kind === 'put' ? edit.entry.mode : edit.mode) as Mode;
  const type = mode === '040000' || mode === '160000' ? TYPES[mode] : 'blob';
  return { path, mode, type, sha: edit.kind === 'put' ? edit.entry.id : null } as const;
}
