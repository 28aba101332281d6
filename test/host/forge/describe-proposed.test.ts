import { expect, it } from 'vitest';
import { describeProposed, proposalRemarks } from '../../../src/host/forge/describe-proposed.ts';
import type { Pull } from '../../../src/host/forge/forge.ts';
import { GITHUB_WORDS } from '../../../src/host/github/ask-github.ts';

const PULL: Pull = {
  ...{ number: 3, url: 'https://github.com/acme/fleet/pull/3', body: '', base: 'main' },
  author: 'ann',
};
const PUSHED = { commit: 'c', head: 'c', declined: [], overwritten: [], kept: [], conflicts: [] };

it('says that nothing is left to do, and which pull requests were closed', () => {
  const done = { kind: 'nothing-to-do', closed: [PULL], branch: 'untouched' } as const;
  expect(describeProposed(done, { base: 'main', words: GITHUB_WORDS })).toBe(
    'main is up to date with the topology; closed #3',
  );
  expect(proposalRemarks(done, { base: 'main', isInPullRequest: false, words: GITHUB_WORDS })).toEqual([]);
});

it('warns about an outdated checkout, which the job of a pull request easily has', () => {
  const outdated = { kind: 'outdated', path: 'topologies/topology.yaml' } as const;
  const [push] = proposalRemarks(outdated, { base: 'main', isInPullRequest: false, words: GITHUB_WORDS });
  const [merge] = proposalRemarks(outdated, { base: 'main', isInPullRequest: true, words: GITHUB_WORDS });
  expect(push).toMatchObject({
    severity: 'warning',
    message: 'topologies/topology.yaml differs between "main" and this checkout, so nothing is sent',
    hint: expect.stringMatching(/^commit and push it first/),
  });
  expect(merge?.hint).toMatch(/^check out the head of the pull request, not its merge/);
  expect(describeProposed(outdated, { base: 'main', words: GITHUB_WORDS })).toBe('nothing is sent');
});

it('names what was overwritten, what stays and what a person has to merge, a warning each', () => {
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const pushed = { ...PUSHED, overwritten: paths, kept: ['k'], conflicts: ['x'] };
  const done = { kind: 'proposed', pull: PULL, change: 'refreshed', ...pushed } as const;
  expect(describeProposed(done, { base: 'main', words: GITHUB_WORDS })).toBe(
    'updated #3: https://github.com/acme/fleet/pull/3',
  );
  expect(
    proposalRemarks(done, { base: 'main', isInPullRequest: false, words: GITHUB_WORDS }).map((it) => [
      it.severity,
      it.message,
      it.hint,
    ]),
  ).toEqual([
    [
      'warning',
      'overwritten although others edited them; the edits stay in the history: a, b, c, d, e and 2 more',
      undefined,
    ],
    ['warning', 'no longer generated but edited by others, so they stay: k', undefined],
    [
      'warning',
      'changed on both branches, so a person must merge them: x',
      'merge "main" into the branch of #3 and resolve the conflicts',
    ],
  ]);
});

it('notes that no checks start when GitHub Actions has pushed something', () => {
  const pull = { ...PULL, author: 'github-actions[bot]' };
  const remarks = (change: 'opened' | 'unchanged') =>
    proposalRemarks(
      { kind: 'proposed', pull, change, ...PUSHED },
      { base: 'main', isInPullRequest: false, words: GITHUB_WORDS },
    );
  expect(remarks('opened')).toMatchObject([
    { severity: 'note', message: expect.stringContaining('start no workflows') },
  ]);
  expect(remarks('unchanged')).toEqual([]);
});
