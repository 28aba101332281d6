import fc from 'fast-check';
import { IPv4 } from 'ip-num';
import { expect, it } from 'vitest';
import { printAddress, readAddress } from '../../../src/base/net/text.ts';

it('prints an address as ip-num does, and reads it back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (address) => {
      expect(printAddress(address)).toBe(IPv4.fromNumber(BigInt(address)).toString());
      expect(readAddress(printAddress(address))).toBe(address);
    }),
    { numRuns: 2000 },
  );
});

it('reads an address as ip-num does', () => {
  const octet = fc.oneof(
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.constantFrom('00', '01', '007', '1000', '', ' 1', '-1', 'a', '1e1'),
  );
  const text = fc.array(octet, { minLength: 3, maxLength: 5 }).map((it) => it.join('.'));
  const asIpNum = (it: string): number | undefined => {
    try {
      return Number(IPv4.fromString(it).getValue());
    } catch {
      return undefined;
    }
  };
  fc.assert(
    fc.property(fc.oneof(text, fc.ipV4()), (it) => {
      expect(readAddress(it)).toBe(/^[\d.]+$/.test(it) ? asIpNum(it) : undefined);
    }),
    { numRuns: 2000 },
  );
});
