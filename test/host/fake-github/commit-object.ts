import type { GitStore } from './git-store.ts';

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** A date such as `2026-01-01T00:00:00Z`. */
  readonly date: string;
}

export interface CommitObject {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** Seconds only, in UTC: more precise a commit cannot be. */
export const dateOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

const printed = ({ name, email, date }: Signature): string =>
  `${name} <${email}> ${Math.floor(Date.parse(date) / 1000)} +0000`;

export function writeCommit(store: GitStore, commit: Omit<CommitObject, 'id'>): string {
  const text = [
    `tree ${commit.tree}`,
    ...commit.parents.map((it) => `parent ${it}`),
    `author ${printed(commit.author)}`,
    `committer ${printed(commit.committer)}`,
    '',
    commit.message,
  ].join('\n');
  return store.writeCommit(text);
}

export function readCommit(store: GitStore, name: string): CommitObject | null {
  const object = store.read(name);
  if (object?.type !== 'commit') return null;
  const text = object.bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const lines = text.slice(0, end).split('\n');
  const all = (key: string): readonly string[] =>
    lines.filter((it) => it.startsWith(`${key} `)).map((it) => it.slice(key.length + 1));
  return {
    id: object.id,
    tree: all('tree')[0] ?? '',
    parents: all('parent'),
    author: readSignature(all('author')[0] ?? ''),
    committer: readSignature(all('committer')[0] ?? ''),
    // GitHub shows messages without the newlines at their end, which `git commit` writes.
    message: text.slice(end + 2).replace(/\n+$/, ''),
  };
}

function readSignature(line: string): Signature {
  const [, name = '', email = '', seconds = '0'] = /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(line) ?? [];
  return { name, email, date: dateOf(Number(seconds) * 1000) };
}
