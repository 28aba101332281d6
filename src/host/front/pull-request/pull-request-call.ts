import type { LiveRequest } from '../../app/live-sources.ts';
import type { Origin } from '../../app/manifests.ts';
import type { PullSettings } from '../../app/open-pull-request.ts';
import type { PlanRequest } from '../../app/plan-fleet.ts';
import { hasTrailer } from '../../forge/commits-of-weft.ts';
import type { ForgeWords, Repository } from '../../forge/forge.ts';
import { liveSources, type PlanTexts, planRequest } from '../argument-values.ts';
import { CommandFailure } from '../command-failure.ts';
import type { ActionsContext } from './actions-context.ts';

/** The modes of `weft pr`, in the order in which the Action runs them. */
export const PULL_REQUEST_MODES = ['check', 'comment', 'open'] as const;

export type PullRequestMode = (typeof PULL_REQUEST_MODES)[number];

/** The settings of the user, from options of `weft pr` or from inputs of the Action. */
export interface PullRequestTexts extends PlanTexts, PullSettingTexts {
  readonly mode: PullRequestMode;
  readonly topology: string | undefined;
  /** True for every topology of a folder, each with bundles in a folder of its own. */
  readonly all: boolean;
  /** One of `FORGE_KINDS`; by default the environment or the clone decides. */
  readonly forge: string | undefined;
  /** `owner/name`. */
  readonly repository: string | undefined;
  readonly pullRequest: string | undefined;
  readonly into: string | undefined;
  readonly branch: string | undefined;
  readonly author: string | undefined;
  readonly planJson: string | undefined;
  readonly diff: string | undefined;
  readonly report: string | undefined;
  readonly current: boolean;
  readonly force: boolean;
  readonly planId: string | undefined;
  /** The folder with the states of a change, and the clusters that have to be as the present one has them. */
  readonly stage?: string | undefined;
  readonly live?: readonly string[];
  readonly context?: readonly string[];
}

/** The settings of one run of `weft pr`: those of the user have priority over those of GitHub Actions. */
export interface PullRequestCall {
  readonly mode: PullRequestMode;
  readonly plan: PlanRequest;
  /** The repository that pull requests belong to. */
  readonly repository: Repository | null;
  /** The repository of the topology, if known. */
  readonly home: Repository | null;
  /** The pull request to comment on. */
  readonly pull: number | null;
  readonly origin: Origin;
  /** The branch to merge into, and the one to push to. */
  readonly into: string | undefined;
  readonly branch: string | undefined;
  readonly author: string | undefined;
  readonly planFile: string | undefined;
  readonly diffFolder: string | undefined;
  /** The folder for the page of the fleet. */
  readonly reportFolder: string | undefined;
  /** The states of a change, of which the next one is proposed; `null` for what is in the working folder. */
  readonly stage: (LiveRequest & { readonly folder: string }) | null;
  /** Fail when bundles or lock are not current. */
  readonly current: boolean;
  readonly force: boolean;
  readonly settings: PullSettings;
  /** The id of the plan that was reviewed. */
  readonly reviewedPlan: string | undefined;
  readonly token: string | undefined;
  readonly words: ForgeWords;
  readonly openPage: OpenPage;
}

/** The page on which a person opens a pull request. */
export type OpenPage = (
  serverUrl: string,
  repository: Repository,
  branches: { readonly base: string; readonly branch: string },
) => string;

/** The settings that depend on the forge. */
interface CalledForge extends Pick<PullRequestCall, 'words' | 'openPage' | 'token'> {
  /** True if a repository may be in nested groups. */
  readonly hasGroups: boolean;
}

