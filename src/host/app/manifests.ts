import { join } from 'node:path';
import { OWN_FOLDER } from '../../base/core/bundle-path.ts';
import { withLf } from '../../base/core/encodings.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { GitError } from '../disk/disk-error.ts';
import type { Checkout } from '../disk/repository.ts';
import { listedFiles } from '../disk/tree/bundle-record.ts';
import type { Inspection } from '../disk/tree/inspect-tree.ts';
import type { WantedFiles } from '../forge/edits.ts';
import { nameOf, type Repository } from '../forge/forge.ts';
import type { PlanOwner } from '../forge/pull-text.ts';
import type { TopologyFiles } from './find-topology.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';
import type { FileReader } from './ports.ts';
import { OperationRefused } from './refusal.ts';

/** The event that started the run: a pull request, a pushed branch, a merge queue, or none of them. */
export interface Origin {
  /** The pull request that edits the topology; `null` without one. */
  readonly pull: EditingPull | null;
  /** The branch that was pushed to; `undefined` for a pull request or a tag. */
  readonly pushedBranch: string | undefined;
  /** True when `pull` comes from another repository, so that the token of the run is read-only. */
  readonly isFromFork: boolean;
  readonly isInMergeQueue: boolean;
}

/** A pull request that edits the topology. */
export interface EditingPull {
  readonly number: number;
  /** The branch of its commits. */
  readonly branch: string | undefined;
  /** True when it was merged, or closed without that. */
  readonly isClosed: boolean;
}

interface ManifestsDestination {
  readonly base: string;
  readonly defaultBranch: string;
  /** True when the manifests go to another repository than that of the topology. */
  readonly isElsewhere: boolean;
}

/** The branch whose topology was compiled, if the run belongs to one. */
export const originBranch = ({ pull, pushedBranch }: Origin): string | undefined => pull?.branch ?? pushedBranch;

/**
 * The branch for the manifests of a fleet: a different one for each base, for each pull request that edits the
 * topology, and for each branch of a topology in another repository. So a run never changes the pull request of another
 * run.
 */
export function manifestsBranch(
  fleet: string,
  origin: Origin,
  { base, defaultBranch, isElsewhere }: ManifestsDestination,
): string {
  if (origin.pull !== null) return `weft/${fleet}-pr-${origin.pull.number}`;
  const from =
    isElsewhere && origin.pushedBranch !== undefined && origin.pushedBranch !== base ? origin.pushedBranch : '';
  const into = base === defaultBranch ? '' : base;
  // A slash would create a folder of refs, which git does not allow beside a branch of that name.
  const part = (word: string, name: string): string => (name === '' ? '' : `-${word}-${name.replaceAll('/', '-')}`);
  return `weft/${fleet}${part('from', from)}${part('into', into)}`;
}

/**
 * Identifies the topology of some manifests: its path in the repository, with the prefix `owner/name:` if the manifests
 * are in another repository.
 */
export function topologySource(path: string, checkout: Checkout, from: Repository | null): string {
  const inRepository = checkout.pathInRepository(path) ?? path;
  return from === null ? inRepository : `${nameOf(from)}:${inRepository}`;
}

/** The owner of a comment with a plan, which is on a pull request of the topology's repository. */
export const planOwner = (fleet: string, path: string, checkout: Checkout): PlanOwner => ({
  id: fleet,
  source: topologySource(path, checkout, null),
  isOtherTopology: (source) => isOtherTopology(source, checkout, null),
});

/** True when a source that differs from that of this run still exists. Otherwise the file was renamed. */
export function isOtherTopology(source: string, checkout: Checkout, from: Repository | null): boolean {
  const prefix = from === null ? '' : `${nameOf(from)}:`;
  return !source.startsWith(prefix) || checkout.hasFile(source.slice(prefix.length));
}

/** A plan whose bundles can be written. */
export interface WantedPlan extends Pick<PlannedPullRequest, 'topology' | 'out'> {
  readonly tree: Inspection;
}

