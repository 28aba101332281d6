import fc from 'fast-check';
import { IPv4 } from 'ip-num';
import { expect, it } from 'vitest';
import { printAddress, readAddress } from '../../src/net/text.ts';

it('prints an address as ip-num does, and reads it back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (address) => {
      expect(printAddress(address)).toBe(IPv4.fromNumber(BigInt(address)).toString());
      expect(readAddress(printAddress(address))).toBe(address);
    }),
    { numRuns: 2000 },
  );
});
