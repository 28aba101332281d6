import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains, type Prefix, prefixAround } from '../../../src/base/net/prefix.ts';
import type { Located } from '../../../src/base/source/source.ts';
import { commonNetworks } from '../../../src/fleet/topology/read-declaration.ts';
import { compileText } from '../../support/compile-text.ts';

const at = { source: { path: 'topology.yaml', text: '' }, start: 0, end: 0 };
const located = (value: Prefix): Located<Prefix> => ({ value, at });

/** Networks of which none is in another one. */
const disjoint = fc
  .array(fc.tuple(fc.nat({ max: 15 }), fc.integer({ min: 4, max: 8 })), { maxLength: 8 })
  .map((all) => all.map(([i, length]) => prefixAround(i * 2 ** 24, length)))
  .map((all) =>
    all.filter(
      (it, i) => !all.some((other, j) => j !== i && (contains(other, it) ? j < i || !contains(it, other) : false)),
    ),
  )
  .map((all) => all.map(located));

describe('commonNetworks', () => {
  it('finds what a comparison of each with each finds', () => {
    fc.assert(
      fc.property(disjoint, disjoint, (some, others) => {
        const each = some.flatMap((a) =>
          others.flatMap((b) => (contains(a.value, b.value) ? [b] : contains(b.value, a.value) ? [a] : [])),
        );
        expect(commonNetworks(some, others)).toEqual(each);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not double with every cluster what is there twice', () => {
    const twice = [located(prefixAround(0x0a000000, 8)), located(prefixAround(0x0a000000, 8))];
    let common: readonly Located<Prefix>[] = twice;
    for (let cluster = 0; cluster < 40; cluster++) common = commonNetworks(common, twice);
    expect(common.length).toBe(2);
  });

  it('a pool that is there twice is one mistake, however many clusters there are', () => {
    const clusters = Array.from({ length: 40 }, (_, i) => `  c${i}: { podCIDR: 10.${i}.0.0/16 }\n`).join('');
    const { diagnostics } = compileText(
      `version: 1\nname: f\nhub: c0\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }\nipam: { pools: [10.0.0.0/8, 10.0.0.0/8] }\nclusters:\n${clusters}`,
    );
    expect(diagnostics.map((it) => it.code)).toContain('topology/pools-overlap');
  });
});
