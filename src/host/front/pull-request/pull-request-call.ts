import type { Origin } from '../../app/manifests-branch.ts';
import type { PlanRequest } from '../../app/plan-fleet.ts';
import type { PullSettings } from '../../app/pull-settings.ts';
import type { Repository } from '../../forge/forge.ts';
import type { ForgeWords } from '../../forge/forge-words.ts';
import { CommandFailure } from '../command-failure.ts';
import { type PlanTexts, planRequest } from '../plan-request.ts';
import type { ActionsContext } from './actions-context.ts';
import { type PullSettingTexts, pullSettings } from './pull-settings.ts';

/** The modes of `weft pr`, in the order in which the Action runs them. */
export const PULL_REQUEST_MODES = ['check', 'comment', 'open'] as const;

export type PullRequestMode = (typeof PULL_REQUEST_MODES)[number];

/** The settings of the user, from options of `weft pr` or from inputs of the Action. */
export interface PullRequestTexts extends PlanTexts, PullSettingTexts {
  readonly mode: PullRequestMode;
  readonly topology: string | undefined;
  /** One of `FORGE_KINDS`; otherwise the environment or the clone decides. */
  readonly forge: string | undefined;
  /** `owner/name`. */
  readonly repository: string | undefined;
  readonly pullRequest: string | undefined;
  readonly into: string | undefined;
  readonly branch: string | undefined;
  readonly author: string | undefined;
  readonly planJson: string | undefined;
  readonly diff: string | undefined;
  readonly current: boolean;
  readonly force: boolean;
  readonly planId: string | undefined;
}

/** One run of `weft pr`: the settings of the user and of GitHub Actions; the former have priority. */
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
  /** The folder for the diff. */
  readonly diffFolder: string | undefined;
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

/** What a call takes from its forge. */
interface CalledForge extends Pick<PullRequestCall, 'words' | 'openPage' | 'token'> {
  /** Whether a repository may be in a group of groups. */
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
    pull: pullNumber(texts.pullRequest) ?? context.origin.pull?.number ?? null,
    origin: context.origin,
    into: texts.into,
    branch: texts.branch,
    author: texts.author,
    planFile: texts.planJson,
    diffFolder: texts.diff,
    current: texts.current,
    force: texts.force,
    settings: pullSettings(texts),
    reviewedPlan: reviewedPlan(texts.planId),
    ...forge,
  };
}

/** A pull request is compared with what it is merged into; `weft pr open` with what is on disk. */
const eventBase = ({ mode, baseDir }: PullRequestTexts, { baseCommit }: ActionsContext): string | undefined =>
  mode === 'open' || baseDir !== undefined ? undefined : baseCommit;

function parseRepository(name: string, hasGroups: boolean): Repository {
  const pattern = hasGroups ? /^([\w.-]+(?:\/[\w.-]+)*)\/([\w.-]+)$/ : /^([\w.-]+)\/([\w.-]+)$/;
  const [, owner, repo] = pattern.exec(name) ?? [];
  if (owner !== undefined && repo !== undefined) return { owner, name: repo };
  const hint = hasGroups ? 'write it as GROUP/NAME, with all groups that it is in' : 'write it as OWNER/NAME';
  throw new CommandFailure(`"${name}" is not a repository`, hint);
}

function reviewedPlan(given: string | undefined): string | undefined {
  if (given === undefined || /^[0-9a-f]{32}$/.test(given)) return given;
  throw new CommandFailure(
    `"${given}" is not the id of a plan`,
    'copy the 32 characters below the plan of a pull request',
  );
}

function pullNumber(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[#!]?[1-9]\d{0,9}$/.test(given)) return Number(given.replace(/^[#!]/, ''));
  throw new CommandFailure(`"${given}" is not the number of a pull request`);
}
