/** The service that hosts pull requests, reduced to the calls that weft makes. Terms of one forge do not appear here. */
export interface Forge {
  /** By its present name, even if it was opened by an older one. */
  readonly repository: Repository;
  readonly defaultBranch: string;
  /** The commit a branch points at; `null` when there is no such branch. */
  readonly headOf: (branch: string) => Promise<string | null>;
  readonly readCommit: (id: string) => Promise<Commit>;
  /** How two commits relate; `commits` are those that only `head` has, the oldest first. */
  readonly compare: (base: string, head: string) => Promise<Comparison>;
  /** One level of a folder: name -> entry. */
  readonly readFolder: (tree: string) => Promise<ReadonlyMap<string, TreeEntry>>;
  /** Every file below a tree by its path; `null` if there are more than one response can contain. */
  readonly listFiles: (tree: string) => Promise<ReadonlyMap<string, TreeEntry> | null>;
  /** In their order. Where the forge can, with one request. */
  readonly readTexts: (blobs: readonly string[]) => Promise<readonly string[]>;
  readonly writeBlob: (text: string) => Promise<string>;
  /** A tree like `base` with some entries added, replaced or removed. */
  readonly writeTree: (base: string, edits: readonly TreeEdit[]) => Promise<string>;
  /** Author and committer are the owner of the token, so that the forge signs the commit. */
  readonly writeCommit: (commit: Omit<Commit, 'id'>) => Promise<string>;
  readonly createBranch: (branch: string, commit: string) => Promise<'created' | 'exists'>;
  /** Without `force`, no commit of the branch is lost. Where the forge can, it moves only from the head that weft has seen. */
  readonly moveBranch: (branch: string, move: BranchMove) => Promise<'moved' | 'not-a-fast-forward' | 'missing'>;
  /** Also if it is already gone. Where the forge can, only with the head that weft has seen: `moved` if it has another one. */
  readonly deleteBranch: (branch: string, head: string) => Promise<'deleted' | 'moved'>;
  /** Whom the forge has recorded as the author of a commit. */
  readonly authorOf: (commit: string) => Promise<Author>;
  /** Open pull requests from a branch of this repository, whatever they are to be merged into. */
  readonly openPulls: (branch: string) => Promise<readonly Pull[]>;
  /** The last commits of the branch in pull requests into `base` that were merged, the newest first. */
  readonly mergedHeads: (branch: string, base: string) => Promise<readonly string[]>;
  /** `nothing-between` when base already has every commit of the branch. */
  readonly createPull: (pull: NewPull) => Promise<Pull | 'nothing-between'>;
  readonly updatePull: (number: number, change: PullChange) => Promise<void>;
  /** A label that does not exist is created. */
  readonly addLabels: (pull: number, labels: readonly string[]) => Promise<void>;
  /** Returns the logins of all who are assigned then: the forge leaves out whoever cannot be. */
  readonly addAssignees: (pull: number, logins: readonly string[]) => Promise<readonly string[]>;
  /** All of them or, if one cannot be asked, nobody. */
  readonly requestReviews: (pull: number, reviewers: Reviewers) => Promise<void>;
  /** The owner of the token; `null` if the token may not read it, as that of GitHub Actions. */
  readonly login: () => Promise<string | null>;
  readonly listComments: (pull: number) => Promise<readonly Comment[]>;
  readonly createComment: (pull: number, body: string, known: (comment: Comment) => boolean) => Promise<Comment>;
  readonly updateComment: (id: number, body: string) => Promise<void>;
  /** Also if it is already gone. */
  readonly deleteComment: (id: number) => Promise<void>;
  /** Removes what the forge keeps on this machine; no call follows. */
  readonly close: () => Promise<void>;
}

/** The half of a forge that any server with git has. */
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
  /** The newest commit that both have. */
  readonly mergeBase: string;
  /** How many commits only `head` has. */
  readonly ahead: number;
  /** How many commits only `base` has. */
  readonly behind: number;
  readonly commits: readonly Commit[];
}

/** A file, or one that can be executed. */
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
  /** The head that weft has seen. */
  readonly from: string;
  readonly to: string;
  readonly force: boolean;
}

export interface Pull {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  /** The branch it is to be merged into. */
  readonly base: string;
  /** Login of who opened it; empty when the account is gone. */
  readonly author: string;
}

export interface NewPull {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  /** Reviews are not asked for yet. */
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
  /** Login of who wrote it; empty when the account is gone. */
  readonly author: string;
  readonly byBot: boolean;
}

/** Forges ignore case in names. */
export const isSameRepository = (a: Repository, b: Repository): boolean =>
  nameOf(a).toLowerCase() === nameOf(b).toLowerCase();

export const nameOf = ({ owner, name }: Repository): string => `${owner}/${name}`;

export const isFolder = ({ mode }: TreeEntry): boolean => mode === '040000';

/** A regular file, executable or not: links and submodules are not. */
export const isFile = ({ mode }: TreeEntry): boolean => mode.startsWith('100');

/** The mode for a new text at a path: an executable file stays one. */
export const fileMode = (entry: TreeEntry | undefined): FileMode => (entry?.mode === '100755' ? '100755' : '100644');
