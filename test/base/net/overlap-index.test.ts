import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OverlapIndex } from '../../../src/base/net/overlap-index.ts';
import { overlaps, type Prefix, prefixAround, samePrefix } from '../../../src/base/net/prefix.ts';

/** Networks that often contain each other. */
const prefix: fc.Arbitrary<Prefix> = fc
  .tuple(
    fc.constantFrom(0x0a000000, 0x0a010000, 0x0a010100, 0xc0a80000, 0xffffffff, 0),
    fc.integer({ min: 0, max: 32 }),
  )
  .map(([address, length]) => prefixAround(address, length));

describe('OverlapIndex', () => {
  it('finds what a search through all items finds first', () => {
    fc.assert(
      fc.property(fc.array(prefix, { maxLength: 40 }), prefix, (all, wanted) => {
        const index = new OverlapIndex<number>();
        for (const [i, it] of all.entries()) index.add(it, i);
        const first = all.findIndex((it) => overlaps(it, wanted));
        const same = all.findIndex((it) => samePrefix(it, wanted));
        expect([index.first(wanted) ?? -1, index.same(wanted) ?? -1]).toEqual([first, same]);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds one of 25,000 networks that all lie in one', () => {
    const index = new OverlapIndex<number>();
    index.add(prefixAround(0x0b000000, 8), 0);
    for (let i = 1; i <= 25_000; i++) {
      const it = prefixAround(0x0b000000 + i * 256, 24);
      expect(index.first(it)).toBe(0);
      index.add(it, i);
    }
  });
});