/** Properties of a proposal besides the compiled files. */
interface ProposedTree {
  /** True when the manifests go to another repository than that of the topology. */
  readonly isElsewhere: boolean;
  /** The files that this run has changed with what clusters have. */
  readonly collected: readonly CollectedFile[];
}

/**
 * All files that `weft compile` would leave in the repository: bundles, records and lock, with the collected files that
 * were compiled. For another repository the lock is left out.
 */
export function wantedTree(
  { topology, out, tree }: WantedPlan,
  checkout: Checkout,
  { isElsewhere, collected }: ProposedTree,
): WantedFiles {
  const below = (path: string): string => repositoryPath(checkout, join(out, path));
  const { bundle, lock } = topology.compiled;
  const lockFile = isElsewhere ? [] : [[repositoryPath(checkout, topology.files.lock), lock] as const];
  return {
    files: oneFilePerPath([
      ...tree.removals.map((path) => [below(path), null] as const),
      ...[...bundle].map(([path, text]) => [below(path), text] as const),
      ...[...tree.records].map(([path, text]) => [below(path), text] as const),
      ...lockFile,
      ...collected
        .filter((it) => it.path !== topology.files.lock)
        .map((it) => [repositoryPath(checkout, it.path), it.after] as const),
    ]),
    records: {
      folder: below(OWN_FOLDER),
      list: (name, text) => listedFiles(`${OWN_FOLDER}/${name}`, text)?.map(below),
    },
    keep: new Set(tree.keptEdited.map(below)),
  };
}

/**
 * Joins entries to a map. Two files at one path are a bug, because one would be lost; a lock at the path of another
 * file was refused before.
 */
function oneFilePerPath(entries: readonly (readonly [string, string | null])[]): ReadonlyMap<string, string | null> {
  const files = new Map<string, string | null>();
  for (const [path, text] of entries) {
    if (files.has(path)) bug(`two files of the pull request have the path ${path}`);
    files.set(path, text);
  }
  return files;
}

/**
 * The compiled inputs byte by byte, as they must be on the base branch: otherwise it was changed by a push meanwhile.
 */
export async function inputsOf(
  { topology, keys, identities, lock }: TopologyFiles,
  checkout: Checkout,
  collected: readonly CollectedFile[],
): Promise<ReadonlyMap<string, string | null>> {
  const inputs = new Map<string, string | null>();
  for (const path of [topology, keys, identities, lock])
    inputs.set(repositoryPath(checkout, path), await checkout.rawText(path));
  for (const it of collected) inputs.set(repositoryPath(checkout, it.path), it.before);
  return inputs;
}

function repositoryPath(checkout: Checkout, path: string): string {
  const found = checkout.pathInRepository(path);
  if (found !== undefined) return found;
  throw new OperationRefused({ kind: 'path-outside-checkout', path, root: checkout.root });
}

/** A file beside the topology in which an earlier step of the run has recorded what clusters have. */
export interface CollectedFile {
  readonly path: string;
  /** The text in the checked-out commit; `null` if it is missing there. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * The changes by earlier commands of the job since the checkout, as by `weft keys collect`. They belong into the same pull
 * request as the objects that are compiled from them. Empty when nothing is changed, and outside a repository.
 */
export async function collectedFiles(
  files: Pick<FileReader, 'openCommit'>,
  checkout: Checkout,
  paths: readonly string[],
): Promise<readonly CollectedFile[]> {
  const commit = await files.openCommit('HEAD').catch((error: unknown) => {
    if (error instanceof GitError) return undefined;
    throw error;
  });
  const found: CollectedFile[] = [];
  for (const path of paths) {
    const after = await checkout.rawText(path);
    const read = after === null ? undefined : await commit?.readText(path);
    if (after === null || (read?.kind !== 'ok' && read?.kind !== 'missing')) continue;
    const before = read.kind === 'ok' ? read.text : null;
    if (before !== withLf(after)) found.push({ path, before, after });
  }
  return found;
}
