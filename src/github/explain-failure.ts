import { ForgeError, type ForgeFailure } from './forge-error.ts';

/** A request that GitHub did not carry out. */
export interface FailedRequest {
  /** What was tried, worded to follow "cannot": `open a pull request`. */
  readonly operation: string;
  /** Of HTTP; 0 without a response. */
  readonly status: number;
  readonly reason: string;
  /** Set when a rate limit of GitHub is the reason: how long it lasts. */
  readonly limitedForSeconds?: number;
}

interface Row {
  readonly failure: ForgeFailure;
  readonly when: (it: FailedRequest) => boolean;
  readonly hint: string;
}

/**
 * The patterns are sentences of GitHub; the first row that matches counts. Source: GitHub's REST reference, and the issues of
 * peter-evans/create-pull-request (#1175, #2912), changesets/action (#550) and marocchino/sticky-pull-request-comment (#227).
 */
const ROWS: readonly Row[] = [
  {
    failure: 'limited',
    when: (it) => it.limitedForSeconds !== undefined,
    hint: 'run it again when the limit is over',
  },
  {
    failure: 'unreachable',
    when: (it) => it.status === 0 || it.status >= 500,
    hint: 'GitHub did not answer as it should, several times; nothing is half done: run it again',
  },
  {
    failure: 'not-signed-in',
    when: (it) => it.status === 401,
    hint: 'the token is unknown or has run out; give a new one in WEFT_TOKEN or GITHUB_TOKEN',
  },
  {
    failure: 'pulls-not-permitted',
    when: (it) => /not permitted to create/i.test(it.reason),
    hint: 'allow it in the settings of the repository (Actions, General, "Allow GitHub Actions to create and approve pull requests"), or give the token of a GitHub App',
  },
  {
    failure: 'not-permitted',
    when: (it) =>
      /Resource not accessible by (integration|personal access token)|Must have admin rights/i.test(it.reason),
    hint: 'the token may not do this: the job needs `permissions:` with `contents: write` to push and `pull-requests: write` to comment or to open; for pull requests from forks and of Dependabot GitHub gives a token that only reads',
  },
  {
    failure: 'protected',
    when: (it) => /protected.branch|rule violations|ruleset/i.test(it.reason),
    hint: 'a rule of the repository guards this branch; except weft/* from it, or choose another with --branch',
  },
  {
    failure: 'not-permitted',
    when: (it) => it.status === 403,
    hint: 'check what the token may do',
  },
  {
    failure: 'not-found',
    when: (it) => it.status === 404,
    hint: 'it is not there, or the token may not see it: GitHub answers both alike',
  },
  {
    failure: 'empty',
    when: (it) => it.status === 409 && /empty/i.test(it.reason),
    hint: 'push a first commit, then run it again',
  },
  {
    failure: 'too-large',
    when: (it) => it.status === 413 || /input was too large/i.test(it.reason),
    hint: 'a single file is too large for GitHub',
  },
];

/** GitHub's response as an error that says what to do. */
export function explainFailure(it: FailedRequest): ForgeError {
  const row = ROWS.find(({ when }) => when(it));
  const hint = it.limitedForSeconds === undefined ? row?.hint : `${row?.hint}: in ${it.limitedForSeconds} seconds`;
  return new ForgeError(row?.failure ?? 'refused', {
    operation: it.operation,
    // GitHub puts a link to its documentation behind; ours is the hint.
    reason: it.reason.replace(/ - https:\/\/docs\.github\.com\S*$/, ''),
    status: it.status,
    hint: hint ?? 'GitHub does not take it; --debug shows where it happened',
  });
}
