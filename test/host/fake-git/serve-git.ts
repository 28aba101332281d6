import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { GIT_ENV } from '../fake-github/git-store.ts';

/** A request of git as the server sees it. */
export interface GitRequest {
  readonly method: string;
  /** `acme/fleet` */
  readonly repository: string;
  readonly service: 'git-upload-pack' | 'git-receive-pack';
  readonly isPost: boolean;
  /** The user of basic authentication; empty without it. */
  readonly user: string;
  readonly password: string;
  readonly headers: IncomingMessage['headers'];
}

/** The effect of a test on a request, instead of an answer or in addition to it. */
export type GitFault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  /** The connection ends without an answer, before or after git has done its work. */
  | { readonly kind: 'hang up'; readonly after: boolean };

export interface GitServerOptions {
  /** The folder with bare repositories, `owner/name.git`. */
  readonly root: string;
  /** The status of a refusal; `null` if access is granted. */
  readonly refuse: (request: GitRequest) => 401 | 403 | 404 | null;
  /** Called before git works on a request. */
  readonly before?: (request: GitRequest) => Promise<GitFault | null>;
  /** Called after a push, before its answer. */
  readonly pushed?: (repository: string) => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitServer {
  readonly url: string;
  readonly requests: readonly GitRequest[];
  readonly close: () => Promise<void>;
}

/** The real git over HTTP: `git http-backend` behind a server on loopback, with basic authentication as forges have it. */
export async function serveGit(options: GitServerOptions): Promise<GitServer> {
  const requests: GitRequest[] = [];
  const server = createServer((incoming, answer) => {
    const request = gitRequest(incoming);
    if (request === null) return end(answer, 404, 'not git');
    requests.push(request);
    void handle(options, request, { incoming, answer }).catch((error: unknown) => end(answer, 500, String(error)));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closed(server) };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

interface Connection {
  readonly incoming: IncomingMessage;
  readonly answer: ServerResponse;
}

function gitRequest(incoming: IncomingMessage): GitRequest | null {
  const url = new URL(incoming.url ?? '/', 'http://git');
  const [, repository, tail] = /^\/(.+?)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(url.pathname) ?? [];
  const service = tail === 'info/refs' ? url.searchParams.get('service') : tail;
  if (repository === undefined || (service !== 'git-upload-pack' && service !== 'git-receive-pack')) return null;
  const [, basic = ''] = /^Basic (\S+)$/.exec(incoming.headers.authorization ?? '') ?? [];
  const [user = '', ...password] = Buffer.from(basic, 'base64').toString().split(':');
  return {
    method: incoming.method ?? 'GET',
    repository: decodeURIComponent(repository),
    service,
    isPost: incoming.method === 'POST',
    user,
    password: password.join(':'),
    headers: incoming.headers,
  };
}

function end(answer: ServerResponse, status: number, body: string): void {
  // The header by which forges request a password.
  const ask = status === 401 ? { 'WWW-Authenticate': 'Basic realm="git"' } : {};
  answer.writeHead(status, { 'Content-Type': 'text/plain', ...ask }).end(body);
}

async function handle(options: GitServerOptions, request: GitRequest, { incoming, answer }: Connection): Promise<void> {
  const refused = options.refuse(request);
  if (refused !== null) return end(answer, refused, 'no access');
  const fault = (await options.before?.(request)) ?? null;
  if (fault?.kind === 'status') return end(answer, fault.status, fault.body ?? '');
  if (fault?.kind === 'hang up' && !fault.after) {
    incoming.socket.destroy();
    return undefined;
  }
  const { head, body } = await backend(options, request, incoming);
  if (request.isPost && request.service === 'git-receive-pack') await options.pushed?.(request.repository);
  if (fault?.kind === 'hang up') {
    incoming.socket.destroy();
    return undefined;
  }
  const headers = Object.fromEntries(head.map((it) => [it.slice(0, it.indexOf(':')), it.slice(it.indexOf(':') + 2)]));
  const status = Number(/^\d+/.exec(headers['Status'] ?? '')?.[0] ?? 200);
  answer.writeHead(status, headers).end(body);
  return undefined;
}

interface BackendAnswer {
  readonly head: readonly string[];
  readonly body: Buffer;
}

/**
 * Answers of version 2 of the protocol before a fetch: the abilities of git, which are those of every repository. It has no
 * branches, which are asked for next. Source: git, Documentation/gitprotocol-v2.txt, "Capability Advertisement".
 */
const ABILITIES = new Map<string, Promise<BackendAnswer>>();

function backend(options: GitServerOptions, request: GitRequest, incoming: IncomingMessage): Promise<BackendAnswer> {
  const { root, env = {} } = options;
  const isOfAll = !request.isPost && request.service === 'git-upload-pack';
  const isThere = existsSync(join(root, `${request.repository}.git`, 'HEAD'));
  if (!isOfAll || !isThere || incoming.headers['git-protocol'] !== 'version=2')
    return runBackend(options, request, incoming);
  const key = JSON.stringify(env);
  const known = ABILITIES.get(key) ?? runBackend(options, request, incoming);
  ABILITIES.set(key, known);
  return known;
}

/** Runs git as a CGI program. Source: git, Documentation/git-http-backend.txt. */
function runBackend(
  { root, env }: GitServerOptions,
  { repository, service, isPost, user }: GitRequest,
  incoming: IncomingMessage,
): Promise<BackendAnswer> {
  return new Promise((resolve, reject) => {
    const settings = ['http.receivepack=true', 'uploadpack.allowFilter=true'];
    const header = (name: string): string => String(incoming.headers[name] ?? '');
    const child = spawn('git', [...settings.flatMap((it) => ['-c', it]), 'http-backend'], {
      env: {
        ...GIT_ENV,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: `/${repository}.git/${isPost ? service : 'info/refs'}`,
        QUERY_STRING: isPost ? '' : `service=${service}`,
        REQUEST_METHOD: isPost ? 'POST' : 'GET',
        CONTENT_TYPE: header('content-type'),
        HTTP_CONTENT_ENCODING: header('content-encoding'),
        GIT_PROTOCOL: header('git-protocol'),
        REMOTE_USER: user,
        REMOTE_ADDR: '127.0.0.1',
        ...(incoming.headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: header('content-length') }),
        ...env,
      },
    });
    const out: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => out.push(part));
    child.on('error', reject);
    child.on('close', () => {
      const all = Buffer.concat(out);
      const blank = all.indexOf('\r\n\r\n');
      if (blank < 0) return reject(new Error('git http-backend answered nothing'));
      return resolve({
        head: all.subarray(0, blank).toString('latin1').split('\r\n'),
        body: all.subarray(blank + 4),
      });
    });
    child.stdin.on('error', () => {});
    incoming.pipe(child.stdin);
  });
}
