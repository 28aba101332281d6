import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/plan/change.ts';
import type { Plan } from '../../src/plan/plan-changes.ts';
import { exceeds, MAX_REMOVED, tooMuchRemoved } from '../../src/plan/removal-guard.ts';

const list = (count: number): readonly (readonly string[])[] => Array.from({ length: count }, (_, i) => [`c${i}`]);

describe('a share that is too large', () => {
  it.each([
    [1, 3, MAX_REMOVED, false],
    [1, 2, MAX_REMOVED, false],
    [1, 1, MAX_REMOVED, true],
    [2, 3, MAX_REMOVED, true],
    [2, 6, MAX_REMOVED, false],
    [3, 6, MAX_REMOVED, true],
    [4, 12, MAX_REMOVED, false],
    [5, 12, MAX_REMOVED, true],
    [1, 100, 0, true],
    [0, 0, 0, false],
  ])('%i of %i with a limit of %d: %s', (gone, of, limit, expected) => {
    expect(exceeds({ gone: list(gone), of }, limit)).toBe(expected);
  });
});

describe('links', () => {
  const link = (...ends: readonly [string, string]) => ({ kind: 'link-removed', link: { ends } });
  const plan = (...changes: readonly object[]): Plan =>
    ({ changes: changes as readonly Change[], size: { before: { clusters: 4, links: 3 } } }) as unknown as Plan;

  it('leave with their cluster, and with one that is retired', () => {
    const links = [link('a', 'hub'), link('b', 'hub')];
    expect(
      tooMuchRemoved(
        plan(
          { kind: 'cluster-removed', cluster: 'a', wasRetired: false, lookalike: null },
          { kind: 'cluster-retired', cluster: 'b' },
          ...links,
        ),
        MAX_REMOVED,
      ),
    ).toEqual([]);
    expect(tooMuchRemoved(plan(...links), MAX_REMOVED)).toMatchObject([
      {
        what: 'links',
        gone: [
          ['a', 'hub'],
          ['b', 'hub'],
        ],
        of: 3,
      },
    ]);
  });
});
