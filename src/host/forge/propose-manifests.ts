import { type CommitBase, chooseCommitBase, isWeftCommit, pendingCommits, withTrailer } from './commits-of-weft.ts';
import {
  type Edits,
  findEdits,
  isBlobOf,
  linksInTheWay,
  openTree,
  type WantedFiles,
  writeEdits,
  writeSignedOff,
} from './edits.ts';
import { type Comment, type Commit, type Forge, ForgeError, nameOf, type Pull } from './forge.ts';
import { addDetails, type Declined, type PullDetails, sameText } from './markdown-text.ts';
import { upsertComment } from './upsert-comment.ts';

export interface Proposal {
  /** The branch to merge into, and the branch for the commits of weft. */
  readonly base: string;
  readonly branch: string;
  readonly wanted: WantedFiles;
  /** The inputs of the manifests that base must have: path -> text, `null` for no file. */
  readonly inputs: ReadonlyMap<string, string | null>;
  readonly title: string;
  readonly body: string;
  /** The commit message without the line of the digest. */
  readonly message: string;
  /** SHA-256 of the topology, in hex. */
  readonly digest: string;
  /** The path of the topology in the repository, after `owner/name:` if that is another repository. */
  readonly source: string;
  /** True if the topology that an earlier commit of the branch names still exists. */
  readonly isOtherTopology: (source: string) => boolean;
  /** The comment when a pull request is closed. */
  readonly closingComment: string;
  /** True to discard the content of the branch, including commits of others. */
  readonly force: boolean;
  /** True if a new pull request is a draft. */
  readonly isDraft: boolean;
  readonly details: PullDetails;
  /** True if commits end with a sign-off of the token's owner. */
  readonly signsOff: boolean;
  /** True to delete the branch when nothing is left to merge, unless others have commits on it. */
  readonly deletesBranch: boolean;
}

export type Proposed =
  /** Base is up to date. */
  | ({ readonly kind: 'nothing-to-do' } & ClosedProposal)
  /** The inputs in base changed after this run began; a newer run continues. */
  | { readonly kind: 'outdated'; readonly path: string }
  /** Links or submodules of base are at the paths of generated files or of their folders. */
  | { readonly kind: 'blocked'; readonly paths: readonly string[] }
  /** The branch belongs to a pull request into another branch, which a push would also change. */
  | { readonly kind: 'other-base'; readonly pull: Pull }
  /** The branch has the manifests of another topology with the same name. */
  | { readonly kind: 'other-topology'; readonly source: string }
  /** The pull request that edits the topology is closed, and with it the one for its manifests. */
  | ({ readonly kind: 'pull-closed'; readonly number: number } & ClosedProposal)
  /** A person closed the pull request with this plan, and nothing has changed since. */
  | { readonly kind: 'closed-by-hand'; readonly pull: Pull }
  | ({
      readonly kind: 'proposed';
      readonly pull: Pull;
      readonly change: PullOutcome;
      readonly declined: readonly Declined[];
    } & Pushed)
  /** The branch is up to date, but the user must open the pull request. */
  | ({ readonly kind: 'not-opened'; readonly reason: ForgeError } & Pushed);

type PullOutcome = 'opened' | 'refreshed' | 'unchanged';

interface Pushed extends Pick<Edits, 'overwritten' | 'kept'>, Pick<CommitBase, 'conflicts'> {
  /** The new commit; `null` when the branch already had everything. */
  readonly commit: string | null;
  /** The newest commit of the branch. */
  readonly head: string;
}

/** Attempts to push while others move the branch. */
const MAX_ATTEMPTS = 6;

/** Keeps one pull request up to date with the compiled topology, also when called repeatedly or concurrently. */
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
    if (due.edits.length === 0) return { kind: 'nothing-to-do', ...(await close(forge, proposal, base)) };
    const open = await forge.openPulls(proposal.branch);
    const other = open.find((it) => it.base !== proposal.base);
    if (other !== undefined) return { kind: 'other-base', pull: other };
    const declined = open.length > 0 || proposal.force ? undefined : await closedByHand(forge, proposal);
    if (declined !== undefined) return { kind: 'closed-by-hand', pull: declined };
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

const close = (forge: Forge, proposal: Proposal, { id }: Commit): Promise<ClosedProposal> =>
  closeProposal(forge, { ...proposal, base: { branch: proposal.base, head: id } });

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
  if (head !== null && edits.length === 0 && !onto.needsMergeCommit) return { commit: null, head, ...done };
  const tree = await writeEdits(forge, onto.tree.id, edits);
  if (force && head !== null && (await isAlready(forge, head, tree, onto))) return { commit: null, head, ...done };
  const message = withTrailer(proposal.message, proposal);
  const content = { tree, parents: onto.parents, message };
  const commit = proposal.signsOff ? await writeSignedOff(forge, content) : await forge.writeCommit(content);
  // Not every forge compares the head when it moves a branch, so weft compares it right before.
  if (onto.startsOver && (await forge.headOf(branch)) !== head) return 'moved-meanwhile';
  const moved =
    head === null
      ? await forge.createBranch(branch, commit)
      : await forge.moveBranch(branch, { from: head, to: commit, force: force || onto.startsOver });
  return moved === 'created' || moved === 'moved' ? { commit, head: commit, ...done } : 'moved-meanwhile';
}

