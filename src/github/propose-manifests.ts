import { type CommitBase, chooseCommitBase } from './choose-commit-base.ts';
import { type Edits, findEdits } from './find-edits.ts';
import { type Commit, type Forge, nameOf, type Pull } from './forge.ts';
import { ForgeError } from './forge-error.ts';
import { isBlobOf } from './is-blob-of.ts';
import { linksInTheWay } from './links-in-the-way.ts';
import { openTree } from './open-tree.ts';
import { sameText } from './same-text.ts';
import { withTrailer } from './trailer.ts';
import { upsertComment } from './upsert-comment.ts';
import type { WantedFiles } from './wanted-files.ts';
import { writeEdits } from './write-edits.ts';

export interface Proposal {
  /** The branch to merge into, and the branch for the commits of weft. */
  readonly base: string;
  readonly branch: string;
  readonly wanted: WantedFiles;
  /** The inputs of the manifests, as they must be on base: path -> text, `null` for no file. */
  readonly inputs: ReadonlyMap<string, string | null>;
  readonly title: string;
  readonly body: string;
  /** Of the commit, without the line of the digest. */
  readonly message: string;
  /** SHA-256 of the topology, in hex. */
  readonly digest: string;
  /** Which topology: its path in the repository, after `owner/name:` if that is another repository. */
  readonly source: string;
  /** Whether there still is a topology that an earlier commit of the branch names. */
  readonly isOtherTopology: (source: string) => boolean;
  /** The comment on a pull request that is closed. */
  readonly closingComment: string;
  /** Discard the content of the branch, including commits of others. */
  readonly force: boolean;
}

export type Proposed =
  /** Base is up to date. */
  | { readonly kind: 'nothing-to-do'; readonly closed: readonly Pull[] }
  /** Base has other inputs than this run compiled; a newer run continues. */
  | { readonly kind: 'outdated'; readonly path: string }
  /** Links or submodules are at these paths of base, where generated files or their folders belong. */
  | { readonly kind: 'blocked'; readonly paths: readonly string[] }
  /** The branch belongs to a pull request into another branch: a push would change that one, too. */
  | { readonly kind: 'other-base'; readonly pull: Pull }
  /** The branch has the manifests of another topology, which has the same name. */
  | { readonly kind: 'other-topology'; readonly source: string }
  | ({ readonly kind: 'proposed'; readonly pull: Pull; readonly change: PullOutcome } & Pushed)
  /** The branch is up to date, but a person must open the pull request. */
  | ({ readonly kind: 'not-opened'; readonly reason: ForgeError } & Pushed);

type PullOutcome = 'opened' | 'refreshed' | 'unchanged';

interface Pushed extends Pick<Edits, 'overwritten' | 'kept'>, Pick<CommitBase, 'conflicts'> {
  /** The new commit; `null` when the branch already had everything. */
  readonly commit: string | null;
}

/** Attempts to push while others move the branch. */
const MAX_ATTEMPTS = 6;

/** Keeps one pull request equal to the compiled topology, also if it is called repeatedly and concurrently. */
export async function proposeManifests(forge: Forge, proposal: Proposal): Promise<Proposed> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const base = await headCommit(forge, proposal.base);
    const baseTree = await openTree(forge, base.tree);
    for (const [path, text] of proposal.inputs) {
      const there = (await baseTree.entryAt(path))?.id;
      const isSame = there === undefined ? text === null : text !== null && (await isBlobOf(there, text));
      if (!isSame) return { kind: 'outdated', path };
    }
    const paths = await linksInTheWay(baseTree, proposal.wanted);
    if (paths.length > 0) return { kind: 'blocked', paths };
    const due = await findEdits(forge, baseTree, proposal.wanted, null);
    if (due.edits.length === 0) return { kind: 'nothing-to-do', closed: await closePulls(forge, proposal) };
    const other = (await forge.openPulls(proposal.branch)).find((it) => it.base !== proposal.base);
    if (other !== undefined) return { kind: 'other-base', pull: other };
    const pushed = await push(forge, proposal, base);
    if (pushed === 'moved-meanwhile') continue;
    return 'kind' in pushed ? pushed : proposePull(forge, proposal, pushed);
  }
  throw new ForgeError('refused', {
    operation: `push to ${proposal.branch}`,
    reason: `others moved it ${MAX_ATTEMPTS} times in a row`,
    status: 0,
    hint: 'run it again when the other runs are done, or set a concurrency group in the workflow',
  });
}

