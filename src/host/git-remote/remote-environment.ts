import type { ProxySettings } from '../http/proxy-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What git and its helper for HTTP need to start and to check certificates. */
const NEEDED: readonly string[] = [
  ...['PATH', 'Path', 'SYSTEMROOT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH', 'GIT_EXEC_PATH'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'ALL_PROXY', 'all_proxy'],
];

interface Remote {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  readonly proxies: ProxySettings;
  /** A folder without a configuration and without passwords of the user. */
  readonly home: string;
  /** A file with certificates of authorities. */
  readonly authorities: string | undefined;
}

/**
 * The environment of a git that talks to a server: an allow-list, so that no variable makes git print headers or run a program.
 * The token is an HTTP header in it: no command line, no file and no address contains it. The configuration of the user and of
 * the machine is not read, so every machine makes the same commits.
 * Source: git, Documentation/git.txt, "Environment variables"; Documentation/config/http.txt, `http.<url>.*`.
 */
export function remoteEnvironment(env: Environment, remote: Remote): Record<string, string> {
  const { proxies, home, authorities } = remote;
  const set = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    ...Object.fromEntries(NEEDED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...(env['GIT_SSL_CAINFO'] === undefined ? set('GIT_SSL_CAINFO', authorities) : {}),
    // curl reads the small letters, and HTTP_PROXY only in small letters.
    ...set('http_proxy', proxies.httpProxy),
    ...set('https_proxy', proxies.httpsProxy),
    ...set('no_proxy', proxies.noProxy?.split(/[\s,]+/).join(',')),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
    ...settings([[`http.${remote.url}.extraHeader`, `Authorization: Basic ${basicToken(remote)}`]]),
  };
}

/** What a server could repeat, and what must not be printed. */
export const basicToken = ({ user, token }: Pick<Remote, 'user' | 'token'>): string =>
  Buffer.from(`${user}:${token}`).toString('base64');

const settings = (all: readonly (readonly [string, string])[]): Record<string, string> => ({
  GIT_CONFIG_COUNT: String(all.length),
  ...Object.fromEntries(
    all.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
});
