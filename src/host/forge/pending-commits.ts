import type { Commit, Comparison } from './forge.ts';

/** What a branch has that base has not taken over in any form. */
interface Pending {
  /** The commit from which the branch's own changes count. */
  readonly since: string;
  /** Whether a pull request took the commits up to `since` over as other commits: by a squash or by a rebase. */
  readonly wasMerged: boolean;
  /** The oldest first. */
  readonly commits: readonly Commit[];
}

/**
 * After a squash or a rebase, base has the changes of the branch but not its commits. To git all of them look new, and a merge
 * would bring back what base has removed since. So the last commit that a merged pull request had counts as common.
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

/** A commit and those before it, among the ones that are given. */
function ancestors(commits: Commits, id: string): Set<string> {
  const found = new Set([id]);
  for (const it of found)
    for (const parent of commits.get(it)?.parents ?? []) if (commits.has(parent)) found.add(parent);
  return found;
}

/** The commits of base that a part of the branch begins at. */
const parentsOf = (commits: Commits, part: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...part].flatMap((it) => commits.get(it)?.parents ?? []).filter((it) => !commits.has(it)));
