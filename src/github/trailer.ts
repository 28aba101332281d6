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
  `${message.trimEnd()}\n\n${SOURCE}: ${source.replace(/\s+/g, ' ')}\n${NAME}: sha256:${digest}\n`;

/** The topology of a commit of weft; `undefined` for commits of others, and of releases that did not name it. */
export const sourceOf = (commit: Commit): string | undefined =>
  isWeftCommit(commit) ? new RegExp(`^${SOURCE}: (.+)$`, 'm').exec(commit.message)?.[1] : undefined;

/** Whether weft created a commit. If a person writes the line by hand, their edits of generated files count as weft's. */
export const isWeftCommit = ({ message }: Commit): boolean =>
  new RegExp(`^${NAME}: sha256:[0-9a-f]{64}$`, 'm').test(message);
