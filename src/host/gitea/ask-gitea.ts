import { type ForgeError, type ForgeWords, GITHUB_TERMS, nameOf, type Repository } from '../forge/forge.ts';
import { explainBy, type FailureRow, type RefusedRequest, rowsWithoutAnswer } from '../http/ask-forge.ts';
import { askRest, type ReadList, type RestConnection, type RestForge, readPages } from '../http/rest-client.ts';

export interface GiteaAccess extends Omit<RestConnection, 'forge' | 'headers'> {
  readonly product: GiteaProduct;
  readonly token: string;
  readonly repository: Repository;
}

/** Forgejo began as Gitea and kept its API. Messages use its own name. */
export type GiteaProduct = 'Gitea' | 'Forgejo';

/** The functions for requests of all parts of the forge. */
export interface Gitea extends RestForge {
  readonly product: GiteaProduct;
  readonly repository: Repository;
  /** The repository in messages: `owner/name`. */
  readonly name: string;
  /** The API path of the repository. */
  readonly at: string;
  readonly list: ReadList;
}

/** A server may allow fewer (MAX_RESPONSE_ITEMS): a short page may not be the last. Source: modules/setting/api.go. */
export const PER_PAGE = 50;

export function askGitea({ product, token, repository, ...connection }: GiteaAccess): Gitea {
  const rest = askRest({ ...connection, forge: product, headers: { authorization: `token ${token}` } }, (it) =>
    explainFailure(product, it),
  );
  const { owner, name } = repository;
  return {
    ...rest,
    product,
    repository,
    name: nameOf(repository),
    at: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
    list: readPages(rest.send, {
      queryOf: (page) => (page === 1 ? {} : { page }),
      isLast: (headers, entries) => entries === 0 || !/rel="?next"?/.test(headers['link'] ?? ''),
    }),
  };
}

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
const explainFailure = (product: string, it: RefusedRequest): ForgeError =>
  explainBy(rowsFor(product), { ...it, reason: reasonOf(it) });

/** The reason, instead of Gitea's bare "not found", which is also the answer without access. */
function reasonOf({ reason, status, isWrite }: RefusedRequest): string {
  if (status === 404 && /^(the target couldn't be found|not found|)\.?$/i.test(reason))
    return `it does not exist, or the token may not ${isWrite ? 'change' : 'see'} it`;
  return reason;
}

export const giteaWords = (name: GiteaProduct): ForgeWords => ({
  ...GITHUB_TERMS,
  name,
  token: `WEFT_TOKEN or ${name.toUpperCase()}_TOKEN`,
  checksNote: '',
  labelsHint: 'add them by hand, and give the token the scope write:issue',
  teamsHint: 'request it by hand: teams are those of an organization, and need access to the repository',
});
