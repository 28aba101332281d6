import { type ForgeError, type ForgeWords, nameOf, type Repository } from '../forge/forge.ts';
import { explainBy, type FailureRow, type RefusedRequest, rowsWithoutAnswer } from '../http/ask-forge.ts';
import { askRest, type ReadList, type RestConnection, type RestForge, readPages } from '../http/rest-client.ts';

export interface GitLabAccess extends Omit<RestConnection, 'forge' | 'headers'> {
  readonly token: string;
  /** The repository, whose owner is a group with its parent groups: `acme/network`. */
  readonly repository: Repository;
}

/** The functions for requests of all parts of the forge. */
export interface GitLab extends RestForge {
  readonly repository: Repository;
  /** The path of the project in messages. */
  readonly name: string;
  /** The API path of the project. */
  readonly at: string;
  readonly list: ReadList;
}

/** Entries in one response: the maximum of GitLab. Source: docs.gitlab.com, REST API, "Pagination". */
export const PER_PAGE = 100;

/** Tokens of every kind are accepted as bearer. Source: docs.gitlab.com, "REST API authentication". */
export function askGitLab({ token, repository, ...connection }: GitLabAccess): GitLab {
  const headers = { authorization: `Bearer ${token}` };
  const rest = askRest({ ...connection, forge: 'GitLab', headers }, explainFailure);
  return {
    ...rest,
    repository,
    name: nameOf(repository),
    at: `/projects/${encodeURIComponent(nameOf(repository))}`,
    list: readPages(rest.send, {
      queryOf: (page) => ({ per_page: PER_PAGE, page }),
      // The header is empty on the last page.
      isLast: (answered) => !answered['x-next-page'],
    }),
  };
}

const RIGHTS = 'the role Developer in the project and the scope "api"';

/** Source: docs.gitlab.com, REST API, "Status codes"; "Merge requests API"; lib/api/helpers.rb of GitLab. */
const ROWS: readonly FailureRow[] = [
  ...rowsWithoutAnswer('GitLab'),
  {
    failure: 'not-signed-in',
    when: (it) => it.status === 401,
    hint: `set a token in WEFT_TOKEN or GITLAB_TOKEN, with ${RIGHTS}: this one is unknown, expired or revoked; the CI_JOB_TOKEN of a job cannot be used`,
  },
  {
    failure: 'not-permitted',
    when: (it) => /insufficient_scope|insufficient.scope|higher privileges/i.test(it.reason),
    hint: 'give the token the scope "api": the other scopes can neither comment nor open merge requests',
  },
  {
    failure: 'pulls-not-permitted',
    when: (it) => it.status === 403 && it.operation.startsWith('open a merge request'),
    hint: `give the token ${RIGHTS}, and enable merge requests in the settings of the project`,
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 403,
    hint: `give the token ${RIGHTS}`,
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 404 && it.isWrite === true,
    hint: `give the token ${RIGHTS}: GitLab reports what a token may not change as missing`,
  },
  {
    failure: 'not-found',
    when: (it) => it.status === 404,
    hint: 'check the name, and give the token access to the project: GitLab reports what a token may not see as missing',
  },
  {
    failure: 'too-large',
    when: (it) => it.status === 413,
    hint: 'raise the limit of the proxy in front of the server',
  },
  {
    failure: 'refused',
    when: (it) => it.status === 400 || it.status === 422,
    hint: 'change what GitLab names: it has a limit, or a setting of the project forbids it',
  },
  {
    failure: 'refused',
    when: (it) => it.status >= 300 && it.status < 400,
    hint: 'run it again: the project was renamed or moved meanwhile',
  },
];

/** The response of GitLab as an error that says what to do. */
const explainFailure = (it: RefusedRequest): ForgeError => explainBy(ROWS, { ...it, reason: reasonOf(it) });

/** The reason without "404 Project Not Found", which is also the answer without access, and without the status. */
function reasonOf({ reason, status, isWrite }: RefusedRequest): string {
  if (status === 404) return `it does not exist, or the token may not ${isWrite ? 'change' : 'see'} it`;
  return reason.replace(new RegExp(`^${status}\\s+(?:${status}\\s+)?(?:\\w+\\s+- )?`), '') || reason;
}

export const GITLAB_WORDS: ForgeWords = {
  name: 'GitLab',
  pull: 'merge request',
  mark: '!',
  queue: 'merge train',
  token: 'WEFT_TOKEN or GITLAB_TOKEN',
  checksNote: '',
  labelsHint: 'add them by hand, or create them in the project',
  teamsHint: 'name people instead, or let an approval rule name the group',
};
