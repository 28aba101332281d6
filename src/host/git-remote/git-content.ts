import type { ForgeContent } from '../forge/forge.ts';
import { pushBranches, readCommits, writeGitCommits } from './commits.ts';
import { type GitRemote, gitRemote } from './git-remote.ts';
import type { RemoteRepository } from './temporary-repository.ts';
import { readTrees, writeTrees } from './trees.ts';

type Calls = Omit<ForgeContent, 'close'>;

/**
 * The content part of a forge, implemented with git: commits are created in a temporary repository and pushed. The
 * repository is created by the first call that needs it.
 */
export function gitContent(remote: RemoteRepository, env: Readonly<Record<string, string | undefined>>): ForgeContent {
  let opened: Promise<{ readonly calls: Calls; readonly remove: () => Promise<void> }> | undefined;
  const open = async () => {
    const git = await gitRemote(remote, env);
    return { calls: callsOf(git), remove: git.remove };
  };
  const calls = async (): Promise<Calls> => {
    opened ??= open();
    return (await opened).calls;
  };
  return {
    headOf: async (branch) => (await calls()).headOf(branch),
    readCommit: async (id) => (await calls()).readCommit(id),
    compare: async (base, head) => (await calls()).compare(base, head),
    readFolder: async (tree) => (await calls()).readFolder(tree),
    listFiles: async (tree) => (await calls()).listFiles(tree),
    readTexts: async (blobs) => (await calls()).readTexts(blobs),
    writeBlob: async (text) => (await calls()).writeBlob(text),
    writeTree: async (base, edits) => (await calls()).writeTree(base, edits),
    writeCommit: async (commit) => (await calls()).writeCommit(commit),
    createBranch: async (branch, commit) => (await calls()).createBranch(branch, commit),
    moveBranch: async (branch, move) => (await calls()).moveBranch(branch, move),
    deleteBranch: async (branch, head) => (await calls()).deleteBranch(branch, head),
    authorOf: async (commit) => (await calls()).authorOf(commit),
    close: async () => {
      const known = opened;
      opened = undefined;
      // A repository that could not be opened has removed itself.
      await (await known?.catch(() => undefined))?.remove();
    },
  };
}

function callsOf(git: GitRemote): Calls {
  const commits = readCommits(git);
  const trees = readTrees(git);
  return {
    ...commits,
    ...trees,
    ...writeTrees(git, trees),
    ...writeGitCommits(git),
    ...pushBranches(git, commits.headOf),
  };
}
