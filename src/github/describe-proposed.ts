import { someOf } from '../core/words.ts';
import type { Proposed } from './propose-manifests.ts';

type Finished = Exclude<Proposed, { kind: 'not-opened' }>;

/** What came of a proposal to merge into `base`, as lines for people. */
export function describeProposed(proposed: Finished, base: string, isInPullRequest: boolean): readonly string[] {
  switch (proposed.kind) {
    case 'nothing-to-do': {
      const closed = proposed.closed.map((it) => `; closed #${it.number}`).join('');
      return [`${base} has all that the topology says${closed}`];
    }
    case 'outdated': {
      const why = isInPullRequest ? ' (a job of a pull request has to check out its head, not its merge)' : '';
      return [
        `${proposed.path} is another on ${base} than here: commit and push it first; a newer run does the rest${why}`,
      ];
    }
    case 'proposed': {
      const { pull, change } = proposed;
      return [`${PROPOSED[change]} #${pull.number}: ${pull.url}`, ...remarksOn(proposed), ...checksRemark(proposed)];
    }
  }
}

type Pushed = Extract<Proposed, { kind: 'proposed' }>;

const PROPOSED = { opened: 'opened', refreshed: 'brought up to date', unchanged: 'nothing new for' } as const;

const MAX_NAMED = 5;

function remarksOn({ overwritten, kept, conflicts }: Pushed): readonly string[] {
  const remark = (paths: readonly string[], what: string): readonly string[] =>
    paths.length === 0 ? [] : [`${what}: ${someOf(paths, MAX_NAMED)}`];
  return [
    ...remark(overwritten, 'written again over edits of others, which stay in the history'),
    ...remark(kept, 'no longer compiled, but edited by others, so they stay'),
    ...remark(conflicts, 'changed on both branches, so somebody has to merge'),
  ];
}

/** Source: docs.github.com, "Triggering a workflow from a workflow". */
const checksRemark = ({ pull, change }: Pushed): readonly string[] =>
  change === 'unchanged' || pull.author !== 'github-actions[bot]'
    ? []
    : [
        'pushes with the token of GitHub Actions start no workflows: required checks wait until somebody closes and reopens the pull request, or weft gets the token of a GitHub App',
      ];