export function pullRequestCall(
  texts: PullRequestTexts,
  context: ActionsContext,
  { hasGroups, ...forge }: CalledForge,
): PullRequestCall {
  const repository = texts.repository ?? context.repository;
  return {
    mode: texts.mode,
    plan: planRequest(texts.topology, { ...texts, base: texts.base ?? eventBase(texts, context) }),
    repository: repository === undefined ? null : parseRepository(repository, hasGroups),
    home: context.repository === undefined ? null : parseRepository(context.repository, hasGroups),
    pull: pullNumber(texts.pullRequest, forge.words) ?? context.origin.pull?.number ?? null,
    origin: context.origin,
    into: branchIn(texts.into, 'into'),
    branch: branchIn(texts.branch, 'branch'),
    author: texts.author,
    planFile: texts.planJson,
    diffFolder: texts.diff,
    // `open` has no commit to compare with.
    reportFolder: texts.mode === 'open' ? undefined : texts.report,
    stage: stageOf(texts),
    current: texts.current,
    force: texts.force,
    settings: pullSettings(texts),
    reviewedPlan: reviewedPlan(texts.planId, forge.words),
    ...forge,
  };
}

function stageOf({ mode, all, stage, live = [], context = [] }: PullRequestTexts): PullRequestCall['stage'] {
  if (stage === undefined) {
    if (live.length + context.length === 0) return null;
    throw new CommandFailure('--live and --context need --stage', 'name the folder with the states of the change');
  }
  if (mode !== 'open') throw new CommandFailure(`--stage is of weft pr open, not of weft pr ${mode}`);
  if (all) throw new CommandFailure('--all and --stage exclude each other', 'run it for each topology');
  return { folder: stage.replace(/(?<=.)\/+$/, ''), ...liveSources({ live, context }) };
}

/** A pull request is compared with the branch it is merged into; `weft pr open` with the files on disk. */
const eventBase = ({ mode, baseDir }: PullRequestTexts, { baseCommit }: ActionsContext): string | undefined =>
  mode === 'open' || baseDir !== undefined ? undefined : baseCommit;

function parseRepository(name: string, hasGroups: boolean): Repository {
  const pattern = hasGroups ? /^([\w.-]+(?:\/[\w.-]+)*)\/([\w.-]+)$/ : /^([\w.-]+)\/([\w.-]+)$/;
  const [, owner, repo] = pattern.exec(name) ?? [];
  if (owner !== undefined && repo !== undefined) return { owner, name: repo };
  const hint = hasGroups ? 'write it as GROUP/NAME, with all groups that it is in' : 'write it as OWNER/NAME';
  throw new CommandFailure(`"${name}" is not a repository`, hint);
}

