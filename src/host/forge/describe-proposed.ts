import type { Remark } from '../../answers/report/print-annotations.ts';
import { someOf } from '../../base/core/words.ts';
import type { ForgeWords } from './forge.ts';
import type { Declined } from './markdown-text.ts';
import type { BranchAfterwards, Proposed } from './propose-manifests.ts';

type Finished = Extract<
  Proposed,
  { kind: 'nothing-to-do' | 'outdated' | 'pull-closed' | 'closed-by-hand' | 'proposed' }
>;

/** The result of a proposal to merge into `base`, as a line for people. */
export function describeProposed(
  proposed: Finished,
  { base, words: { mark } }: Pick<Around, 'base' | 'words'>,
): string {
  switch (proposed.kind) {
    case 'nothing-to-do':
    case 'pull-closed':
      return [
        proposed.kind === 'pull-closed'
          ? `${mark}${proposed.number} is closed`
          : `${base} is up to date with the topology`,
        ...proposed.closed.map((it) => `closed ${mark}${it.number}`),
        ...(proposed.branch === 'deleted' ? ['deleted the branch'] : []),
      ].join('; ');
    case 'outdated':
    case 'closed-by-hand':
      return 'nothing is sent';
    case 'proposed':
      return `${PROPOSED[proposed.change]} ${mark}${proposed.pull.number}: ${proposed.pull.url}`;
  }
}

const PROPOSED = { opened: 'opened', refreshed: 'updated', unchanged: 'nothing new for' } as const;

interface Around {
  readonly base: string;
  readonly isInPullRequest: boolean;
  readonly words: ForgeWords;
}

/** Remarks about the result, with the actions that are left to the user. */
export function proposalRemarks(proposed: Finished, { base, isInPullRequest, words }: Around): readonly Remark[] {
  switch (proposed.kind) {
    case 'nothing-to-do':
    case 'pull-closed':
      return branchRemark(proposed.branch, words);
    case 'outdated':
      return [
        {
          severity: 'warning',
          message: `${proposed.path} differs between "${base}" and this checkout, so nothing is sent`,
          hint: isInPullRequest
            ? `check out the head of the ${words.pull}, not its merge; after a newer push, the run of that push continues`
            : 'commit and push it first; after a newer push, the run of that push continues',
        },
      ];
    case 'closed-by-hand':
      return [
        {
          severity: 'warning',
          message: `${words.mark}${proposed.pull.number} was closed with the same plan, so nothing is sent`,
          hint: `reopen it, or run with --force to open another ${words.pull}; weft opens one by itself when the plan changes`,
        },
      ];
    case 'proposed':
      return [
        ...editRemarks(proposed, words),
        ...proposed.declined.map((it) => declinedRemark(it, words)),
        ...checksRemark(proposed, words),
      ];
  }
}

function branchRemark(branch: BranchAfterwards, { pull }: ForgeWords): readonly Remark[] {
  switch (branch) {
    case 'untouched':
    case 'deleted':
      return [];
    case 'has-other-commits':
      return [
        { severity: 'note', message: 'the branch is not deleted: others have commits on it that are not merged' },
      ];
    case 'has-other-pull':
      return [{ severity: 'note', message: `the branch is not deleted: another ${pull} is open from it` }];
  }
}

const DECLINED: Readonly<Record<Declined['what'], string>> = {
  labels: 'not labelled',
  reviewers: 'no review is requested from',
  teams: 'no review is requested from the teams',
  assignees: 'not assigned to',
};

const declinedHints = ({ labelsHint, teamsHint }: ForgeWords): Readonly<Record<Declined['what'], string>> => ({
  labels: labelsHint,
  reviewers: 'request it by hand: reviewers need access to the repository',
  teams: teamsHint,
  assignees: 'choose logins with write access to the repository',
});

const declinedRemark = ({ what, names, reason }: Declined, words: ForgeWords): Remark => ({
  severity: 'warning',
  message: `${DECLINED[what]} ${names.join(', ')}: ${reason ?? `the author of a ${words.pull} cannot review it`}`,
  hint: declinedHints(words)[what],
});

type ProposedPull = Extract<Proposed, { kind: 'proposed' }>;

const MAX_NAMED = 5;

function editRemarks({ overwritten, kept, conflicts, pull }: ProposedPull, { mark }: ForgeWords): readonly Remark[] {
  const remark = (paths: readonly string[], what: string, hint?: string): readonly Remark[] =>
    paths.length === 0 ? [] : [{ severity: 'warning', message: `${what}: ${someOf(paths, MAX_NAMED)}`, hint }];
  return [
    ...remark(overwritten, 'overwritten although others edited them; the edits stay in the history'),
    ...remark(kept, 'no longer generated but edited by others, so they stay'),
    ...remark(
      conflicts,
      'changed on both branches, so a person must merge them',
      `merge "${pull.base}" into the branch of ${mark}${pull.number} and resolve the conflicts`,
    ),
  ];
}

/** Source: docs.github.com, "Triggering a workflow from a workflow". */
const checksRemark = ({ pull, change }: ProposedPull, words: ForgeWords): readonly Remark[] =>
  change === 'unchanged' || pull.author !== 'github-actions[bot]'
    ? []
    : [
        {
          severity: 'note',
          message: 'pushes with the token of GitHub Actions start no workflows',
          hint: `to start required checks, close and reopen the ${words.pull}, or give weft the token of a GitHub App`,
        },
      ];
