import { accessOf } from './access.ts';
import { findPull } from './list-pulls.ts';
import { apiUrl, nodeId, printAccount, printPull, webUrl } from './print-objects.ts';
import { notPermitted, Refusal, refuse } from './refusal.ts';
import { filled } from './sample.ts';
import { type Account, type Answer, type Call, callerOf, fullName, type Repository, repositoryOf } from './world.ts';

/** A label that does not exist is created. Names differ by more than their capitals. */
export async function addLabels(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const pull = findPull(repository, call.path['issue_number']);
  const { labels } = call.body as { readonly labels: readonly string[] };
  const known = new Set(pull.labels.map((it) => it.toLowerCase()));
  pull.labels.push(...labels.filter((it) => !known.has(it.toLowerCase())));
  const body = pull.labels.map((name) =>
    filled('label', { name, url: apiUrl(repository, `/labels/${encodeURIComponent(name)}`) }),
  );
  return { status: 200, body };
}

/** Invalid assignees are ignored. Source: GitHub's REST reference, "Add assignees to an issue". */
export async function addAssignees(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const pull = findPull(repository, call.path['issue_number']);
  const { assignees } = call.body as { readonly assignees: readonly string[] };
  const added = assignees.flatMap((login) => collaborator(call, repository, login) ?? []);
  pull.assignees.push(...added.map((it) => it.login).filter((it) => !pull.assignees.includes(it)));
  const body = filled('issue', {
    number: pull.number,
    node_id: nodeId('PullRequest', pull.id),
    url: apiUrl(repository, `/issues/${pull.number}`),
    html_url: webUrl(repository, `/pull/${pull.number}`),
    title: pull.title,
    state: pull.state,
    user: printAccount(pull.author),
    assignees: pull.assignees.flatMap((login) => collaborator(call, repository, login) ?? []).map(printAccount),
  });
  return { status: 201, body };
}

/**
 * Requests all reviewers or none. The token of GitHub Actions sees no team. Source of the two sentences: peter-evans/
 * create-pull-request#1835 (author) and #4138 (collaborators).
 */
export async function requestReviewers(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const pull = findPull(repository, call.path['pull_number']);
  const { reviewers = [], team_reviewers = [] } = call.body as {
    readonly reviewers?: readonly string[];
    readonly team_reviewers?: readonly string[];
  };
  if (team_reviewers.length > 0 && callerOf(call).kind === 'bot') throw new Refusal(notPermitted());
  if (reviewers.includes(pull.author.login)) refuse(422, 'Review cannot be requested from pull request author.');
  const isKnown =
    reviewers.every((it) => collaborator(call, repository, it) !== undefined) &&
    team_reviewers.every((it) => repository.teams.includes(it));
  if (!isKnown) {
    const where = `the ${fullName(repository)} repository`;
    refuse(
      422,
      `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of ${where}.`,
    );
  }
  pull.reviewers.push(...reviewers, ...team_reviewers);
  return { status: 201, body: printPull(pull, repository, 'pull-request-simple') };
}

/** A user who may push. */
const collaborator = ({ world }: Call, repository: Repository, login: string): Account | undefined =>
  world.accounts.find(
    (it) =>
      it.kind === 'user' &&
      it.login.toLowerCase() === login.toLowerCase() &&
      accessOf(it, repository, 'contents') === 'write',
  );
