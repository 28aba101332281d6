import type { Commit, Comparison } from './forge.ts';

const NAME = 'Weft-Topology-Digest';
const SOURCE = 'Weft-Topology';

interface Trailer {
  /** The path of the topology in the repository, after `owner/name:` if that is another repository. */
  readonly source: string;
  /** SHA-256 of the topology, in hex. */
  readonly digest: string;
}

/** A commit message with the lines that identify commits of weft. They name no time and no run. */
export const withTrailer = (message: string, { source, digest }: Trailer): string =>
  `${message.trimEnd()}\n\n${SOURCE}: ${encodedSource(source)}\n${NAME}: sha256:${digest}\n`;

/** The topology of a commit of weft; `undefined` for commits of others, and of releases that did not name it. */
export function sourceOf(commit: Commit): string | undefined {
  const source = isWeftCommit(commit) ? new RegExp(`^${SOURCE}: (.+)$`, 'm').exec(commit.message)?.[1] : undefined;
  return source === undefined ? undefined : decodedSource(source);
}

/** True if weft created a commit. Edits of generated files by a person who writes the line count as weft's. */
export const isWeftCommit = ({ message }: Commit): boolean =>
  new RegExp(`^${NAME}: sha256:[0-9a-f]{64}$`, 'm').test(message);

/** True if a text contains such a line. */
export const hasTrailer = (text: string): boolean => new RegExp(`^(${SOURCE}|${NAME}):`, 'm').test(text);

/** Encodes a path as one line that mentions no user and closes no issue. */
const encodedSource = (source: string): string =>
  source
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replaceAll('%20', ' ')
    // The colon after the name of another repository.
    .replace(/^([\w.-]+\/[\w.-]+)%3A(?!%3A)/, '$1:')
    .replace(/\b(GH)-(?=\d)/gi, '$1%2D');

function decodedSource(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    // An earlier release did not encode the path.
    return source;
  }
}

/** Commits of a branch whose changes are not in base. */
interface Pending {
  /** The commit from which the branch's own changes count. */
  readonly since: string;
  /** True if a squash or a rebase merged the commits up to `since` as other commits. */
  readonly wasMerged: boolean;
  /** The commits, the oldest first. */
  readonly commits: readonly Commit[];
}

/**
 * After a squash or a rebase, base has the changes of the branch but not its commits. git takes all of them for new,
 * and a merge would restore files that base has removed. So the last commit of a merged pull request is common.
 *
 * @param merged the last commits of the merged pull requests of the branch, the newest first
 */
export function pendingCommits({ commits, mergeBase }: Comparison, merged: readonly string[]): Pending {
  const ids = new Map(commits.map((it) => [it.id, it]));
  const since = merged.find((id) => ids.has(id));
  const taken = since === undefined ? new Set<string>() : ancestors(ids, since);
  // A later merge of base into the branch has made a newer commit common.
  const isNewest = since !== undefined && parentsOf(ids, taken).has(mergeBase);
  return {
    since: isNewest ? since : mergeBase,
    wasMerged: isNewest,
    commits: commits.filter((it) => !taken.has(it.id)),
  };
}

type Commits = ReadonlyMap<string, Commit>;

/** A commit and its ancestors, among the given ones. */
function ancestors(commits: Commits, id: string): Set<string> {
  const found = new Set([id]);
  for (const it of found)
    for (const parent of commits.get(it)?.parents ?? []) if (commits.has(parent)) found.add(parent);
  return found;
}

/** The parents of some commits that are not among them. */
const parentsOf = (commits: Commits, part: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...part].flatMap((it) => commits.get(it)?.parents ?? []).filter((it) => !commits.has(it)));
