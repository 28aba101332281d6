import { bug } from '../../base/diagnostics/outcome.ts';
import { type Author, type Commit, type Comparison, type ForgeContent, ForgeError } from '../forge/forge.ts';
import { explainGit, FETCH, type GitRemote } from './git-remote.ts';

type CommitReader = Pick<ForgeContent, 'headOf' | 'readCommit' | 'compare' | 'authorOf' | 'readTexts'>;

/**
 * Reads branches and commits. The head of a branch is fetched alone, with its folders but without its files. Only a
 * comparison needs earlier commits: then the whole history is fetched, without folders.
 */
export function readCommits(git: GitRemote): CommitReader {
  const { ask, talk, needBlobs, needCommit, remote } = git;
  const refs = new Map<string, string>();
  let hasHistory = false;
  // Fetches run one after the other, because fetching a head alone would cut off the history again.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const mine = last.then(run);
    last = mine.catch(() => undefined);
    return mine;
  };

  /** The local ref for a branch of the server. Over time, the branch name could be both a file and a folder. */
  const refOf = (branch: string): string => {
    const known = refs.get(branch) ?? `refs/weft/${refs.size}`;
    refs.set(branch, known);
    return known;
  };
  const how = (): readonly string[] =>
    hasHistory ? [...FETCH, '--filter=tree:0'] : [...FETCH, '--depth=1', '--filter=blob:none'];

  const fetchHead = async (branch: string): Promise<string | null> => {
    await git.requireBranchName(branch);
    const ref = refOf(branch);
    const operation = `read the branch ${branch} of ${remote.name}`;
    const fetch = ['fetch', ...how(), 'origin', `+refs/heads/${branch}:${ref}`];
    const answer = await talk(operation, fetch, ({ stderr }) => isMissingRef(stderr));
    if (!answer.ok) return null;
    return (await ask(operation, ['rev-parse', '--verify', `${ref}^{commit}`])).toString().trim();
  };

  const fetchHistory = async (): Promise<void> => {
    if (hasHistory) return;
    const isShallow = await ask('read the history', ['rev-parse', '--is-shallow-repository']);
    if (isShallow.toString().trim() === 'true') {
      const operation = `read the history of ${remote.name}`;
      const named = await ask(operation, ['for-each-ref', '--format=%(objectname)', 'refs/weft/']);
      const heads = [...new Set(named.toString().split('\n').filter(Boolean))];
      await talk(operation, ['fetch', ...FETCH, '--unshallow', '--filter=tree:0', 'origin', ...heads], () => false);
    }
    hasHistory = true;
  };

  return {
    headOf: (branch) => inTurn(() => fetchHead(branch)),
    readCommit: async (id) => {
      await needCommit(id);
      // `git log` is not used, because it shows no parents for a commit that was fetched alone.
      return { id, ...readCommit(await ask(`read the commit ${id}`, ['cat-file', 'commit', id])) };
    },
    authorOf: async (id) => {
      const output = await ask(`read the commit ${id}`, ['log', '-1', '--format=%an%n%ae', id]);
      const [name = '', email = ''] = output.toString().split('\n');
      return { name, email };
    },
    compare: async (base, head) => {
      await inTurn(fetchHistory);
      for (const it of [base, head]) await needCommit(it);
      return compareCommits(git, base, head);
    },
    readTexts: async (blobs) => {
      if (blobs.length === 0) return [];
      await needBlobs(blobs);
      const names = `${blobs.join('\n')}\n`;
      return textsIn(await ask('read the files', ['cat-file', '--batch'], names));
    },
  };
}

const isMissingRef = (stderr: string): boolean => /couldn't find remote ref/.test(stderr);

/**
 * Splits the output of `git cat-file --batch`: each object is a line `<id> <type> <size>`, its bytes, and a line break.
 * A byte order mark is removed.
 */
function textsIn(batch: Buffer): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; at < batch.length; ) {
    const end = batch.indexOf('\n', at);
    const size = Number(batch.toString('latin1', at, end).split(' ')[2] ?? Number.NaN);
    if (!Number.isInteger(size)) bug('git lists a file that it has not fetched');
    texts.push(new TextDecoder().decode(batch.subarray(end + 1, end + 1 + size)));
    at = end + 1 + size + 1;
  }
  return texts;
}

async function compareCommits({ ask, try: run, remote }: GitRemote, base: string, head: string): Promise<Comparison> {
  const operation = `compare ${base} with ${head} in ${remote.name}`;
  const common = await run(['merge-base', base, head]);
  const [mergeBase = ''] = common.stdout.toString().split('\n');
  if (!common.ok || mergeBase === '')
    throw new ForgeError('refused', {
      operation,
      reason: 'they have no common history',
      status: 0,
      hint: 'delete the branch, or start it over with --force',
    });
  const counted = await ask(operation, ['rev-list', '--left-right', '--count', `${base}...${head}`]);
  const [behind = 0, ahead = 0] = counted.toString().trim().split(/\s+/).map(Number);
  const commits = await ask(operation, ['log', '-z', '--topo-order', '--reverse', FORMAT, head, `^${base}`]);
  return { mergeBase, ahead, behind, commits: commitsIn(commits) };
}

