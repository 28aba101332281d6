import { describe, expect, it } from 'vitest';
import { printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { pairRow } from '../../../src/answers/report/trace-document.ts';
import { printPairsJson } from '../../../src/answers/report/trace-pairs.ts';
import type { PairFate } from '../../../src/reach/trace/pair-fates.ts';
import { traceAll } from '../../../src/reach/trace/trace-all.ts';
import { compiledFleets } from '../../support/fleets.ts';

const before = { ok: false, summary: { errors: 0 } };
const after = { live: { sources: ['a.yaml'] } };

const printed = (pairs: Iterable<PairFate>): string => [...printPairsJson(pairs, { before, after })].join('');

describe('the document of all pairs', () => {
  it.each(compiledFleets().map((it) => [it.name, it] as const))('is that of printJson: %s', (_, { compiled }) => {
    const { pairs } = traceAll(compiled.model);
    expect(printed(pairs)).toBe(printJson({ ...before, pairs: [...pairs].map(pairRow), ...after }));
  });

  it('has an empty list where no cluster has another one', () => {
    expect(printed([])).toBe(printJson({ ...before, pairs: [], ...after }));
  });

  it('tells fates apart that have the same way', () => {
    const way = { kind: 'none' } as const;
    const pair = { from: 'a', to: 'b', way, keyless: null } as const;
    const pairs = [
      { ...pair, fate: 'no-route' },
      { ...pair, fate: 'retired' },
      { ...pair, fate: 'no-route' },
    ] as const;
    expect(printed(pairs)).toBe(printJson({ ...before, pairs: pairs.map(pairRow), ...after }));
  });

  it('comes in parts, and makes no pair before it is printed', () => {
    let made = 0;
    const endless = {
      *[Symbol.iterator](): Generator<PairFate> {
        for (;;) yield { from: 'a', to: `b${made++}`, way: { kind: 'none' }, fate: 'no-route', keyless: null };
      },
    };
    const [first = ''] = printPairsJson(endless, { before, after });
    expect(first.length).toBeGreaterThan(200_000);
    expect(first.length).toBeLessThan(300_000);
    expect(made).toBeLessThan(3000);
  });
});
