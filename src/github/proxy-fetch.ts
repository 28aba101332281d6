import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { chooseProxy, type ProxySettings } from './choose-proxy.ts';

/** The requests of octokit: an address, and a body of text. */
interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

const MAX_REDIRECTS = 5;

/**
 * A `fetch` that honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which Node's own ignores. An address without a proxy is left to
 * Node's own.
 */
export const proxyFetch = (proxies: ProxySettings): typeof fetch =>
  (async (input: string, init: Sent = {}) => {
    let address = new URL(input);
    for (let redirects = 0; ; redirects++) {
      const proxy = chooseProxy(address, proxies);
      if (proxy === undefined) return fetch(address, init as RequestInit);
      const response = await sendThrough(proxy, address, init);
      const location = response.headers.get('location');
      const isRedirect = location !== null && response.status >= 300 && response.status < 400;
      if (!isRedirect || (init.method ?? 'GET') !== 'GET' || redirects === MAX_REDIRECTS) return response;
      address = new URL(location, address);
    }
  }) as typeof fetch;

/** As `fetch` does, a failure of the connection is a `TypeError` with the cause. */
async function sendThrough(proxy: URL, address: URL, sent: Sent): Promise<Response> {
  try {
    const tunnel = await openTunnel(proxy, address, sent.signal);
    try {
      return await send(tunnel, address, sent);
    } finally {
      // An end that only one side has closed would keep the process alive.
      tunnel.destroy();
    }
  } catch (error) {
    if (sent.signal?.aborted) throw sent.signal.reason;
    throw new TypeError('fetch failed', { cause: error });
  }
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/** Source: RFC 9110 9.3.6, CONNECT. */
function openTunnel(proxy: URL, address: URL, signal: AbortSignal | undefined): Promise<Socket> {
  const target = `${address.hostname}:${portOf(address)}`;
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? https : http).request({
      ...{ method: 'CONNECT', path: target, hostname: plainHost(proxy), port: portOf(proxy), agent: false },
      headers: { host: target, ...credentials(proxy) },
      ...(signal === undefined ? {} : { signal }),
    });
    request.on('error', reject);
    request.once('connect', ({ statusCode, statusMessage }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused to connect to ${target}: ${statusCode} ${statusMessage}`));
    });
    request.end();
  });
}

function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** An IPv6 address has brackets in a URL alone. */
const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

function send(tunnel: Socket, address: URL, { method = 'GET', headers = {}, body, signal }: Sent): Promise<Response> {
  const isTls = address.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isTls ? https : http).request(address, {
      ...{
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      },
      // One tunnel for one request: weft makes some dozens.
      agent: false,
      createConnection: () => (isTls ? connect({ socket: tunnel, servername: plainHost(address) }) : tunnel),
      ...(signal === undefined ? {} : { signal }),
    });
    // Also after the answer: an error that nobody listens to would end the process.
    for (const it of [request, tunnel]) it.on('error', reject);
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.once('end', () => resolve(responseOf(response, address, Buffer.concat(parts))));
    });
    request.end(body);
  });
}

function responseOf({ statusCode = 0, headers }: http.IncomingMessage, address: URL, body: Buffer): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const response = new Response(body.length === 0 ? null : body, { status: statusCode, headers: entries });
  // Octokit turns pages by the address of the answer, which only a response of `fetch` has.
  return Object.defineProperty(response, 'url', { value: address.href });
}
