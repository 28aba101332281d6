/** The service that hosts pull requests, reduced to the calls that weft makes. Terms of one forge do not appear here. */
export interface Forge {
  /** The repository by its present name, even if it was opened by an older one. */
  readonly repository: Repository;
  readonly defaultBranch: string;
  /** The newest commit of a branch; `null` without such a branch. */
  readonly headOf: (branch: string) => Promise<string | null>;
  readonly readCommit: (id: string) => Promise<Commit>;
  /** Compares two commits; `commits` are those that only `head` has, the oldest first. */
  readonly compare: (base: string, head: string) => Promise<Comparison>;
  /** The entries of a folder by name, without those of its folders. */
  readonly readFolder: (tree: string) => Promise<ReadonlyMap<string, TreeEntry>>;
  /** Every file below a tree by its path; `null` if they exceed one response. */
  readonly listFiles: (tree: string) => Promise<ReadonlyMap<string, TreeEntry> | null>;
  /** Returns the texts in the order of the blobs, by one request if the forge supports it. */
  readonly readTexts: (blobs: readonly string[]) => Promise<readonly string[]>;
  readonly writeBlob: (text: string) => Promise<string>;
  /** Writes a tree like `base` with some entries added, replaced or removed. */
  readonly writeTree: (base: string, edits: readonly TreeEdit[]) => Promise<string>;
  /** Author and committer are the owner of the token, so that the forge signs the commit. */
  readonly writeCommit: (commit: Omit<Commit, 'id'>) => Promise<string>;
  readonly createBranch: (branch: string, commit: string) => Promise<'created' | 'exists'>;
  /** Moves a branch; without `force`, loses no commit. If the forge supports it, compares the head that weft read. */
  readonly moveBranch: (branch: string, move: BranchMove) => Promise<'moved' | 'not-a-fast-forward' | 'missing'>;
  /** Deletes a branch, which may be gone already. Returns `moved` for another head, if the forge compares it. */
  readonly deleteBranch: (branch: string, head: string) => Promise<'deleted' | 'moved'>;
  /** Returns the author of a commit as the forge recorded it. */
  readonly authorOf: (commit: string) => Promise<Author>;
  /** Open pull requests from a branch of this repository into any branch. */
  readonly openPulls: (branch: string) => Promise<readonly Pull[]>;
  /** The last commits of the branch in merged pull requests into `base`, the newest first. */
  readonly mergedHeads: (branch: string, base: string) => Promise<readonly string[]>;
  /** The newest pull request of the branch into `base` that is not open; `null` if it was merged, or if there is none. */
  readonly lastDeclined: (branch: string, base: string) => Promise<Pull | null>;
  /** Returns `nothing-between` when base already has every commit of the branch. */
  readonly createPull: (pull: NewPull) => Promise<Pull | 'nothing-between'>;
  readonly updatePull: (number: number, change: PullChange) => Promise<void>;
  /** Adds labels, and creates missing ones. */
  readonly addLabels: (pull: number, labels: readonly string[]) => Promise<void>;
  /** Returns the logins of all assignees afterwards; the forge ignores invalid ones. */
  readonly addAssignees: (pull: number, logins: readonly string[]) => Promise<readonly string[]>;
  /** Requests a review from all of them, or from none if one is invalid. */
  readonly requestReviews: (pull: number, reviewers: Reviewers) => Promise<void>;
  /** The owner of the token; `null` if the token may not read it, like that of GitHub Actions. */
  readonly login: () => Promise<string | null>;
  readonly listComments: (pull: number) => Promise<readonly Comment[]>;
  readonly createComment: (pull: number, body: string, known: (comment: Comment) => boolean) => Promise<Comment>;
  readonly updateComment: (id: number, body: string) => Promise<void>;
  /** Deletes a comment, which may be gone already. */
  readonly deleteComment: (id: number) => Promise<void>;
  /** Removes temporary files from this machine; no call follows. */
  readonly close: () => Promise<void>;
}

/** The part of a forge that any git server can provide. */
export type ForgeContent = Pick<
  Forge,
  | ('headOf' | 'readCommit' | 'compare' | 'readFolder' | 'listFiles' | 'readTexts' | 'writeBlob' | 'writeTree')
  | ('writeCommit' | 'createBranch' | 'moveBranch' | 'deleteBranch' | 'authorOf' | 'close')
>;

