import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { errorCode, GitError } from './disk-error.ts';

export interface GitResult {
  readonly ok: boolean;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Disables settings by which the configuration of a repository could make git run a program or contact another machine.
 * Source: git, Documentation/config.
 */
const SETTINGS = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.askPass='],
  ...['credential.helper=', 'diff.external=', 'protocol.allow=never'],
].flatMap((it) => ['-c', it]);

/** The limit of git's output in bytes. A bundle has a few megabytes, but a commit may contain a file of any size. */
export const LARGEST_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Loads the module when git runs: that takes 4 ms, a fiftieth of a command that runs no other program. */
const programs = () => process.getBuiltinModule('node:child_process');

/** Starts git in a folder. Its errors are events. */
export const startGit = (cwd: string, args: readonly string[]): ChildProcessWithoutNullStreams =>
  programs().spawn('git', withSettings(args), { cwd, stdio: 'pipe', env: gitEnvironment(process.env) });

/** Runs git in a folder. A failed command is a result; only a missing git is an error. */
export function runGit(cwd: string, args: readonly string[], input = ''): Promise<GitResult> {
  return new Promise((resolvePromise, reject) => {
    const child = startGit(cwd, args);
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= LARGEST_OUTPUT_BYTES) out.push(part);
      else {
        child.kill();
        reject(outputTooLarge());
      }
    });
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error) => {
      reject(startError(error));
    });
    child.on('close', (status) => {
      resolvePromise({ ok: status === 0, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() });
    });
    // If git has ended, its exit status explains more than this error.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** The synchronous version of `runGit`, for texts that are read on demand. */
export function runGitNow(cwd: string, args: readonly string[], input: string): GitResult {
  const { status, stdout, stderr, error } = programs().spawnSync('git', withSettings(args), {
    cwd,
    input,
    env: gitEnvironment(process.env),
    maxBuffer: LARGEST_OUTPUT_BYTES,
  });
  if (errorCode(error) === 'ENOBUFS') throw outputTooLarge();
  // If git has ended, its exit status explains more than the failed write to its input.
  if (error !== undefined && errorCode(error) !== 'EPIPE') throw startError(error);
  return { ok: status === 0, stdout, stderr: stderr.toString() };
}

const withSettings = (args: readonly string[]): readonly string[] => ['--no-pager', ...SETTINGS, ...args];

export const outputTooLarge = (): GitError =>
  new GitError('the files in that commit are too large to be bundles of weft', 'check the path');

export const startError = (error: Error): Error =>
  errorCode(error) === 'ENOENT'
    ? new GitError('git is not installed', 'install git, or compare with a folder: "weft plan --base-dir DIR"')
    : error;

/** The first line of git's error output, without its `fatal: `. */
export const firstLine = (text: string): string =>
  text
    .trim()
    .split('\n')[0]
    ?.replace(/^fatal: /, '') ?? '';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Variables that git needs to start, to find the repository, and to trust its owner. git accepts SUDO_UID as an owner.
 */
const NEEDED: readonly string[] = [
  ...['PATH', 'Path', 'HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'XDG_CONFIG_HOME', 'APPDATA', 'SUDO_UID'],
  ...['SYSTEMROOT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH'],
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM', 'GIT_EXEC_PATH'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
];

/**
 * The environment of git: an allow-list, so that no token of a job reaches a program that the configuration of a
 * repository may name. With these settings git only reads local objects: it never prompts, fetches, takes a lock or
 * replaces objects. Source: git, Documentation/git.txt, "Environment variables".
 */
export const gitEnvironment = (env: Environment): Record<string, string> => ({
  ...Object.fromEntries(NEEDED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  ...trustedFolders(env),
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
});

/**
 * The trusted folders from the git configuration in the environment. Other entries are dropped: one may contain an HTTP
 * header with a token.
 */
function trustedFolders(env: Environment): Readonly<Record<string, string>> {
  const count = Math.min(Number(env['GIT_CONFIG_COUNT'] ?? '0') || 0, 1000);
  const folders = Array.from({ length: count }, (_, i) => i)
    .filter((i) => env[`GIT_CONFIG_KEY_${i}`]?.toLowerCase() === 'safe.directory')
    .map((i) => env[`GIT_CONFIG_VALUE_${i}`] ?? '');
  return {
    GIT_CONFIG_COUNT: String(folders.length),
    ...Object.fromEntries(
      folders.flatMap((folder, i) => [
        [`GIT_CONFIG_KEY_${i}`, 'safe.directory'],
        [`GIT_CONFIG_VALUE_${i}`, folder],
      ]),
    ),
  };
}

/** The URL of the remote `origin` of the repository around a folder; `undefined` without repository, remote, or git. */
export async function originUrl(cwd: string): Promise<string | undefined> {
  try {
    const { ok, stdout } = await runGit(cwd, ['remote', 'get-url', 'origin']);
    return ok ? stdout.toString().trim() || undefined : undefined;
  } catch (error) {
    // Callers that need git report the error themselves.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
