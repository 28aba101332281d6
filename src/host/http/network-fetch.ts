import { proxyFetch } from './proxy-fetch.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** A tree of a hundred files takes GitHub some seconds; a request that takes this long has failed. */
const TIMEOUT_MILLISECONDS = 120_000;

/** A `fetch` through the proxies of this machine that ends after a while. */
export function networkFetch(proxies: ProxySettings): typeof fetch {
  const send = proxyFetch(proxies);
  return (input, init) => send(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
}
