import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOfHex } from '../../../src/fleet/certificates/bytes.ts';
import { printDer, readDer, readDerList } from '../../../src/fleet/certificates/der.ts';

const bytes = (most: number) => fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: most });
const tag = fc.integer({ min: 0, max: 255 }).filter((it) => (it & 0x1f) !== 0x1f);

describe('DER', () => {
  it('is read as it was printed, whatever the length', () => {
    fc.assert(
      fc.property(tag, fc.oneof(bytes(10), bytes(300), fc.constant<Bytes>(Array(70_000).fill(7))), (it, content) => {
        const whole = printDer(it, content);
        expect(isDeepStrictEqual(readDer(whole), { tag: it, content, whole })).toBe(true);
      }),
    );
  });

  it('is what is printed again of what was read, or is not read', () => {
    fc.assert(
      fc.property(bytes(40), (found) => {
        const values = readDerList(found);
        if (values) expect(values.flatMap((it) => printDer(it.tag, it.content))).toEqual(found);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a tag alone', '30'],
    ['too few bytes', '300205'],
    ['two values', '05000500'],
    ['an indefinite length', '30800000'],
    ['a length that is not the shortest', '308105' + '0500050005'],
    ['a length with a leading zero', `30820080${'00'.repeat(128)}`],
    ['a length of four bytes', '308400000001' + '05'],
    ['a length that ends early', '3082'],
    ['a tag of two bytes', '1f8100'],
  ])('is not %s', (_, hex) => {
    expect(readDer(bytesOfHex(hex))).toBeUndefined();
  });
});
