import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { cleanUpUnlessDone } from '../disk/clean-up.ts';
import { asDiskError, errorCode } from '../disk/disk-error.ts';
import { EnvironmentError } from '../disk/environment-error.ts';
import { redactor } from '../http/redact.ts';
import { basicToken, remoteEnvironment } from './remote-environment.ts';
import type { RemoteRepository } from './remote-repository.ts';

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