/** A name that git accepts for a branch. Source: git, Documentation/git-check-ref-format. */
function branchIn(name: string | undefined, flag: string): string | undefined {
  const isWrong =
    name !== undefined && /^[-/]|[/.]$|[\p{Cc} ~^:?*[\\]|\.\.|\/\/|@\{|^@$|(^|\/)\.|\.lock(\/|$)/u.test(name);
  if (!isWrong) return name;
  throw new CommandFailure(`"${name}" in --${flag} is not the name of a branch`, 'name one branch, as git accepts it');
}

function reviewedPlan(given: string | undefined, { pull }: ForgeWords): string | undefined {
  if (given === undefined || /^[0-9a-f]{32}$/.test(given)) return given;
  throw new CommandFailure(`"${given}" is not the id of a plan`, `copy the 32 characters below the plan of a ${pull}`);
}

function pullNumber(given: string | undefined, { pull }: ForgeWords): number | undefined {
  if (given === undefined) return undefined;
  if (/^[#!]?[1-9]\d{0,9}$/.test(given)) return Number(given.replace(/^[#!]/, ''));
  throw new CommandFailure(`"${given}" is not the number of a ${pull}`);
}

/** The user's settings of the pull request with the manifests. Commas or line breaks separate the names of a list. */
interface PullSettingTexts {
  readonly title: string | undefined;
  readonly bodyPrefix: string | undefined;
  readonly commitMessage: string | undefined;
  readonly labels: string | undefined;
  readonly reviewers: string | undefined;
  readonly teamReviewers: string | undefined;
  readonly assignees: string | undefined;
  readonly draft: boolean;
  readonly deleteBranch: boolean;
  readonly signoff: boolean;
}

/** Characters that GitHub accepts. Source: renovatebot/renovate#2032 (title); docs.github.com, "Managing labels" (label). */
const MAX_TITLE_CHARACTERS = 256;
const MAX_LABEL_CHARACTERS = 50;
/** Characters; the plan below it needs the rest of the body. */
const MAX_PREFIX_CHARACTERS = 10_000;
/** Source: docs.github.com, REST, "Add assignees to an issue". */
const MAX_ASSIGNEES = 10;

export function pullSettings(texts: PullSettingTexts): PullSettings {
  const assignees = loginsIn(texts, 'assignees');
  if (assignees.length > MAX_ASSIGNEES)
    throw new CommandFailure(`--assignees has ${assignees.length} names`, `GitHub assigns at most ${MAX_ASSIGNEES}`);
  return {
    title: titleIn(texts.title),
    bodyPrefix: prefixIn(texts.bodyPrefix),
    commitMessage: messageIn(texts.commitMessage),
    isDraft: texts.draft,
    deletesBranch: texts.deleteBranch,
    signsOff: texts.signoff,
    details: {
      labels: namesIn(texts.labels).map(labelIn),
      assignees,
      people: loginsIn(texts, 'reviewers'),
      teams: namesIn(texts.teamReviewers).map(teamIn),
    },
  };
}

/** The names of a list, without duplicates. */
function namesIn(text: string | undefined): readonly string[] {
  const names = (text ?? '').split(text?.trim().includes('\n') ? /\r?\n/ : ',').map((it) => it.trim());
  return [...new Set(names)].filter((it) => it !== '');
}

function labelIn(label: string): string {
  if ([...label].length <= MAX_LABEL_CHARACTERS) return label;
  throw new CommandFailure(
    `the label "${label}" is longer than ${MAX_LABEL_CHARACTERS} characters`,
    'write the names of --labels one a line, or with commas between them',
  );
}

/** The logins of a list. Those of a company end with an underscore and its short name, those of an App with `[bot]`. */
function loginsIn(texts: PullSettingTexts, flag: 'reviewers' | 'assignees'): readonly string[] {
  const logins = namesIn(texts[flag]).map((name) => {
    const [, login] = /^@?([a-z\d](?:[\w-]*[a-z\d])?(?:\[bot\])?)$/i.exec(name) ?? [];
    if (login !== undefined) return login;
    throw new CommandFailure(`"${name}" in --${flag} is not a login`, 'write logins, and teams in --team-reviewers');
  });
  return [...new Set(logins)];
}

function teamIn(name: string): string {
  if (/^[a-z\d][\w-]*$/i.test(name)) return name;
  throw new CommandFailure(
    `"${name}" in --team-reviewers is not the slug of a team`,
    'write the last part of its address, without the organization: "network" for acme/network',
  );
}

function titleIn(title: string | undefined): string | undefined {
  if (title === undefined) return undefined;
  if (/[\r\n]/.test(title)) throw new CommandFailure('--title has several lines', 'write one line');
  if ([...title].length <= MAX_TITLE_CHARACTERS) return title;
  throw new CommandFailure(
    `--title has ${[...title].length} characters`,
    `GitHub accepts at most ${MAX_TITLE_CHARACTERS}`,
  );
}

function prefixIn(prefix: string | undefined): string | undefined {
  if (prefix === undefined || prefix.length <= MAX_PREFIX_CHARACTERS) return prefix;
  throw new CommandFailure(
    `--body-prefix has ${prefix.length} characters`,
    `shorten it to ${MAX_PREFIX_CHARACTERS}: the plan needs the rest`,
  );
}

/** The commit message. It cannot contain a line by which weft recognizes its commits. */
function messageIn(message: string | undefined): string | undefined {
  if (message === undefined || !hasTrailer(message)) return message;
  throw new CommandFailure(
    '--commit-message contains a line of weft',
    'leave out the lines that begin with "Weft-Topology": weft adds them',
  );
}
