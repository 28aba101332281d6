import type { Commit } from './forge.ts';

const NAME = 'Weft-Topology-Digest';

/** A commit message with the line that identifies commits of weft. It names no time and no run. */
export const withTrailer = (message: string, digest: string): string =>
  `${message.trimEnd()}\n\n${NAME}: sha256:${digest}\n`;

/** Whether weft created a commit. If a person writes the line by hand, their edits of generated files count as weft's. */
export const isWeftCommit = ({ message }: Commit): boolean =>
  new RegExp(`^${NAME}: sha256:[0-9a-f]{64}$`, 'm').test(message);
