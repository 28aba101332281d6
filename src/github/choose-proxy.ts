import { ForgeError } from './forge-error.ts';

/** The proxies through which this machine reaches others, as the environment names them. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  /** Hosts that are reached without a proxy, with commas or blanks between them; `*` for all. */
  readonly noProxy?: string | undefined;
}

/** The proxy for an address; `undefined` to reach it directly. */
export function chooseProxy(address: URL, { httpProxy, httpsProxy, noProxy = '' }: ProxySettings): URL | undefined {
  const isTls = address.protocol === 'https:';
  const proxy = isTls ? httpsProxy : httpProxy;
  if (proxy === undefined || noProxy.split(/[\s,]+/).some((it) => covers(it.toLowerCase(), address))) return undefined;
  return parseProxy(isTls ? 'HTTPS_PROXY' : 'HTTP_PROXY', proxy);
}

/** An entry is a host with all hosts below it, also with a dot or `*.` before it, and may name one port. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, host = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (host === '' || (only !== undefined && only !== actual)) return false;
  return hostname === host || hostname.endsWith(`.${host}`);
}

function parseProxy(name: string, value: string): URL {
  const text = /^\w+:\/\//.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
  // The value may contain a password, so it is not shown.
  throw new ForgeError('refused', {
    operation: `use the proxy in ${name}`,
    reason: 'its value is not the address of an HTTP proxy',
    status: 0,
    hint: 'write it as http://HOST:PORT',
  });
}
