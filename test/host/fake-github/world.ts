import type { JsonObject } from './description.ts';
import type { GitStore } from './git-store.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type Access = 'none' | 'read' | 'write';

/** The owner of a token. A bot is the token of GitHub Actions, which a GitHub App hands out. */
export interface Account {
  readonly login: string;
  readonly id: number;
  readonly kind: 'user' | 'bot';
  readonly token: string;
  /** `owner/name` -> what the token may do there; `*` is for every repository that is not named. */
  readonly grants: Readonly<Record<string, Grant>>;
}

/** The `permissions:` of a workflow. */
export interface Grant {
  readonly contents: Access;
  /** The comments of a pull request are reached with this, too. */
  readonly pulls: Access;
}

/** The protection of a branch: the messages of GitHub differ between the two kinds. */
export type Guard = 'protected-branch' | 'ruleset';

export interface Repository {
  readonly owner: string;
  name: string;
  /** Full names that it had before, which GitHub redirects. */
  readonly formerNames: string[];
  readonly id: number;
  readonly isPrivate: boolean;
  readonly defaultBranch: string;
  /** The one that it was forked from; forks share their objects. */
  readonly parent: Repository | null;
  readonly store: GitStore;
  readonly pulls: Pull[];
  readonly comments: Comment[];
  readonly guards: Map<string, Guard>;
  /** Commits that GitHub signed. */
  readonly signed: Set<string>;
  /** "Allow GitHub Actions to create and approve pull requests". */
  actionsMayOpenPulls: boolean;
  /** True if its plan has drafts. */
  hasDrafts: boolean;
  /** The slugs of the teams with access. */
  readonly teams: readonly string[];
}

export interface Pull {
  readonly number: number;
  readonly id: number;
  readonly author: Account;
  readonly head: { readonly repository: Repository; readonly branch: string };
  /** The last known head; a closed pull request keeps it. */
  headSha: string;
  base: string;
  baseSha: string;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  mergedAt: string | null;
  closedAt: string | null;
  readonly createdAt: string;
  updatedAt: string;
  readonly isDraft: boolean;
  readonly labels: string[];
  readonly assignees: string[];
  /** Logins, and slugs of teams. */
  readonly reviewers: string[];
}

export interface Comment {
  readonly id: number;
  readonly pull: number;
  readonly author: Account;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  minimized: boolean;
}

/** Settings of a test. */
export interface Settings {
  /** The refusal of a tree of more than 100 entries or about 1 MB; `never` takes it. */
  largeTrees: 'never' | 'bad-gateway' | 'timeout';
  /** The number of entries above which a recursive listing is `truncated`. */
  treeEntries: number;
  /** Writes of one token within a minute before the secondary limit; GitHub documents 80 that create content. */
  writesPerMinute: number;
  /** The answer to a write to a repository by a former name: only 307 makes a client send its body again. */
  redirectOfWrites: 301 | 307;
  /** True if a pull request ends when base has all of its commits: GitHub closes it, Gitea leaves it open and empty. */
  closesEmptyPulls: boolean;
  /** The duration of an answer on the virtual clock. */
  latencyMilliseconds: number;
}

export interface World {
  readonly clock: VirtualClock;
  readonly settings: Settings;
  readonly accounts: Account[];
  readonly repositories: Repository[];
  /** One count for everything that has an id. */
  readonly nextId: () => number;
}

/** One request on its way to a handler; who it is from and what it may do is settled. */
export interface Call {
  readonly world: World;
  /** `null` for the few calls that name no repository. */
  readonly repository: Repository | null;
  readonly caller: Account | null;
  /** The unchanged query, for links to other pages. */
  readonly rawPath: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** It has passed its schema. */
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: JsonObject | readonly JsonObject[] | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const fullName = ({ owner, name }: { readonly owner: string; readonly name: string }): string =>
  `${owner}/${name}`;

export function repositoryOf({ repository }: Call): Repository {
  if (repository === null) throw new Error('the call names no repository');
  return repository;
}

export function callerOf({ caller }: Call): Account {
  if (caller === null) throw new Error('nobody is signed in');
  return caller;
}

/** GitHub does not care about capitals in names. */
export const findRepository = ({ repositories }: World, name: string): Repository | undefined =>
  repositories.find((it) => fullName(it).toLowerCase() === name.toLowerCase());
