import { CommandFailure } from '../command-failure.ts';
import { FORGE_KINDS, type ForgeKind, forgeOfCi } from '../host.ts';

/** The environment variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Names of servers that contain the name of their forge, and well-known servers. */
const HOSTS: readonly (readonly [RegExp, ForgeKind])[] = [
  [/(^|\.)github\./, 'github'],
  [/(^|[.-])gitlab([.:-]|$)/, 'gitlab'],
  [/^codeberg\.org$|(^|[.-])forgejo([.:-]|$)/, 'forgejo'],
  [/(^|[.-])gitea([.:-]|$)/, 'gitea'],
];

/** The forge of a clone, from its address; `undefined` for most servers of companies. */
export function forgeOfRemote(url: string): ForgeKind | undefined {
  const host = parseRemote(url)?.host.toLowerCase();
  return host === undefined ? undefined : HOSTS.find(([pattern]) => pattern.test(host))?.[1];
}

interface Signs {
  /** The value of `--forge`. */
  readonly given: string | undefined;
  readonly env: Env;
  /** Reads the address of origin. Called only when nothing else decides. */
  readonly origin: () => Promise<string | undefined>;
}

export async function chooseForge({ given, env, origin }: Signs): Promise<ForgeKind> {
  const asked = FORGE_KINDS.find((it) => it === given);
  if (given !== undefined && asked === undefined)
    throw new CommandFailure(`"${given}" is not a forge`, `choose one of ${FORGE_KINDS.join(', ')}`);
  const known = asked ?? forgeOfCi(env);
  if (known !== undefined) return known;
  const url = await origin();
  return (url === undefined ? undefined : forgeOfRemote(url)) ?? 'github';
}

/** A repository on a server, read from the URL for cloning it. */
interface RemoteAddress {
  /** The host name, with the port unless the URL is an SSH URL. */
  readonly host: string;
  /** The URL of the server without a slash at the end. An SSH URL does not show in which folder it is installed. */
  readonly origin: string;
  /** The path without `.git` and without slashes at its start and end. */
  readonly path: string;
}

/** Parses the URL of a remote, without the user and the password; `undefined` for a path on this machine. */
export function parseRemote(url: string): RemoteAddress | undefined {
  // The short form of SSH: a colon before the first slash, and no drive letter.
  const [, shortHost, shortPath] = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/)(.+)$/.exec(url) ?? [];
  if (shortHost !== undefined && shortPath !== undefined) return remoteAddress('https:', shortHost, shortPath);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.host === '') return undefined;
  const isWeb = parsed.protocol === 'http:' || parsed.protocol === 'https:';
  if (isWeb) return remoteAddress(parsed.protocol, parsed.host, parsed.pathname);
  return parsed.protocol.includes('ssh') ? remoteAddress('https:', parsed.hostname, parsed.pathname) : undefined;
}

/** True for the HTTP URL of a server, which may be in a folder of its host. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** A web address without slashes at its end. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const remoteAddress = (protocol: string, host: string, path: string): RemoteAddress => ({
  host,
  origin: `${protocol}//${host}`,
  path: path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, ''),
});
