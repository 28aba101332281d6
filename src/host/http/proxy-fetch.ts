import type { ProxySettings } from './proxy-settings.ts';
import { proxyAddress } from './proxy-settings.ts';

/**
 * A `fetch` that honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which Node's own ignores before release 24. An address
 * without a proxy is left to Node's own. undici is loaded for a proxy only.
 */
export function proxyFetch(proxies: ProxySettings): typeof fetch {
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
    // An empty text is no proxy; without a value undici would read the environment itself.
    httpProxy: proxyAddress('HTTP_PROXY', httpProxy) ?? '',
    httpsProxy: proxyAddress('HTTPS_PROXY', httpsProxy) ?? '',
    noProxy: noProxy.split(/[\s,]+/).join(','),
  };
  const { EnvHttpProxyAgent, fetch: fetchThrough } = (await import('undici')).default;
  const agent = new EnvHttpProxyAgent(dispatcher);
  // The types of undici's own fetch and of Node's differ in details that octokit does not use.
  return ((input: string, init: object) =>
    fetchThrough(input, { ...init, dispatcher: agent })) as unknown as typeof fetch;
}
