import type { ProxySettings } from '../../http/proxy-settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The proxies of the environment, in small letters first, as curl reads them. */
export function proxiesOf(env: Env): ProxySettings {
  const set = (name: string): string | undefined => env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
  return { httpProxy: set('HTTP_PROXY'), httpsProxy: set('HTTPS_PROXY'), noProxy: set('NO_PROXY') };
}

/** What must not be printed of them. */
export const passwordsOf = ({ httpProxy, httpsProxy }: ProxySettings): readonly string[] =>
  [httpProxy, httpsProxy].flatMap((it) => {
    const [, password] = /^[^/]*\/\/[^/@]*?:([^/@]+)@/.exec(it ?? '') ?? [];
    return password === undefined ? [] : [password];
  });
