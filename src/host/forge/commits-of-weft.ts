import { sortedUnique } from '../../base/core/collections.ts';
import { decodedPart } from '../../base/core/encodings.ts';
import { type KnownBranch, type OpenTree, openTree, recordedIn, type WantedFiles, writeEdits } from './edits.ts';
import { type Commit, type Comparison, type Forge, isFile, isFolder, type TreeEdit, type TreeEntry } from './forge.ts';

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
  return source === undefined ? undefined : decodedPart(source);
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

/** The base of the next commit of the branch. */
export interface CommitBase {
  readonly tree: OpenTree;
  readonly parents: readonly string[];
  /** True if base was merged into `tree`: a commit is needed even if no generated file changes. */
  readonly needsMergeCommit: boolean;
  /** The branch that the commit continues; `null` if it starts from base. */
  readonly branch: KnownBranch | null;
  /** Paths that the branch and its base changed differently; a person has to merge them. */
  readonly conflicts: readonly string[];
  /** True if the branch moves to a commit that does not continue it, because base has its changes as other commits. */
  readonly startsOver: boolean;
  /** The topology of the last commit of weft that base does not have; `null` if none is named. */
  readonly source: string | null;
}

interface Heads {
  readonly base: Commit;
  readonly baseName: string;
  readonly branchName: string;
  /** The commit of the branch; `null` if there is no branch. */
  readonly head: string | null;
  /** True to discard the branch and start over from base. */
  readonly force: boolean;
}

/**
 * Chooses the branch's present head, so that none of its commits is lost. Base is merged in only if its generated files
 * changed, because the pull request would conflict. The branch is never moved back to base in between: GitHub closes a
 * pull request that is empty for a moment. Source: changesets/action#550.
 */
export async function chooseCommitBase(forge: Forge, heads: Heads, wanted: WantedFiles): Promise<CommitBase> {
  const { base, head, force } = heads;
  const baseTree = await openTree(forge, base.tree);
  const fresh: CommitBase = {
    tree: baseTree,
    parents: [base.id],
    needsMergeCommit: false,
    branch: null,
    conflicts: [],
    startsOver: false,
    source: null,
  };
  if (head === null || force) return fresh;
  const comparison = await forge.compare(base.id, head);
  // Base has all of the branch: its pull request was merged. A commit on top of base moves the branch forward.
  if (comparison.ahead === 0) return fresh;
  const merged = comparison.behind === 0 ? [] : await forge.mergedHeads(heads.branchName, heads.baseName);
  const pending = pendingCommits(comparison, merged);
  // Otherwise a rebase of the next pull request would fail, and its squash would repeat the old messages.
  if (pending.commits.length === 0) return { ...fresh, startsOver: true };
  const before = await forge.readCommit(pending.since);
  const now = await openTree(forge, (await forge.readCommit(head)).tree);
  const last = pending.commits.findLast(isWeftCommit);
  const onBranch: CommitBase = {
    ...fresh,
    tree: now,
    parents: [head],
    branch: { now, asWritten: await openTree(forge, last?.tree ?? before.tree) },
    source: (last && sourceOf(last)) ?? null,
  };
  if (comparison.behind === 0) return onBranch;
  const isMergeNeeded = pending.wasMerged || (await differs(await openTree(forge, before.tree), baseTree, wanted));
  if (!isMergeNeeded) return onBranch;
  const merge = await mergeTrees(forge, { before: before.tree, ours: base.tree, theirs: now.id });
  // Generated files get their new text or are deleted anyway, so they cannot conflict.
  const ours = new Set([
    ...wanted.files.keys(),
    ...(await recordedIn(forge, baseTree, wanted)),
    ...(await recordedIn(forge, now, wanted)),
  ]);
  const conflicts = merge.conflicts.filter((path) => !ours.has(path));
  if (conflicts.length > 0) return { ...onBranch, conflicts };
  const tree = await openTree(forge, await writeEdits(forge, base.tree, merge.edits));
  return { ...onBranch, tree, parents: [head, base.id], needsMergeCommit: true };
}

