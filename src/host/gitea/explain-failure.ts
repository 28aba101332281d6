import type { ForgeError } from '../forge/forge-error.ts';
import { explainBy, type FailureRow, type RefusedRequest, rowsWithoutAnswer } from '../http/explain-by.ts';

const SCOPES = 'the scopes write:repository and write:issue, and read:user to recognize its own comments';

/** The patterns are sentences of Gitea. Source: go-gitea/gitea v1.26.0, routers/api/v1/ and services/context/api.go. */
const rowsFor = (product: string): readonly FailureRow[] => [
  ...rowsWithoutAnswer(product),
  {
    failure: 'not-signed-in',
    when: (it) => it.status === 401,
    hint: 'set a new token in WEFT_TOKEN: this one is unknown or has expired; the token of a job ends with it',
  },
  {
    failure: 'not-permitted',
    when: (it) => /required scope/i.test(it.reason),
    hint: `give the token ${SCOPES}`,
  },
  {
    failure: 'refused',
    when: (it) => it.status === 423,
    hint: 'the repository is archived: nothing can be proposed there',
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 403,
    hint: `give the owner of the token write access to the repository, and the token ${SCOPES}`,
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 404 && it.isWrite === true,
    hint: `give the owner of the token write access to the repository, with pull requests enabled, and the token ${SCOPES}`,
  },
  {
    failure: 'not-found',
    when: (it) => it.status === 404,
    hint: `check the name, and give the owner of the token access to the repository: ${product} reports what a token may not see as missing`,
  },
  {
    failure: 'refused',
    when: (it) => it.status >= 300 && it.status < 400,
    hint: 'run it again: the repository was renamed or moved meanwhile',
  },
  {
    failure: 'too-large',
    when: (it) => it.status === 413,
    hint: 'raise the limit of the proxy in front of the server',
  },
];

/** The response of Gitea or Forgejo as an error that says what to do. */
export const explainFailure = (product: string, it: RefusedRequest): ForgeError =>
  explainBy(rowsFor(product), { ...it, reason: reasonOf(it) });

/** "not found" is the answer to whoever has no access, too. Who or what was not found, its own words say. */
function reasonOf({ reason, status, isWrite }: RefusedRequest): string {
  if (status === 404 && /^(the target couldn't be found|not found|)\.?$/i.test(reason))
    return `it does not exist, or the token may not ${isWrite ? 'change' : 'see'} it`;
  return reason;
}
