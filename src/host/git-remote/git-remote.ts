import { oncePerText } from '../../base/core/once.ts';
import { ForgeError, type ForgeFailure } from '../forge/forge.ts';
import { watchRequest } from '../http/ask-forge.ts';
import {
  type GitAnswer,
  type RemoteRepository,
  type TemporaryRepository,
  temporaryRepository,
} from './temporary-repository.ts';

/** The functions through which every part of this room uses git. */
export interface GitRemote {
  readonly remote: RemoteRepository;
  /** The folder of the temporary repository. */
  readonly folder: string;
  /** Runs a command that must succeed; returns its output. */
  readonly ask: (operation: string, args: readonly string[], input?: string | Buffer) => Promise<Buffer>;
  /** Runs a command whose failure is an expected result. */
  readonly try: TemporaryRepository['run'];
  /** Runs a command that contacts the server. It must be safe to repeat: it is repeated until the server answers. */
  readonly talk: (operation: string, args: readonly string[], isAnswer: IsAnswer) => Promise<GitAnswer>;
  /** Refuses names that git does not allow: a name such as `a:b` could mean more than a branch in a git command. */
  readonly requireBranchName: (branch: string) => Promise<void>;
  /** Fetches a commit unless it is present. */
  readonly needCommit: (id: string) => Promise<void>;
  /** Fetches a tree with all folders below it, without files, unless it is present. */
  readonly needTree: (id: string) => Promise<void>;
  /** Fetches missing files, up to 500 per request. */
  readonly needBlobs: (ids: readonly string[]) => Promise<void>;
}

/** True when a failure of git is a response of the server that the caller expects. */
type IsAnswer = (answer: GitAnswer) => boolean;

/** The first wait before a repetition; each further wait is twice as long. */
const FIRST_WAIT_MILLISECONDS = 1000;
const MAX_ATTEMPTS = 5;

export async function gitRemote(
  remote: RemoteRepository,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitRemote & Pick<TemporaryRepository, 'remove'>> {
  const { folder, run, remove } = await temporaryRepository(remote, env);
  const { clock, forge, name } = remote;

  const ask: GitRemote['ask'] = async (operation, args, input) => {
    const answer = await run(args, input === undefined ? {} : { input });
    if (!answer.ok) throw explainGit(`${operation} of ${name}`, answer.stderr, remote);
    return answer.stdout;
  };

  const talk: GitRemote['talk'] = async (operation, args, isAnswer) => {
    const stopWatching = watchRequest(remote, forge, operation);
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await run(args);
        if (answer.ok || isAnswer(answer)) return answer;
        const failed = explainGit(operation, answer.stderr, remote);
        if (failed.failure !== 'unreachable' || attempt >= MAX_ATTEMPTS) throw failed;
        await clock.sleep(FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1));
      }
    } finally {
      stopWatching();
    }
  };

  // Nothing removes objects from the repository.
  const here = new Set<string>();
  const need = async (type: 'commit' | 'tree', id: string, filter: string): Promise<void> => {
    if (!/^[0-9a-f]{40,64}$/.test(id))
      throw new ForgeError('not-found', {
        operation: `read the ${type} ${id} of ${name}`,
        reason: 'that is no name of an object of git',
        status: 0,
        hint: 'check the name',
      });
    if (here.has(`${filter} ${id}`)) return;
    if (!(await run([...OFFLINE, 'cat-file', '-e', id])).ok) {
      const fetch = [...NO_HAVES, 'fetch', ...FETCH, `--filter=${filter}`, 'origin', id];
      await talk(`read the ${type} ${id} of ${name}`, fetch, () => false);
    }
    here.add(`${filter} ${id}`);
  };

  return {
    remote,
    folder,
    ask,
    try: run,
    talk,
    requireBranchName: oncePerText(async (branch) => {
      if (!branch.includes('\n') && (await run(['check-ref-format', `refs/heads/${branch}`])).ok) return;
      throw new ForgeError('not-found', {
        operation: `use the branch ${branch} of ${name}`,
        reason: 'git does not allow this name',
        status: 0,
        hint: 'choose another name: without blanks and without ~ ^ : ? * [ \\',
      });
    }),
    needCommit: (id) => need('commit', id, 'tree:0'),
    needTree: (id) => need('tree', id, 'blob:none'),
    needBlobs: async (ids) => {
      // Testing for each object would make git fetch every missing one separately, so all present objects are listed.
      const listed = await ask('list what is here', ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
      const known = new Set(listed.toString('latin1').split('\n'));
      const missing = [...new Set(ids)].filter((it) => !known.has(it));
      for (let i = 0; i < missing.length; i += MOST_NAMES) {
        const some = missing.slice(i, i + MOST_NAMES);
        const fetch = [...NO_HAVES, 'fetch', ...FETCH, '--filter=blob:none', 'origin', ...some];
        await talk(`read ${some.length} files of ${name}`, fetch, () => false);
      }
    },
    remove,
  };
}

