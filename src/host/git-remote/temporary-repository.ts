import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { asDiskError, EnvironmentError, errorCode } from '../disk/disk-error.ts';
import { cleanUpUnlessDone } from '../disk/tree/process-lock.ts';
import type { Author, ForgeFailure } from '../forge/forge.ts';
import type { ProxySettings } from '../http/proxies.ts';
import { redactor } from '../http/rest-client.ts';
import type { Waiting } from '../http/retries.ts';

export interface GitAnswer {
  readonly ok: boolean;
  readonly stdout: Buffer;
  /** The error output, with the token masked. */
  readonly stderr: string;
}

interface GitCall {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** A temporary bare repository of this process, in which git runs one command at a time. */
export interface TemporaryRepository {
  readonly folder: string;
  readonly run: (args: readonly string[], call?: GitCall) => Promise<GitAnswer>;
  readonly remove: () => Promise<void>;
}

/**
 * Disables settings by which git could run another program, keep a secret, change bytes, or wait forever. Source: git,
 * Documentation/config.
 */
const SETTINGS = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.askPass=', 'credential.helper=', 'gc.auto=0'],
  ...['maintenance.auto=false', 'protocol.allow=never', 'protocol.http.allow=always', 'protocol.https.allow=always'],
  // Redirects are off, so that the header with the token is sent to no other address.
  ...['http.followRedirects=false', 'http.emptyAuth=false'],
  // The minimum of bytes per second, and the seconds after which a slower transfer fails.
  ...['http.lowSpeedLimit=1', 'http.lowSpeedTime=90'],
  // Sends a pack in one piece; above this size git sends it in chunks, which some proxies do not accept.
  'http.postBuffer=67108864',
].flatMap((it) => ['-c', it]);

/** The first release of git that reads settings from the environment: GIT_CONFIG_COUNT. */
const OLDEST_GIT = [2, 31] as const;

/** The limit for one command, also when the server still sends a byte now and then. */
const TIMEOUT_MILLISECONDS = 15 * 60_000;

export async function temporaryRepository(
  remote: RemoteRepository,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TemporaryRepository> {
  const folder = await newFolder();
  const done = cleanUpUnlessDone(() => rmSync(folder, { recursive: true, force: true }));
  const remove = async (): Promise<void> => {
    done();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const authorities = await writeAuthorities(folder, env['NODE_EXTRA_CA_CERTS']);
    const environment = remoteEnvironment(env, { ...remote, home: folder, authorities });
    const redact = redactor([remote.token, basicToken(remote)]);
    let last: Promise<unknown> = Promise.resolve();
    const run: TemporaryRepository['run'] = (args, call = {}) => {
      const mine = last.then(() => runRemoteGit({ args, call, folder, environment, redact }));
      last = mine.catch(() => undefined);
      return mine;
    };
    await requireGit(run);
    const made = await run(['init', '--quiet', '--bare', '--template=', '.']);
    if (!made.ok) throw new EnvironmentError(`git cannot make a repository: ${made.stderr.trim()}`);
    return { folder, run, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function newFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'weft-git-'));
  } catch (error) {
    throw asDiskError(error, tmpdir());
  }
}

/**
 * Writes a file with certificates of authorities. git trusts one such file instead of its own, so the additional
 * certificates of NODE_EXTRA_CA_CERTS are appended to all that Node knows.
 */
async function writeAuthorities(folder: string, extra: string | undefined): Promise<string | undefined> {
  if (extra === undefined || extra === '') return undefined;
  const more = await readFile(extra, 'utf8').catch(() => undefined);
  // Node itself ignores a file that it cannot read.
  if (more === undefined) return undefined;
  const file = join(folder, 'authorities.pem');
  await writeFile(file, `${[...rootCertificates, more].join('\n')}\n`);
  return file;
}

async function requireGit(run: TemporaryRepository['run']): Promise<void> {
  const { stdout } = await run(['--version']);
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  const [atLeast, andThen] = OLDEST_GIT;
  if (Number(major) > atLeast || (Number(major) === atLeast && Number(minor) >= andThen)) return;
  throw new EnvironmentError(
    `git ${major}.${minor} is too old to send manifests`,
    `install git ${OLDEST_GIT.join('.')} or newer`,
  );
}

