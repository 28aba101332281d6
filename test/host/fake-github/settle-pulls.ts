import { dateOf } from './commit-object.ts';
import type { Pull, Repository, World } from './world.ts';

/**
 * Updates pull requests after a branch moved, like GitHub: an open one follows its head; it is merged when its base got
 * all its commits, and closed when its head lost them or went. Source: changesets/action#550, where a branch that was
 * moved to its base for a moment lost its pull request.
 */
export function settlePulls(world: World, moved: Repository, ref: string): void {
  const branch = ref.replace(/^refs\/heads\//, '');
  for (const into of world.repositories) {
    for (const pull of into.pulls) {
      const isBase = into === moved && pull.base === branch;
      const isHead = pull.head.repository === moved && pull.head.branch === branch;
      if (pull.state === 'open' && (isBase || isHead)) settle(world, into, pull, isBase);
    }
  }
}

function settle(world: World, into: Repository, pull: Pull, baseMoved: boolean): void {
  const base = into.store.read(`refs/heads/${pull.base}`);
  const head = fetchHead(into, pull.head, pull.number);
  if (base === null || head === null) {
    close(world, pull, false);
    return;
  }
  const headStayed = pull.headSha === head;
  pull.baseSha = base.id;
  pull.headSha = head;
  pull.updatedAt = dateOf(world.clock.now());
  if (world.settings.closesEmptyPulls && hasNothingNew(into, base.id, head))
    close(world, pull, baseMoved && headStayed);
}

export const hasNothingNew = ({ store }: Repository, base: string, head: string): boolean =>
  store.isAncestor(head, base);

/** The commit at a branch of this repository or of a fork, whose objects are brought over; `null` when there is none. */
export function fetchHead(into: Repository, { repository, branch }: Pull['head'], number: number): string | null {
  const head = repository.store.read(`refs/heads/${branch}`);
  if (head?.type !== 'commit') return null;
  if (repository === into) return head.id;
  const to = `refs/pull/${number}/head`;
  into.store.run(['fetch', '--quiet', '--no-tags', repository.store.folder, `+refs/heads/${branch}:${to}`]);
  return head.id;
}

function close(world: World, pull: Pull, isMerged: boolean): void {
  const now = dateOf(world.clock.now());
  pull.state = 'closed';
  pull.closedAt = now;
  pull.updatedAt = now;
  if (isMerged) pull.mergedAt = now;
}
