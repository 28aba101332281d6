import { ForgeError, type ForgeFailure } from '../forge/forge-error.ts';
import type { RemoteRepository } from './remote-repository.ts';

interface Row {
  readonly failure: ForgeFailure;
  readonly words: RegExp;
  readonly status?: number;
}

/**
 * Words of git, of curl below it, and of the hooks of forges; the first row that matches counts. Source: git, http.c and
 * remote-curl.c; curl, lib/strerror.c; GitLab, lib/gitlab/git_access.rb and gitlab/checks/; Gitea, routers/private/hook_pre_receive.go.
 */
const ROWS: readonly Row[] = [
  {
    failure: 'protected',
    words: /protected branch|branch \S+ is protected|not allowed to (?:force )?push to protected/i,
  },
  {
    failure: 'not-signed-in',
    words: /Authentication failed|could not read (?:Username|Password)|returned error: 401|HTTP Basic: Access denied/i,
    status: 401,
  },
  { failure: 'limited', words: /returned error: 429|rate limit/i, status: 429 },
  { failure: 'too-large', words: /returned error: 413|exceeds the maximum|larger than|too large|size limit/i },
  {
    failure: 'not-permitted',
    words: /returned error: 403|not allowed to push|permission denied|access denied|read-only/i,
  },
  {
    failure: 'not-found',
    words: /returned error: 404|repository '.*' not found|could not be found|not our ref/i,
    status: 404,
  },
  {
    failure: 'unreachable',
    words:
      /returned error: 5\d\d|Could not resolve|Failed to connect|Connection (?:refused|reset|timed out)|timed out|unexpected disconnect|hung up|early EOF|Empty reply|RPC failed|SSL|certificate|TLS|did not end within|unable to access/i,
  },
];

const HINTS: Readonly<Record<ForgeFailure, string>> = {
  'not-signed-in': 'set a new token in WEFT_TOKEN: this one is unknown or has expired',
  'not-permitted': 'give the token the right to push to this repository',
  'pulls-not-permitted': 'check the permissions of the token',
  protected:
    'exempt weft/* from the rule of the repository that protects this branch, or choose another branch with --branch',
  'not-found': 'check the name, and give the token access to the repository',
  empty: 'push a first commit and run it again',
  limited: 'run it again after the limit',
  'too-large': 'reduce the size of the files, or raise the limit of the server',
  unreachable:
    'run it again: nothing is incomplete; if this machine reaches the server only through a proxy, set HTTPS_PROXY',
  refused: 'read what the server answers: a rule or a hook of the repository has refused it',
};

/** What git complained about, as an error that says what to do. */
export function explainGit(operation: string, stderr: string, { hints }: Pick<RemoteRepository, 'hints'>): ForgeError {
  const row = ROWS.find(({ words }) => words.test(stderr));
  const failure = row?.failure ?? 'refused';
  const isCertificate = failure === 'unreachable' && /SSL|certificate|TLS/i.test(stderr);
  const hint = isCertificate
    ? 'name a file with the certificate of the authority in NODE_EXTRA_CA_CERTS, which git and weft then trust, too'
    : (hints[failure] ?? HINTS[failure]);
  return new ForgeError(failure, { operation, reason: reasonOf(stderr), status: row?.status ?? 0, hint });
}

const MAX_REASON_LINES = 6;

/** What the server says explains more than what git says. */
function reasonOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((it) => it.trim());
  const told = lines.flatMap(
    (it) => /^remote: *(?:GitLab: |error: |Gitea: |Forgejo: )?(.*[\p{L}\p{N}].*)$/u.exec(it)?.[1] ?? [],
  );
  if (told.length > 0) return told.slice(0, MAX_REASON_LINES).join('; ');
  const rejected = lines.flatMap((it) => /^!.*\[(?:remote )?rejected\] *\((.*)\)$/.exec(it)?.[1] ?? []);
  const fatal = lines.flatMap((it) => /^(?:fatal|error): (.*)$/.exec(it)?.[1] ?? []);
  return rejected[0] ?? fatal[0] ?? (lines.find((it) => it !== '') || 'git failed and gave no reason');
}
