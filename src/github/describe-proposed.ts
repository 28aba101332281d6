import { someOf } from '../core/words.ts';
import type { Proposed } from './propose-manifests.ts';

type Finished = Extract<Proposed, { kind: 'nothing-to-do' | 'outdated' | 'proposed' }>;

/** The result of a proposal to merge into `base`, as lines for people. */
export function describeProposed(proposed: Finished, base: string, isInPullRequest: boolean): readonly string[] {
  switch (proposed.kind) {
    case 'nothing-to-do': {
      const closed = proposed.closed.map((it) => `; closed #${it.number}`).join('');
      return [`${base} is up to date with the topology${closed}`];
    }
    case 'outdated': {
      const why = isInPullRequest ? ' (a job of a pull request must check out its head, not its merge)' : '';
      return [
        `${proposed.path} differs between ${base} and this checkout: commit and push it first; a newer run continues${why}`,
      ];
    }
    case 'proposed': {
      const { pull, change } = proposed;
      return [`${PROPOSED[change]} #${pull.number}: ${pull.url}`, ...remarksOn(proposed), ...checksRemark(proposed)];
    }
  }
}

type Pushed = Extract<Proposed, { kind: 'proposed' }>;

const PROPOSED = { opened: 'opened', refreshed: 'updated', unchanged: 'nothing new for' } as const;

const MAX_NAMED = 5;

function remarksOn({ overwritten, kept, conflicts }: Pushed): readonly string[] {
  const remark = (paths: readonly string[], what: string): readonly string[] =>
    paths.length === 0 ? [] : [`${what}: ${someOf(paths, MAX_NAMED)}`];
  return [
    ...remark(overwritten, 'overwritten although others edited them; the edits stay in the history'),
    ...remark(kept, 'no longer generated but edited by others, so they stay'),
    ...remark(conflicts, 'changed on both branches, so a person must merge them'),
  ];
}

/** Source: docs.github.com, "Triggering a workflow from a workflow". */
const checksRemark = ({ pull, change }: Pushed): readonly string[] =>
  change === 'unchanged' || pull.author !== 'github-actions[bot]'
    ? []
    : [
        'pushes with the token of GitHub Actions start no workflows: to start required checks, close and reopen the pull request, or give weft the token of a GitHub App',
      ];