async function differs(before: OpenTree, base: OpenTree, { files, records }: WantedFiles): Promise<boolean> {
  const names = [...(await before.namesIn(records.folder)), ...(await base.namesIn(records.folder))];
  for (const path of new Set([...names.map((it) => `${records.folder}/${it}`), ...files.keys()])) {
    if ((await before.entryAt(path))?.id !== (await base.entryAt(path))?.id) return true;
  }
  return false;
}

/** IDs of a tree and of its versions on two branches. */
interface Diverged {
  readonly before: string;
  readonly ours: string;
  readonly theirs: string;
}

interface TreeMerge {
  /** Edits that add the changes of `theirs` to `ours`. */
  readonly edits: readonly TreeEdit[];
  /** Paths that both changed differently. */
  readonly conflicts: readonly string[];
}

type Folder = ReadonlyMap<string, TreeEntry>;

/**
 * A three-way merge by whole files, as git does before it compares their content. Only folders that both sides changed are
 * read, so a large repository costs as little as a small one.
 */
async function mergeTrees(forge: Forge, trees: Diverged): Promise<TreeMerge> {
  const edits: TreeEdit[] = [];
  const conflicts: string[] = [];
  await mergeFolder(forge, '', trees, { edits, conflicts });
  return { edits, conflicts };
}

interface Merged {
  readonly edits: TreeEdit[];
  readonly conflicts: string[];
}

async function mergeFolder(forge: Forge, path: string, trees: Partial<Diverged>, merged: Merged): Promise<void> {
  const before = await read(forge, trees.before);
  const ours = await read(forge, trees.ours);
  const theirs = await read(forge, trees.theirs);
  const names = sortedUnique([...before.keys(), ...ours.keys(), ...theirs.keys()]);
  for (const name of names) {
    await mergeEntry(forge, path + name, [before.get(name), ours.get(name), theirs.get(name)], merged);
  }
}

type Versions = readonly [TreeEntry | undefined, TreeEntry | undefined, TreeEntry | undefined];

async function mergeEntry(forge: Forge, path: string, versions: Versions, merged: Merged): Promise<void> {
  const [before, ours, theirs] = versions;
  if (equal(theirs, ours) || equal(theirs, before)) return;
  if (equal(ours, before)) {
    merged.edits.push(
      theirs === undefined
        ? { kind: 'delete', path, mode: before?.mode ?? '100644' }
        : { kind: 'put', path, entry: theirs },
    );
    return;
  }
  const file = mergeFile(versions);
  if (file !== undefined) {
    merged.edits.push({ kind: 'put', path, entry: file });
    return;
  }
  if (versions.every((it) => it === undefined || isFolder(it))) {
    const [from, to, other] = versions.map((it) => it?.id);
    await mergeFolder(
      forge,
      `${path}/`,
      { ...only('before', from), ...only('ours', to), ...only('theirs', other) },
      merged,
    );
    return;
  }
  merged.conflicts.push(path);
}

/** Merges a file whose text changed on one side and whose mode on the other. */
function mergeFile([before, ours, theirs]: Versions): TreeEntry | undefined {
  if (before === undefined || ours === undefined || theirs === undefined) return undefined;
  if (![before, ours, theirs].every(isFile)) return undefined;
  const newer = (key: keyof TreeEntry): string | undefined =>
    theirs[key] === before[key] || theirs[key] === ours[key]
      ? ours[key]
      : ours[key] === before[key]
        ? theirs[key]
        : undefined;
  const [mode, id] = [newer('mode'), newer('id')];
  return mode === undefined || id === undefined ? undefined : { mode, id };
}

const only = (name: keyof Diverged, id: string | undefined): Partial<Diverged> =>
  id === undefined ? {} : { [name]: id };

const read = async (forge: Forge, tree: string | undefined): Promise<Folder> =>
  tree === undefined ? new Map() : forge.readFolder(tree);

const equal = (a: TreeEntry | undefined, b: TreeEntry | undefined): boolean => a?.id === b?.id && a?.mode === b?.mode;
