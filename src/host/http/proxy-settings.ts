import { ForgeError } from '../forge/forge-error.ts';

/** The proxies through which this machine reaches others, as the environment names them. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  /** Hosts that are reached without a proxy, with commas or blanks between them; `*` for all. */
  readonly noProxy?: string | undefined;
}

/** The address of an HTTP proxy, which a variable may give without `http://`. */
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