export interface Repository {
  readonly owner: string;
  readonly name: string;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export interface Comparison {
  /** The newest common commit. */
  readonly mergeBase: string;
  /** The number of commits that only `head` has. */
  readonly ahead: number;
  /** The number of commits that only `base` has. */
  readonly behind: number;
  readonly commits: readonly Commit[];
}

/** The modes of a regular and of an executable file. */
type FileMode = '100644' | '100755';

/** `mode` as git writes it: 100644 file, 100755 program, 120000 link, 160000 submodule, 040000 folder. */
export interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

export type TreeEdit =
  | { readonly kind: 'write'; readonly path: string; readonly text: string; readonly mode: FileMode }
  | { readonly kind: 'put'; readonly path: string; readonly entry: TreeEntry }
  | { readonly kind: 'delete'; readonly path: string; readonly mode: string };

interface BranchMove {
  /** The head that weft read. */
  readonly from: string;
  readonly to: string;
  readonly force: boolean;
}

export interface Pull {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  /** The branch to merge into. */
  readonly base: string;
  /** Login of its author; empty when the account was deleted. */
  readonly author: string;
}

export interface NewPull {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  /** True for a draft, for which reviews are not requested yet. */
  readonly isDraft: boolean;
}

/** People by their logins, and teams of the organization by their slugs. */
export interface Reviewers {
  readonly people: readonly string[];
  readonly teams: readonly string[];
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

interface PullChange {
  readonly body?: string;
  readonly state?: 'closed';
}

export interface Comment {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  /** Login of its author; empty when the account was deleted. */
  readonly author: string;
  readonly byBot: boolean;
}

/** Compares repositories; forges ignore case in names. */
export const isSameRepository = (a: Repository, b: Repository): boolean =>
  nameOf(a).toLowerCase() === nameOf(b).toLowerCase();

export const nameOf = ({ owner, name }: Repository): string => `${owner}/${name}`;

export const isFolder = ({ mode }: TreeEntry): boolean => mode === '040000';

/** True for a regular file, executable or not; false for links and submodules. */
export const isFile = ({ mode }: TreeEntry): boolean => mode.startsWith('100');

/** The mode for a new text at a path; an executable file keeps its mode. */
export const fileMode = (entry: TreeEntry | undefined): FileMode => (entry?.mode === '100755' ? '100755' : '100644');

/** Why a request failed. Forges use the same few status codes for most of these. */
export type ForgeFailure =
  | 'not-signed-in' //     the token is unknown or has expired
  | 'not-permitted' //     the token may not do this
  | 'pulls-not-permitted' // the repository forbids pull requests by this token
  | 'protected' //         a rule of the repository protects the branch
  | 'not-found' //         absent, or hidden from this token
  | 'empty' //             a repository without a commit
  | 'limited' //           too many requests, and the wait is longer than a job should sleep
  | 'too-large' //         one request contained too much
  | 'unreachable' //       no answer, or an incomplete one
  | 'refused'; //          anything else

/** A forge refused a request, or did not respond. It is no bug: `front/` prints it, and the exit code is 2. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  readonly failure: ForgeFailure;
  readonly hint: string;
  /** HTTP status code; 0 without a response. */
  readonly status: number;
  /** The message of the forge. */
  readonly reason: string;

  constructor(failure: ForgeFailure, { operation, reason, status, hint }: ForgeErrorDetails) {
    super(`cannot ${operation}: ${reason}${status === 0 ? '' : ` (${status})`}`);
    this.failure = failure;
    this.hint = hint;
    this.status = status;
    this.reason = reason;
  }
}

interface ForgeErrorDetails {
  /** The failed operation, worded to follow "cannot". */
  readonly operation: string;
  readonly reason: string;
  readonly status: number;
  readonly hint: string;
}

/** The terms of a forge. Every message that names one of these takes it from here. */
export interface ForgeTerms {
  /** The name of the forge: `GitHub`. */
  readonly name: string;
  readonly pull: 'pull request' | 'merge request';
  /** Before the number of one. */
  readonly mark: '#' | '!';
  /** The queue in which requests wait until they are merged one after the other. */
  readonly queue: 'merge queue' | 'merge train';
  /** The variables for its token. */
  readonly token: `WEFT_TOKEN or ${string}`;
}

/** The terms of a forge, and advice for its users. */
export interface ForgeWords extends ForgeTerms {
  /** Below a proposal: why its checks may not start; empty where they do. */
  readonly checksNote: string;
  /** Advice for declined labels; `teamsHint` for declined teams. */
  readonly labelsHint: string;
  readonly teamsHint: string;
}

/** The terms of GitHub, which are also those of messages about no forge. */
export const GITHUB_TERMS: ForgeTerms = {
  name: 'GitHub',
  pull: 'pull request',
  mark: '#',
  queue: 'merge queue',
  token: 'WEFT_TOKEN or GITHUB_TOKEN',
};
