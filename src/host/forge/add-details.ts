import { addAll } from '../../base/core/collections.ts';
import { type Forge, ForgeError, type ForgeFailure, type Pull, type Reviewers } from './forge.ts';

/** The details of a new pull request. They are not added again later, since users may have removed them. */
export interface PullDetails extends Reviewers {
  readonly labels: readonly string[];
  /** The logins of the assignees. */
  readonly assignees: readonly string[];
}

/** A detail that could not be added. */
export interface Declined {
  readonly what: 'labels' | 'reviewers' | 'teams' | 'assignees';
  readonly names: readonly string[];
  /** `null` for the author of the pull request, who cannot review it. */
  readonly reason: string | null;
}

/** Adds the details to a pull request. It exists by then, so a declined detail is no failure. */
export async function addDetails(forge: Forge, pull: Pull, details: PullDetails): Promise<readonly Declined[]> {
  const { labels, assignees, people, teams } = details;
  const isAuthor = (login: string): boolean => login.toLowerCase() === pull.author.toLowerCase();
  const authors = people.filter(isAuthor);
  return [
    ...(await unlessNone('labels', labels, () => allDone(forge.addLabels(pull.number, labels)))),
    ...(await unlessNone('assignees', assignees, () => assign(forge, pull, assignees))),
    ...declined('reviewers', authors, null),
    ...(await askAll(forge, pull, { people: people.filter((it) => !isAuthor(it)), teams })),
  ];
}

const declined = (what: Declined['what'], names: readonly string[], reason: string | null): readonly Declined[] =>
  names.length === 0 ? [] : [{ what, names, reason }];

async function unlessNone(
  what: Declined['what'],
  names: readonly string[],
  add: () => Promise<readonly Declined[]>,
): Promise<readonly Declined[]> {
  if (names.length === 0) return [];
  try {
    return await add();
  } catch (error) {
    return declined(what, names, declinedReason(error));
  }
}

/** Runs a request that either does everything or fails. */
async function allDone(request: Promise<void>): Promise<readonly Declined[]> {
  await request;
  return [];
}

async function assign(forge: Forge, pull: Pull, logins: readonly string[]): Promise<readonly Declined[]> {
  const assigned = new Set((await forge.addAssignees(pull.number, logins)).map((it) => it.toLowerCase()));
  const left = logins.filter((it) => !assigned.has(it.toLowerCase()));
  return declined('assignees', left, 'who cannot write to the repository cannot be assigned');
}

/** Requests reviews, one by one if that fails: one invalid reviewer fails the request for all. */
async function askAll(forge: Forge, pull: Pull, { people, teams }: Reviewers): Promise<readonly Declined[]> {
  const requests = [
    ...people.map((name) => ({ what: 'reviewers' as const, name, people: [name], teams: [] })),
    ...teams.map((name) => ({ what: 'teams' as const, name, people: [], teams: [name] })),
  ];
  if (requests.length === 0) return [];
  try {
    await forge.requestReviews(pull.number, { people, teams });
    return [];
  } catch (error) {
    const reason = declinedReason(error);
    if (isAboutAll(error)) return [...declined('reviewers', people, reason), ...declined('teams', teams, reason)];
  }
  const failed: Declined[] = [];
  for (const { what, name, ...one } of requests)
    addAll(failed, await unlessNone(what, [name], () => allDone(forge.requestReviews(pull.number, one))));
  return failed;
}

const ABOUT_ALL: readonly ForgeFailure[] = ['not-signed-in', 'limited', 'unreachable'];

const isAboutAll = (error: unknown): boolean => error instanceof ForgeError && ABOUT_ALL.includes(error.failure);

/** The reason in a forge's answer. Any other error is a bug and is thrown. */
function declinedReason(error: unknown): string {
  if (error instanceof ForgeError) return error.reason;
  throw error;
}
