import { ForgeError } from '../forge/forge-error.ts';
import { watchRequest } from '../http/watch-request.ts';
import { explainGit } from './explain-git.ts';
import type { RemoteRepository } from './remote-repository.ts';
import { type GitAnswer, type TemporaryRepository, temporaryRepository } from './temporary-repository.ts';

/** How every part of this room uses git. */
export interface GitRemote {
  readonly remote: RemoteRepository;
  /** The folder of the temporary repository. */
  readonly folder: string;
  /** A command that must succeed; returns what it prints. */
  readonly ask: (operation: string, args: readonly string[], input?: string | Buffer) => Promise<Buffer>;
  /** A command whose failure is an answer. */
  readonly try: TemporaryRepository['run'];
  /** A command that talks to the server. It is repeated while the server does not answer, so it must be safe to repeat. */
  readonly talk: (operation: string, args: readonly string[], isAnswer: IsAnswer) => Promise<GitAnswer>;
  /** Makes a commit, or a tree with everything below it but the files, present here. */
  readonly needCommit: (id: string) => Promise<void>;
  readonly needTree: (id: string) => Promise<void>;
  /** Makes files present here, with one request. */
  readonly needBlobs: (ids: readonly string[]) => Promise<void>;
}

/** Whether a failure of git is an answer of the server that the caller expects. */
type IsAnswer = (answer: GitAnswer) => boolean;

/** Milliseconds; each further wait is twice as long. */
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

  const need = async (type: 'commit' | 'tree', id: string, filter: string): Promise<void> => {
    if (!/^[0-9a-f]{40,64}$/.test(id))
      throw new ForgeError('not-found', {
        operation: `read the ${type} ${id} of ${name}`,
        reason: 'that is no name of an object of git',
        status: 0,
        hint: 'check the name',
      });
    if ((await run([...OFFLINE, 'cat-file', '-e', id])).ok) return;
    const fetch = [...NO_HAVES, 'fetch', ...FETCH, `--filter=${filter}`, 'origin', id];
    await talk(`read the ${type} ${id} of ${name}`, fetch, () => false);
  };

  return {
    remote,
    folder,
    ask,
    try: run,
    talk,
    needCommit: (id) => need('commit', id, 'tree:0'),
    needTree: (id) => need('tree', id, 'blob:none'),
    needBlobs: async (ids) => {
      // A question about one that is missing would make git fetch it alone.
      const here = await ask('list what is here', ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
      const known = new Set(here.toString('latin1').split('\n'));
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

/** git does not say what is here: the server would leave out what it believes to be here, too. */
const NO_HAVES = ['-c', 'fetch.negotiationAlgorithm=noop'] as const;

/** On one command line, which has 32 KiB on Windows. */
const MOST_NAMES = 500;

/** git reads only what is here. GIT_NO_LAZY_FETCH does the same from release 2.44 on. */
const OFFLINE = ['protocol.http.allow=never', 'protocol.https.allow=never'].flatMap((it) => ['-c', it]);

export const FETCH = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'] as const;