/** Prevents git from reporting its local objects: the server would leave out objects that it believes to be present. */
const NO_HAVES = ['-c', 'fetch.negotiationAlgorithm=noop'] as const;

/** The largest number of object names on one command line, which is limited to 32 KiB on Windows. */
const MOST_NAMES = 500;

/** Restricts git to local objects. GIT_NO_LAZY_FETCH does the same from release 2.44 on. */
const OFFLINE = ['protocol.http.allow=never', 'protocol.https.allow=never'].flatMap((it) => ['-c', it]);

export const FETCH = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'] as const;

interface Row {
  readonly failure: ForgeFailure;
  readonly words: RegExp;
  readonly status?: number;
  /** A remedy for this message alone. */
  readonly hint?: string;
}

/**
 * Patterns for messages of git, of curl below it, and of the hooks of forges; the first row that matches is used.
 * Source: git, http.c and remote-curl.c; curl, lib/strerror.c; GitLab, lib/gitlab/git_access.rb and gitlab/checks/;
 * Gitea, routers/private/hook_pre_receive.go.
 */
const ROWS: readonly Row[] = [
  {
    // Push rules of GitLab, which groups hand down to their projects.
    // Source: docs.gitlab.com, "Push rules"; ee/lib/ee/gitlab/checks/push_rules/commit_check.rb.
    failure: 'refused',
    words:
      /must be signed|unsigned commit|commit (?:message )?(?:does not|doesn't) (?:follow|match)|message contains the forbidden|(?:author|committer)(?:'s)? (?:email|'[^']*') (?:is not|does not|for commit)|not a (?:verified|GitLab) (?:email|user)|DCO sign-?off/i,
    hint: 'exempt this project or weft/* from that push rule: weft signs no commits, and their author is the owner of the token; --commit-message and --signoff set the message',
  },
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

/** Converts git's error output into an error with a remedy. */
export function explainGit(operation: string, stderr: string, { hints }: Pick<RemoteRepository, 'hints'>): ForgeError {
  const row = ROWS.find(({ words }) => words.test(stderr));
  const failure = row?.failure ?? 'refused';
  const isCertificate = failure === 'unreachable' && /SSL|certificate|TLS/i.test(stderr);
  const hint = isCertificate
    ? 'name a file with the certificate of the authority in NODE_EXTRA_CA_CERTS, which git and weft then trust, too'
    : (row?.hint ?? hints[failure] ?? HINTS[failure]);
  return new ForgeError(failure, { operation, reason: gitReason(stderr), status: row?.status ?? 0, hint });
}

const MAX_REASON_LINES = 6;

/**
 * The reason in git's error output. Messages of the server are preferred, because they explain more than those of git.
 */
function gitReason(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map((it) => it.trim());
  const serverLines = lines.flatMap(
    (it) => /^remote: *(?:GitLab: |error: |Gitea: |Forgejo: )?(.*[\p{L}\p{N}].*)$/u.exec(it)?.[1] ?? [],
  );
  if (serverLines.length > 0) return serverLines.slice(0, MAX_REASON_LINES).join('; ');
  const rejected = lines.flatMap((it) => /^!.*\[(?:remote )?rejected\] *\((.*)\)$/.exec(it)?.[1] ?? []);
  const fatal = lines.flatMap((it) => /^(?:fatal|error): (.*)$/.exec(it)?.[1] ?? []);
  return rejected[0] ?? fatal[0] ?? (lines.find((it) => it !== '') || 'git failed and gave no reason');
}