interface Run {
  readonly args: readonly string[];
  readonly call: GitCall;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly redact: (text: string) => string;
}

function runRemoteGit({ args, call, folder, environment, redact }: Run): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--no-pager', ...SETTINGS, ...args], {
      cwd: folder,
      stdio: 'pipe',
      timeout: TIMEOUT_MILLISECONDS,
      env: { ...environment, GIT_DIR: folder, ...call.env },
    });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.stderr.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error) => {
      const isMissing = errorCode(error) === 'ENOENT';
      reject(isMissing ? new EnvironmentError('git is not installed', 'install git: weft pushes with it') : error);
    });
    child.on('close', (status, signal) => {
      const timeoutText =
        signal === null ? '' : `\nfatal: git did not end within ${TIMEOUT_MILLISECONDS / 60_000} minutes`;
      const stderr = redact(Buffer.concat(err).toString() + timeoutText);
      resolve({ ok: status === 0, stdout: Buffer.concat(out), stderr });
    });
    // If git has ended, its exit status explains more than this error.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input ?? '');
  });
}

type RemoteEnvironment = Readonly<Record<string, string | undefined>>;

/** Variables that git and its HTTP helper need to start and to check certificates. */
const NEEDED: readonly string[] = [
  ...['PATH', 'Path', 'SYSTEMROOT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH', 'GIT_EXEC_PATH'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'ALL_PROXY', 'all_proxy'],
];

interface Remote {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  readonly proxies: ProxySettings;
  /** A folder without configuration files and without stored passwords of the user. */
  readonly home: string;
  /** A file with certificates of authorities. */
  readonly authorities: string | undefined;
}

/**
 * The environment of a git process that contacts a server: an allow-list, so that no variable makes git print headers
 * or run a program. The token is passed in it as an HTTP header: no command line, no file and no URL contains it. The
 * configuration of the user and of the machine is not read, so every machine creates the same commits.
 * Source: git, Documentation/git.txt, "Environment variables"; Documentation/config/http.txt, `http.<url>.*`.
 */
function remoteEnvironment(env: RemoteEnvironment, remote: Remote): Record<string, string> {
  const { proxies, home, authorities } = remote;
  const set = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    ...Object.fromEntries(NEEDED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...(env['GIT_SSL_CAINFO'] === undefined ? set('GIT_SSL_CAINFO', authorities) : {}),
    // curl reads these names in lower case; HTTP_PROXY only in lower case.
    ...set('http_proxy', proxies.httpProxy),
    ...set('https_proxy', proxies.httpsProxy),
    ...set('no_proxy', proxies.noProxy?.split(/[\s,]+/).join(',')),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
    ...settings([
      [`http.${remote.url}.extraHeader`, `Authorization: Basic ${basicToken(remote)}`],
      ['remote.origin.url', remote.url],
      // git fetches missing objects from a promisor when it reads them.
      ['remote.origin.promisor', 'true'],
      ['remote.origin.partialclonefilter', 'blob:none'],
    ]),
  };
}

/** The value of the authorization header. A server could repeat it in a message, so it is masked like the token. */
const basicToken = ({ user, token }: Pick<Remote, 'user' | 'token'>): string =>
  Buffer.from(`${user}:${token}`).toString('base64');

const settings = (all: readonly (readonly [string, string])[]): Record<string, string> => ({
  GIT_CONFIG_COUNT: String(all.length),
  ...Object.fromEntries(
    all.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
});

/** A repository on a server that supports git over HTTP. */
export interface RemoteRepository extends Waiting {
  /** The URL for cloning, without user and password. */
  readonly url: string;
  /** The name of the repository in messages. */
  readonly name: string;
  /** The name of the server in messages: `GitLab`. */
  readonly forge: string;
  /** The user name that belongs to the token, for basic authentication. */
  readonly user: string;
  readonly token: string;
  /** Returns the author and committer of commits. Called once, before the first commit. */
  readonly author: () => Promise<Author>;
  readonly proxies: ProxySettings;
  /** Remedies by failure, where the forge has its own advice. */
  readonly hints: Partial<Readonly<Record<ForgeFailure, string>>>;
}
