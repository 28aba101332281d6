import { describe, expect, it } from 'vitest';
import { decisionsOf, parseLock, renameDecisions } from '../../../src/fleet/lock/lock.ts';

function renamed(lines: readonly string[], names: Readonly<Record<string, string>>): string[] {
  const text = `version: 1\ndecisions:\n${lines.map((it) => `  ${it}\n`).join('')}`;
  const lock = parseLock({ path: 'topology.lock.yaml', text });
  if (!lock.ok) throw new Error(lock.diagnostics[0]?.message);
  const now = renameDecisions(decisionsOf(lock.value), new Map(Object.entries(names)));
  return [...now].map(([key, { value }]) => `${key}: ${value}`);
}

describe('decisions under another name', () => {
  it('are those of every kind, at either end of a link', () => {
    expect(
      renamed(
        [
          'oslo/external: 10.255.0.0/20',
          'oslo/europe/join: 1',
          'oslo/europe/port/oslo: 30001',
          'oslo/europe/view/europe/pod/10.1.0.0/16: 10.2.0.0/16',
          'rome/oslo/view/oslo/external/10.70.0.0/16: 10.71.0.0/16',
          'rome/europe/join: 2',
        ],
        { oslo: 'bergen' },
      ).sort(),
    ).toEqual([
      'bergen/europe/join: 1',
      'bergen/europe/port/bergen: 30001',
      'bergen/europe/view/europe/pod/10.1.0.0/16: 10.2.0.0/16',
      'bergen/external: 10.255.0.0/20',
      'rome/bergen/view/bergen/external/10.70.0.0/16: 10.71.0.0/16',
      'rome/europe/join: 2',
    ]);
  });

  it('give way to a decision that is recorded under the new name, whichever end comes first', () => {
    expect(renamed(['oslo/europe/join: 1', 'europe/bergen/join: 7'], { oslo: 'bergen' })).toEqual([
      'europe/bergen/join: 7',
    ]);
  });

  it('follow two renames of one link at the same time', () => {
    expect(renamed(['oslo/europe/join: 1'], { oslo: 'bergen', europe: 'eu' })).toEqual(['bergen/eu/join: 1']);
  });
});
