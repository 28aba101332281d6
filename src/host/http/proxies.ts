import { type Forge, ForgeError, type Repository } from '../forge/forge.ts';

/**
 * A `fetch` that honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which Node's own `fetch` ignores before release 24.
 * Node's `fetch` sends requests without a proxy; undici is loaded only for a proxy.
 */
function proxyFetch(proxies: ProxySettings): typeof fetch {
  let through: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    const { protocol } = new URL(input instanceof Request ? input.url : input);
    if ((protocol === 'https:' ? proxies.httpsProxy : proxies.httpProxy) === undefined) return fetch(input, init);
    through ??= openProxies(proxies);
    return (await through)(input, init);
  };
}

async function openProxies({ httpProxy, httpsProxy, noProxy = '' }: ProxySettings): Promise<typeof fetch> {
  const dispatcher = {
    // An empty text means no proxy; without a value undici would read the environment itself.
    httpProxy: proxyAddress('HTTP_PROXY', httpProxy) ?? '',
    httpsProxy: proxyAddress('HTTPS_PROXY', httpsProxy) ?? '',
    noProxy: noProxy.split(/[\s,]+/).join(','),
  };
  const { EnvHttpProxyAgent, Pool, fetch: fetchThrough } = (await import('undici')).default;
  const agent = new EnvHttpProxyAgent({
    ...dispatcher,
    clientFactory: (proxy, options) => {
      const pool = new Pool(proxy, options);
      const connect = pool.connect.bind(pool) as (request: object) => Promise<ProxyAnswer>;
      pool.connect = askedProxy(connect) as typeof pool.connect;
      return pool;
    },
  });
  // The types of undici's own fetch and of Node's differ in details that octokit does not use.
  return ((input: string, init: object) =>
    fetchThrough(input, { ...init, dispatcher: agent })) as unknown as typeof fetch;
}

interface ProxyAnswer {
  readonly statusCode: number;
  readonly socket: { readonly on: (event: 'error', ignore: () => void) => { readonly destroy: () => unknown } };
}

/**
 * Asks a proxy for a tunnel once. A refusal is an error that names its answer, of a kind that undici reports at once:
 * after a closed connection it would ask again without a pause. Source: undici 7.30.2, lib/dispatcher/client.js
 * (onError), proxy-agent.js.
 */
const askedProxy =
  (ask: (request: object) => Promise<ProxyAnswer>) =>
  async (request: object): Promise<ProxyAnswer> => {
    const answer = await ask(request).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`the proxy gave no connection: ${reason}`);
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw new Error(`the proxy answered ${answer.statusCode} instead of opening a connection`);
  };

/** Matches the reason of a request that a proxy refuses, which another attempt does not change. */
export const REFUSED_BY_PROXY = /^the proxy answered 4\d\d/;

/** The proxies of this machine, as the environment names them. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  /** Hosts that are reached without a proxy, separated by commas or blanks; `*` for all. */
  readonly noProxy?: string | undefined;
}

/** The URL of an HTTP proxy from a variable, which may omit `http://`. */
export function proxyAddress(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = /^\w+:\/\//.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy.href;
  // The value may contain a password, so it is not shown.
  throw new ForgeError('refused', {
    operation: `use the proxy in ${name}`,
    reason: 'its value is not the address of an HTTP proxy',
    status: 0,
    hint: 'write it as http://HOST:PORT',
  });
}

/** The time after which a request has failed. GitHub needs some seconds for a tree of a hundred files. */
const TIMEOUT_MILLISECONDS = 120_000;

/** A `fetch` through the proxies of this machine, with a timeout. */
export function networkFetch(proxies: ProxySettings): typeof fetch {
  const send = proxyFetch(proxies);
  return (input, init) => send(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
}

interface ForgeSettings {
  readonly repository: Repository;
  readonly token: string;
  readonly apiUrl: string;
  /** The version of weft. */
  readonly version: string;
  /** Prints a line for a user who waits. */
  readonly notify: (line: string) => void;
  readonly proxies: ProxySettings;
  /** The environment of this process, from which git gets what it needs. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Creates a forge from its settings. Tests use one that connects to a fake. */
export type ConnectForge = (settings: ForgeSettings) => Promise<Forge>;
