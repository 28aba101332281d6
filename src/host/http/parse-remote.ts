/** A repository on a server, as the address that git clones it from names it. */
interface RemoteAddress {
  /** With the port of an address that is not of SSH. */
  readonly host: string;
  /** The server behind it, without a slash at the end: git over SSH says nothing about a folder that the server is in. */
  readonly origin: string;
  /** Without `.git`, and without slashes around it. */
  readonly path: string;
}

/** Never contains the user or the password of the address. `undefined` for a path on this machine. */
export function parseRemote(url: string): RemoteAddress | undefined {
  // The short form of SSH: a colon before the first slash, and no drive letter.
  const [, shortHost, shortPath] = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/)(.+)$/.exec(url) ?? [];
  if (shortHost !== undefined && shortPath !== undefined) return addressOf('https:', shortHost, shortPath);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.host === '') return undefined;
  const isWeb = parsed.protocol === 'http:' || parsed.protocol === 'https:';
  if (isWeb) return addressOf(parsed.protocol, parsed.host, parsed.pathname);
  return parsed.protocol.includes('ssh') ? addressOf('https:', parsed.hostname, parsed.pathname) : undefined;
}

/** The address of a server, which may be in a folder of its host. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

const addressOf = (protocol: string, host: string, path: string): RemoteAddress => ({
  host,
  origin: `${protocol}//${host}`,
  path: path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, ''),
});
