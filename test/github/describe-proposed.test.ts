import { expect, it } from 'vitest';
import { describeProposed } from '../../src/github/describe-proposed.ts';
import type { Pull } from '../../src/github/forge.ts';

const PULL: Pull = {
  ...{ number: 3, url: 'https://github.com/acme/fleet/pull/3', title: '', body: '', base: 'main' },
  author: 'ann',
};
const PUSHED = { commit: 'c', overwritten: [], kept: [], conflicts: [] };

it('says that nothing is left to do, and which pull requests were closed', () => {
  const lines = describeProposed({ kind: 'nothing-to-do', closed: [PULL] }, 'main', false);
  expect(lines).toEqual(['main is up to date with the topology; closed #3']);
});

it('says what to do about an outdated checkout, which the job of a pull request easily has', () => {
  const outdated = { kind: 'outdated', path: 'topologies/topology.yaml' } as const;
  const [push] = describeProposed(outdated, 'main', false);
  const [merge] = describeProposed(outdated, 'main', true);
  expect(push).toMatch(/^topologies\/topology\.yaml differs between main and this checkout/);
  expect(merge).toBe(`${push} (a job of a pull request must check out its head, not its merge)`);
});

it('names what was overwritten, what stays and what a person has to merge, a line each', () => {
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const pushed = { ...PUSHED, overwritten: paths, kept: ['k'], conflicts: ['x'] };
  const lines = describeProposed({ kind: 'proposed', pull: PULL, change: 'refreshed', ...pushed }, 'main', false);
  expect(lines).toEqual([
    'updated #3: https://github.com/acme/fleet/pull/3',
    'overwritten although others edited them; the edits stay in the history: a, b, c, d, e and 2 more',
    'no longer generated but edited by others, so they stay: k',
    'changed on both branches, so a person must merge them: x',
  ]);
});

it('warns that no checks start when GitHub Actions has pushed something', () => {
  const pull = { ...PULL, author: 'github-actions[bot]' };
  const lines = (change: 'opened' | 'unchanged') =>
    describeProposed({ kind: 'proposed', pull, change, ...PUSHED }, 'main', false);
  expect(lines('opened')[1]).toContain('start no workflows');
  expect(lines('unchanged')).toHaveLength(1);
});