async function headCommit(forge: Forge, branch: string): Promise<Commit> {
  const head = await forge.headOf(branch);
  if (head !== null) return forge.readCommit(head);
  throw new ForgeError('not-found', {
    operation: `read the branch ${branch} of ${nameOf(forge.repository)}`,
    reason: 'it does not exist, or the token may not read it',
    status: 0,
    hint: 'name the branch to merge into with --into, and check the permissions of the token',
  });
}

type PushResult = Pushed | 'moved-meanwhile' | Extract<Proposed, { kind: 'other-topology' }>;

/** Makes at most one commit and moves the branch at most once. */
async function push(forge: Forge, proposal: Proposal, base: Commit): Promise<PushResult> {
  const { branch, wanted, force } = proposal;
  const head = await forge.headOf(branch);
  const heads = { base, baseName: proposal.base, branchName: branch, head, force };
  const onto = await chooseCommitBase(forge, heads, wanted);
  const { source } = onto;
  if (source !== null && source !== proposal.source && proposal.isOtherTopology(source))
    return { kind: 'other-topology', source };
  const { edits, overwritten, kept } = await findEdits(forge, onto.tree, wanted, onto.branch);
  const done = { overwritten, kept, conflicts: onto.conflicts };
  if (edits.length === 0 && !onto.needsMergeCommit) return { commit: null, ...done };
  const tree = await writeEdits(forge, onto.tree.id, edits);
  if (force && head !== null && (await isAlready(forge, head, tree, onto))) return { commit: null, ...done };
  const message = withTrailer(proposal.message, proposal);
  const commit = await forge.writeCommit({ tree, parents: onto.parents, message });
  // GitHub cannot move a branch on the condition that nobody else has, so weft looks again right before it does.
  if (onto.startsOver && (await forge.headOf(branch)) !== head) return 'moved-meanwhile';
  const moved =
    head === null
      ? await forge.createBranch(branch, commit)
      : await forge.moveBranch(branch, { to: commit, force: force || onto.startsOver });
  return moved === 'created' || moved === 'moved' ? { commit, ...done } : 'moved-meanwhile';
}

async function isAlready(forge: Forge, head: string, tree: string, { parents }: CommitBase): Promise<boolean> {
  const commit = await forge.readCommit(head);
  return commit.tree === tree && commit.parents.join() === parents.join();
}

async function proposePull(forge: Forge, proposal: Proposal, pushed: Pushed): Promise<Proposed> {
  const { title, body, branch, base } = proposal;
  const open = (await forge.openPulls(branch)).find((it) => it.base === base);
  if (open !== undefined) {
    // The title stays: it never changes by itself, so another one is what a person has made of it.
    const isSame = sameText(open.body, body);
    if (!isSame) await forge.updatePull(open.number, { body });
    const outcome = isSame && pushed.commit === null ? 'unchanged' : 'refreshed';
    return { kind: 'proposed', pull: { ...open, body }, change: outcome, ...pushed };
  }
  try {
    const pull = await forge.createPull({ branch, base, title, body });
    if (pull === 'nothing-between') return { kind: 'nothing-to-do', closed: [] };
    return { kind: 'proposed', pull, change: 'opened', ...pushed };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.failure !== 'pulls-not-permitted') throw error;
    return { kind: 'not-opened', reason: error, ...pushed };
  }
}

/** The branch stays: no call deletes a branch on the condition that it has no new commits. */
async function closePulls(forge: Forge, { branch, base, closingComment }: Proposal): Promise<readonly Pull[]> {
  const open = (await forge.openPulls(branch)).filter((it) => it.base === base);
  for (const { number } of open) {
    await forge.updatePull(number, { state: 'closed' });
    const marker = '<!-- weft:closed -->';
    await upsertComment(forge, { pull: number, marker, isMarker: (line) => line === marker, body: closingComment });
  }
  return open;
}
