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
