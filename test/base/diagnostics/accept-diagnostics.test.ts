import { describe, expect, it } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import {
  type Acceptance,
  type AcceptedPlace,
  acceptDiagnostics,
  diagnostic,
  isOpen,
  type Subject,
} from '../../../src/base/diagnostics/diagnostic.ts';

const at = { source: { path: 'topology.yaml', text: 'accept' }, start: 0, end: 6 };
const located = (value: string) => ({ value, at });

const FLEET: AcceptedPlace = { kind: 'fleet' };
const cluster = (name: string): AcceptedPlace => ({ kind: 'cluster', cluster: located(name) });
const link = (a: string, b: string): AcceptedPlace => ({ kind: 'link', between: [located(a), located(b)] });

const accepting = (where: AcceptedPlace, code: Code = 'keys/missing'): Acceptance => ({
  at,
  code: { value: code, at },
  where,
  reason: 'decided',
});

const about = (...subjects: readonly Subject[]) =>
  diagnostic('keys/missing', at, 'no key', subjects.length === 0 ? {} : { about: subjects });

/** The open diagnostic, if any, and the number of entries without a diagnostic. */
function result(it: ReturnType<typeof about>, ...acceptances: readonly Acceptance[]) {
  const { diagnostics, unused } = acceptDiagnostics([it], acceptances);
  return { open: diagnostics.filter(isOpen).length, unused: unused.length };
}

describe('an acceptance', () => {
  it('of the fleet covers whatever a diagnostic is about', () => {
    for (const it of [about(), about(['rome']), about(['rome', 'europe'], ['milan', 'europe'])])
      expect(result(it, accepting(FLEET))).toEqual({ open: 0, unused: 0 });
  });

  it('of a cluster covers the cluster and its links', () => {
    expect(result(about(['rome']), accepting(cluster('rome')))).toEqual({ open: 0, unused: 0 });
    expect(result(about(['europe', 'rome']), accepting(cluster('rome')))).toEqual({ open: 0, unused: 0 });
    expect(result(about(['milan']), accepting(cluster('rome')))).toEqual({ open: 1, unused: 1 });
    expect(result(about(), accepting(cluster('rome')))).toEqual({ open: 1, unused: 1 });
  });

  it('of a link covers that link, whichever end is named first, and no end alone', () => {
    expect(result(about(['europe', 'rome']), accepting(link('rome', 'europe')))).toEqual({ open: 0, unused: 0 });
    expect(result(about(['rome']), accepting(link('rome', 'europe')))).toEqual({ open: 1, unused: 1 });
    expect(result(about(['rome', 'milan']), accepting(link('rome', 'europe')))).toEqual({ open: 1, unused: 1 });
  });

  it('counts only for its code', () => {
    expect(result(about(['rome']), accepting(FLEET, 'ipam/history'))).toEqual({ open: 1, unused: 1 });
  });

  it('of a part leaves open what is about several links, until each of them is accepted', () => {
    const missing = about(['rome', 'europe'], ['milan', 'europe']);
    const [one, other] = [accepting(cluster('rome')), accepting(link('europe', 'milan'))];
    expect(result(missing, one)).toEqual({ open: 1, unused: 0 });
    expect(result(missing, one, other)).toEqual({ open: 0, unused: 0 });
    expect(acceptDiagnostics([missing], [one, other]).diagnostics[0]?.accepted).toEqual([one, other]);
  });
});