async function isAlready(forge: Forge, head: string, tree: string, { parents }: CommitBase): Promise<boolean> {
  const commit = await forge.readCommit(head);
  return commit.tree === tree && commit.parents.join() === parents.join();
}

async function proposePull(forge: Forge, proposal: Proposal, pushed: Pushed): Promise<Proposed> {
  const { title, body, branch, base, isDraft } = proposal;
  const open = (await forge.openPulls(branch)).find((it) => it.base === base);
  if (open !== undefined) {
    // The title stays: weft never changes it, so another title is from a user.
    const isSame = sameText(open.body, body);
    if (!isSame) await forge.updatePull(open.number, { body });
    const outcome = isSame && pushed.commit === null ? 'unchanged' : 'refreshed';
    return { kind: 'proposed', pull: { ...open, body }, change: outcome, declined: [], ...pushed };
  }
  try {
    const pull = await forge.createPull({ branch, base, title, body, isDraft });
    if (pull === 'nothing-between') return { kind: 'nothing-to-do', closed: [], branch: 'untouched' };
    const declined = await addDetails(forge, pull, proposal.details);
    return { kind: 'proposed', pull, change: 'opened', declined, ...pushed };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.failure !== 'pulls-not-permitted') throw error;
    return { kind: 'not-opened', reason: error, ...pushed };
  }
}

/**
 * The last pull request, if a person closed it and its text, with the plan, is the same. weft leaves a comment on those
 * that it closes itself.
 */
async function closedByHand(forge: Forge, { branch, base, body }: Proposal): Promise<Pull | undefined> {
  const last = await forge.lastDeclined(branch, base);
  if (last === null || !sameText(last.body, body)) return undefined;
  const isClosing = ({ body: text }: Comment): boolean => text.split(/\r?\n/, 1)[0]?.trim() === CLOSED;
  return (await forge.listComments(last.number)).some(isClosing) ? undefined : last;
}

/** The first line of the comment when weft closes a pull request. */
const CLOSED = '<!-- weft:closed -->';

interface FinishedBranch {
  /** The branch to merge into, with its newest commit; `null` when it is gone. */
  readonly base: { readonly branch: string; readonly head: string | null };
  readonly branch: string;
  readonly closingComment: string;
  readonly deletesBranch: boolean;
}

interface ClosedProposal {
  readonly closed: readonly Pull[];
  readonly branch: BranchAfterwards;
}

export type BranchAfterwards =
  /** Its deletion was not requested, or there is no branch. */
  | 'untouched'
  | 'deleted'
  /** It has unmerged commits that weft did not make. */
  | 'has-other-commits'
  /** Another pull request merges it into another branch. */
  | 'has-other-pull';

/** Closes the pull requests of a proposal that nothing is left to merge of, and deletes its branch on request. */
export async function closeProposal(forge: Forge, finished: FinishedBranch): Promise<ClosedProposal> {
  const closed = await closePulls(forge, finished);
  return { closed, branch: finished.deletesBranch ? await deleteBranch(forge, finished) : 'untouched' };
}

async function closePulls(forge: Forge, { branch, base, closingComment }: FinishedBranch): Promise<readonly Pull[]> {
  const open = (await forge.openPulls(branch)).filter((it) => it.base === base.branch);
  for (const { number } of open) {
    await forge.updatePull(number, { state: 'closed' });
    const isMarker = (line: string): boolean => line === CLOSED;
    await upsertComment(forge, { pull: number, marker: CLOSED, isMarker, body: closingComment });
  }
  return open;
}

async function deleteBranch(forge: Forge, { branch, base }: FinishedBranch): Promise<BranchAfterwards> {
  const head = await forge.headOf(branch);
  if (head === null || base.head === null) return 'untouched';
  if ((await forge.openPulls(branch)).length > 0) return 'has-other-pull';
  const compared = await forge.compare(base.head, head);
  const { commits } = pendingCommits(compared, await forge.mergedHeads(branch, base.branch));
  if (!commits.every(isWeftCommit)) return 'has-other-commits';
  // Not every forge compares the head when it deletes a branch, so weft compares it right before.
  if ((await forge.headOf(branch)) !== head) return 'has-other-commits';
  return (await forge.deleteBranch(branch, head)) === 'deleted' ? 'deleted' : 'has-other-commits';
}
