import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { asDiskError, EnvironmentError, errorCode } from '../disk/disk-error.ts';
import { cleanUpUnlessDone } from '../disk/write-files.ts';
import type { Author } from '../forge/forge.ts';
import type { ForgeFailure } from '../forge/forge-error.ts';
import type { Waiting } from '../http/clock.ts';
import type { ProxySettings } from '../http/proxies.ts';
import { redactor } from '../http/redact.ts';

export interface GitAnswer {
  readonly ok: boolean;
  readonly stdout: Buffer;
  /** Without the token. */
  readonly stderr: string;
}

interface GitCall {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** A bare repository of this process, and git in it, one command at a time. */
export interface TemporaryRepository {
  readonly folder: string;
  readonly run: (args: readonly string[], call?: GitCall) => Promise<GitAnswer>;
  readonly remove: () => Promise<void>;
}

/** Settings by which git could run another program, keep a secret, change bytes, or wait forever. Source: git, Documentation/config. */
const SETTINGS = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.askPass=', 'credential.helper=', 'gc.auto=0'],
  ...['maintenance.auto=false', 'protocol.allow=never', 'protocol.http.allow=always', 'protocol.https.allow=always'],
  // The header with the token goes to no other address.
  ...['http.followRedirects=false', 'http.emptyAuth=false'],
  // Bytes each second, and seconds.
  ...['http.lowSpeedLimit=1', 'http.lowSpeedTime=90'],
  // A pack in one piece; above that size git sends it in chunks, which some proxies do not accept.
  'http.postBuffer=67108864',
].flatMap((it) => ['-c', it]);

/** The first release of git that reads settings from the environment: GIT_CONFIG_COUNT. */
const OLDEST_GIT = [2, 31] as const;

/** Milliseconds. A server that sends a byte now and then does not keep a job longer than this. */
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
      const mine = last.then(() => runGit({ args, call, folder, environment, redact }));
      last = mine.catch(() => undefined);
      return mine;
    };
    await requireGit(run);
    // A promisor: objects that are missing are fetched when git reads them.
    const made = [
      await run(['init', '--quiet', '--bare', '--template=', '.']),
      await run(['config', 'remote.origin.url', remote.url]),
      await run(['config', 'remote.origin.promisor', 'true']),
      await run(['config', 'remote.origin.partialclonefilter', 'blob:none']),
    ];
    const failed = made.find((it) => !it.ok);
    if (failed !== undefined) throw new EnvironmentError(`git cannot make a repository: ${failed.stderr.trim()}`);
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

/** git trusts one file of authorities instead of its own, so what Node trusts in addition is put below all that Node knows. */
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

function runGit({ args, call, folder, environment, redact }: Run): Promise<GitAnswer> {
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
      const said = signal === null ? '' : `\nfatal: git did not end within ${TIMEOUT_MILLISECONDS / 60_000} minutes`;
      const stderr = redact(Buffer.concat(err).toString() + said);
      resolve({ ok: status === 0, stdout: Buffer.concat(out), stderr });
    });
    // If git has ended, its exit status explains more than this error.
    child.stdin.on('error', () => {});
    child.stdin.end(call.input ?? '');
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What git and its helper for HTTP need to start and to check certificates. */
const NEEDED: readonly string[] = [
  ...['PATH', 'Path', 'SYSTEMROOT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH', 'GIT_EXEC_PATH'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'ALL_PROXY', 'all_proxy'],
];

interface Remote {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  readonly proxies: ProxySettings;
  /** A folder without a configuration and without passwords of the user. */
  readonly home: string;
  /** A file with certificates of authorities. */
  readonly authorities: string | undefined;
}

/**
 * The environment of a git that talks to a server: an allow-list, so that no variable makes git print headers or run a program.
 * The token is an HTTP header in it: no command line, no file and no address contains it. The configuration of the user and of
 * the machine is not read, so every machine makes the same commits.
 * Source: git, Documentation/git.txt, "Environment variables"; Documentation/config/http.txt, `http.<url>.*`.
 */
function remoteEnvironment(env: Environment, remote: Remote): Record<string, string> {
  const { proxies, home, authorities } = remote;
  const set = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    ...Object.fromEntries(NEEDED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...(env['GIT_SSL_CAINFO'] === undefined ? set('GIT_SSL_CAINFO', authorities) : {}),
    // curl reads the small letters, and HTTP_PROXY only in small letters.
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
    ...settings([[`http.${remote.url}.extraHeader`, `Authorization: Basic ${basicToken(remote)}`]]),
  };
}

/** What a server could repeat, and what must not be printed. */
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

/** A repository on a server that speaks git over HTTP. */
export interface RemoteRepository extends Waiting {
  /** The address to clone it from, without user and password. */
  readonly url: string;
  /** As messages show it. */
  readonly name: string;
  /** As messages call the server: `GitLab`. */
  readonly forge: string;
  /** The user name that belongs to the token, for basic authentication. */
  readonly user: string;
  readonly token: string;
  /** The author and committer of commits. It is asked for once, before the first commit. */
  readonly author: () => Promise<Author>;
  readonly proxies: ProxySettings;
  /** What to do about a failure, where the forge has its own advice. */
  readonly hints: Partial<Readonly<Record<ForgeFailure, string>>>;
}
