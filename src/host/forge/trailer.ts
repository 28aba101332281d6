import type { Commit } from './forge.ts';

const NAME = 'Weft-Topology-Digest';
const SOURCE = 'Weft-Topology';

interface Trailer {
  /** Which topology: its path in the repository, after `owner/name:` if that is another repository. */
  readonly source: string;
  /** SHA-256 of the topology, in hex. */
  readonly digest: string;
}

/** A commit message with the lines that identify commits of weft. They name no time and no run. */
export const withTrailer = (message: string, { source, digest }: Trailer): string =>
  `${message.trimEnd()}\n\n${SOURCE}: ${encoded(source)}\n${NAME}: sha256:${digest}\n`;

/** The topology of a commit of weft; `undefined` for commits of others, and of releases that did not name it. */
export function sourceOf(commit: Commit): string | undefined {
  const source = isWeftCommit(commit) ? new RegExp(`^${SOURCE}: (.+)$`, 'm').exec(commit.message)?.[1] : undefined;
  return source === undefined ? undefined : decoded(source);
}

/** Whether weft created a commit. If a person writes the line by hand, their edits of generated files count as weft's. */
export const isWeftCommit = ({ message }: Commit): boolean =>
  new RegExp(`^${NAME}: sha256:[0-9a-f]{64}$`, 'm').test(message);

/** Whether a text would be read as such a line. */
export const hasTrailer = (text: string): boolean => new RegExp(`^(${SOURCE}|${NAME}):`, 'm').test(text);

/** A path on one line that mentions nobody and closes no issue, whatever its characters are. */
const encoded = (source: string): string =>
  source
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replaceAll('%20', ' ')
    // After the name of another repository.
    .replace(/^([\w.-]+\/[\w.-]+)%3A(?!%3A)/, '$1:')
    .replace(/\b(GH)-(?=\d)/gi, '$1%2D');

function decoded(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    // An earlier release wrote it as it is.
    return source;
  }
}