/** The log format: id, tree, parents, and then the unchanged message. */
const FORMAT = '--format=%H%n%T%n%P%n%B';

function commitsIn(log: Buffer): readonly Commit[] {
  return log
    .toString()
    .split('\0')
    .filter((it) => it !== '')
    .map((text) => {
      const [id = '', tree = '', parents = '', ...message] = text.split('\n');
      return { id, tree, parents: parents.split(' ').filter(Boolean), message: message.join('\n') };
    });
}

/**
 * Reads a commit object: header lines with a value after a blank, then an empty line and the message. Source: git,
 * Documentation/gitformat-commit.
 */
function readCommit(bytes: Buffer): Omit<Commit, 'id'> {
  const text = bytes.toString();
  const blank = text.indexOf('\n\n');
  const headers = text.slice(0, blank).split('\n');
  const valuesOf = (name: string): readonly string[] =>
    headers.filter((it) => it.startsWith(`${name} `)).map((it) => it.slice(name.length + 1));
  return { tree: valuesOf('tree')[0] ?? '', parents: valuesOf('parent'), message: text.slice(blank + 2) };
}

/** Writes commits in the name of the token's owner. */
export function writeGitCommits({ try: run, remote }: GitRemote): Pick<ForgeContent, 'writeCommit'> {
  let known: Promise<Author> | undefined;
  return {
    writeCommit: async ({ tree, parents, message }) => {
      known ??= remote.author();
      const { name, email } = await known;
      const who = {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
      };
      const args = ['commit-tree', tree, ...parents.flatMap((it) => ['-p', it])];
      const made = await run(args, { input: message, env: who });
      if (made.ok) return made.stdout.toString().trim();
      throw explainGit(`commit to ${remote.name}`, made.stderr, remote);
    },
  };
}

type BranchWriter = Pick<ForgeContent, 'createBranch' | 'moveBranch' | 'deleteBranch'>;

/**
 * Changes branches of the server, but only from the head that weft has seen: git sends that head, and the server
 * compares it. So a push can be repeated, and no commit of another user is lost. Source: git,
 * Documentation/git-push.txt, `--force-with-lease`.
 */
export function pushBranches(git: GitRemote, headOf: ForgeContent['headOf']): BranchWriter {
  const { try: run, remote } = git;
  return {
    createBranch: async (branch, commit) => {
      const operation = `create the branch ${branch} in ${remote.name}`;
      if (await pushBranch(git, operation, { branch, from: '', to: commit })) return 'created';
      return (await headOf(branch)) === commit ? 'created' : 'exists';
    },
    moveBranch: async (branch, { from, to, force }) => {
      if (!force && !(await run(['merge-base', '--is-ancestor', from, to])).ok) return 'not-a-fast-forward';
      if (await pushBranch(git, `push to the branch ${branch} of ${remote.name}`, { branch, from, to })) return 'moved';
      const head = await headOf(branch);
      return head === to ? 'moved' : head === null ? 'missing' : 'not-a-fast-forward';
    },
    deleteBranch: async (branch, head) => {
      const operation = `delete the branch ${branch} of ${remote.name}`;
      if (await pushBranch(git, operation, { branch, from: head, to: '' })) return 'deleted';
      return (await headOf(branch)) === null ? 'deleted' : 'moved';
    },
  };
}

interface Push {
  readonly branch: string;
  /** The expected head of the branch; empty when the branch must not exist. */
  readonly from: string;
  readonly to: string;
}

/** Pushes a branch; returns false if its head was not the expected one. */
async function pushBranch(git: GitRemote, operation: string, { branch, from, to }: Push): Promise<boolean> {
  await git.requireBranchName(branch);
  const ref = `refs/heads/${branch}`;
  // `--no-thin` avoids deltas to objects that are missing here, which git would fetch.
  const options = ['--porcelain', '--no-thin', '--no-verify', '--no-signed', '--recurse-submodules=no'];
  const args = ['push', ...options, `--force-with-lease=${ref}:${from}`, 'origin', `${to}:${ref}`];
  const answer = await git.talk(operation, args, (it) => hasMoved(`${it.stdout}\n${it.stderr}`));
  return answer.ok;
}

/** True when the branch had another head, before the push or during it. Source: git, transport.c; receive-pack.c. */
const hasMoved = (output: string): boolean =>
  /\[(?:remote )?rejected\] \((?:stale info|cannot lock ref|reference already exists|failed to update ref|fetch first|non-fast-forward|remote ref does not exist|incorrect old value provided)/.test(
    output,
  ) || /unable to delete '.*': remote ref does not exist/.test(output);
