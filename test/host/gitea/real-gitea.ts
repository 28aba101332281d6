import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A binary of Gitea, or of Forgejo, with its templates in it or at the place that it was built with. */
export const GITEA = process.env['WEFT_TEST_GITEA'] ?? '';

export interface RealGitea {
  readonly url: string;
  /** `weft` may write to the repositories of `acme`, as `ada` may; `boss` owns everything. */
  readonly tokens: Readonly<Record<'boss' | 'weft' | 'ada', string>>;
  /** Waits for the answer, so that a test can look at the server as at a fake. */
  readonly call: (as: 'boss' | 'weft' | 'ada', method: string, path: string, body?: object) => RealAnswer;
  readonly stop: () => Promise<void>;
}

interface RealAnswer {
  readonly status: number;
  readonly body: never;
}

/** Milliseconds. Its first start makes a database. */
const START_MILLISECONDS = 60_000;

/** A server of its own on a free port, with a database in a folder of its own. */
export async function startGitea(): Promise<RealGitea> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-gitea-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, 'conf'));
  writeFileSync(join(folder, 'conf/app.ini'), settings(folder, port));
  const env = { PATH: process.env['PATH'], HOME: folder, GITEA_WORK_DIR: folder, FORGEJO_WORK_DIR: folder };
  const args = ['--config', join(folder, 'conf/app.ini')];
  const server = spawn(GITEA, ['web', ...args], { cwd: folder, env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.on('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answering(url);
    const admin = (...more: readonly string[]): string =>
      execFileSync(GITEA, ['admin', 'user', ...more, ...args], { cwd: folder, env, encoding: 'utf8' });
    const signUp = (name: string, scopes: string, ...more: readonly string[]): string => {
      const account = ['--username', name, '--email', `${name}@example.com`, '--password', 'Pass-word-1'];
      admin('create', ...account, '--must-change-password=false', ...more);
      const token = ['--username', name, '--token-name', 'test', '--scopes', scopes, '--raw'];
      return (
        admin('generate-access-token', ...token)
          .trim()
          .split('\n')
          .at(-1) ?? ''
      );
    };
    const scopes = 'write:repository,write:issue,read:user';
    const tokens = { boss: signUp('boss', 'all', '--admin'), weft: signUp('weft', scopes), ada: signUp('ada', scopes) };
    const call: RealGitea['call'] = (as, method, path, body) =>
      callNow(`${url}/api/v1${path}`, tokens[as], method, body);
    call('boss', 'POST', '/orgs', { username: 'acme' });
    return { url, tokens, call, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const settings = (folder: string, port: number): string => `
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
RUN_MODE = prod
WORK_PATH = ${folder}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${folder}/gitea.db
[security]
INSTALL_LOCK = true
PASSWORD_HASH_ALGO = pbkdf2_v1
[service]
DISABLE_REGISTRATION = true
[repository]
DEFAULT_BRANCH = main
[log]
MODE = file
LEVEL = error
ROOT_PATH = ${folder}/log
[indexer]
ISSUE_INDEXER_TYPE = db
`;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

async function answering(url: string): Promise<void> {
  const end = Date.now() + START_MILLISECONDS;
  while (Date.now() < end) {
    const answer = await fetch(`${url}/api/v1/version`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${GITEA} did not start`);
}

const SCRIPT = `
const { url, token, method, body } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const headers = { authorization: 'token ' + token, 'content-type': 'application/json' };
fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }).then(async (it) => {
  const text = await it.text();
  process.stdout.write(JSON.stringify({ status: it.status, body: text === '' ? null : JSON.parse(text) }));
});`;

function callNow(url: string, token: string, method: string, body?: object): RealAnswer {
  const input = JSON.stringify({ url, token, method, body });
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', SCRIPT], { input, encoding: 'utf8' });
  if (stdout === '') throw new Error(`${method} ${url}: ${stderr}`);
  return JSON.parse(stdout);
}
