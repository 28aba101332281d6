import { describe, expect, it } from 'vitest';
import { parseRelockTarget, printRelockTarget } from '../../../src/base/core/lock-key.ts';
import { forget } from '../../../src/fleet/lock/lock.ts';

const KEYS = [
  'port/external',
  'view/external',
  'port/view/join',
  'port/view/port/view',
  'port/view/view/port/pod/10.200.0.0/16',
  'port/view/view/view/pod/10.200.0.0/16',
  'rome/view/join',
  'rome/view/port/view',
  'rome/view/view/rome/external/10.0.0.0/20',
];

const at = { source: { path: 'lock.yaml', text: '' }, start: 0, end: 0 };
const decisions = new Map(KEYS.map((it) => [it, { value: 1, at }]));

const forgotten = (cluster: string, peer: string | null): readonly string[] => {
  const kept = forget(decisions, [{ cluster, peer }], ['port', 'rome', 'view']);
  return KEYS.filter((it) => !kept.has(it));
};

describe('what is decided again', () => {
  it('is every decision of one cluster, except places in the order', () => {
    expect(forgotten('view', null)).toEqual([
      'view/external',
      'port/view/port/view',
      'port/view/view/view/pod/10.200.0.0/16',
      'rome/view/port/view',
    ]);
    expect(forgotten('port', null)).toEqual(['port/external', 'port/view/view/port/pod/10.200.0.0/16']);
  });

  it('is every decision but the places in the order for "all", unless a cluster has that name', () => {
    const all = { cluster: 'all', peer: null };
    expect([...forget(decisions, [all], ['port', 'rome', 'view']).keys()]).toEqual([
      'port/view/join',
      'rome/view/join',
    ]);
    expect([...forget(decisions, [all], ['all', 'port', 'rome', 'view']).keys()]).toEqual(KEYS);
  });

  it('is every decision of a cluster about one peer, without its blocks', () => {
    expect(forgotten('view', 'port')).toEqual(['port/view/port/view', 'port/view/view/view/pod/10.200.0.0/16']);
    expect(forgotten('rome', 'view')).toEqual(['rome/view/view/rome/external/10.0.0.0/20']);
    expect(forgotten('rome', 'port')).toEqual([]);
  });

  it('is nothing without a target', () => {
    expect(forget(decisions, [], [])).toBe(decisions);
  });
});

describe('what --relock names', () => {
  it.each(['rome', 'rome/milan'])('%s is printed as it was typed', (text) => {
    const target = parseRelockTarget(text);
    expect(target && printRelockTarget(target)).toBe(text);
  });

  it.each(['', '/', 'rome/', '/rome', 'rome/milan/bari'])('%j is neither a cluster nor a link', (text) =>
    expect(parseRelockTarget(text)).toBeUndefined(),
  );
});
