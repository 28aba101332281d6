import fc from 'fast-check';
import { IPv4, IPv4CidrRange } from 'ip-num';
import { describe, expect, it } from 'vitest';
import {
  isIPv6,
  printAddress,
  printPrefix,
  readAddress,
  readNetmask,
  readPrefix,
  readPrintedAddress,
  readPrintedPrefix,
  readRange,
} from '../../../src/base/net/text.ts';

/** The result of ip-num; `undefined` where it throws. */
function byIpNum<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const asIpNum = (text: string): number | undefined => byIpNum(() => Number(IPv4.fromString(text).getValue()));

const ODD = ['0', '7', '255', '256', '300', '00', '01', '007', '1000', '', ' 1', '-1', '1e1'];

/** Every text of four of these octets: most of them are no addresses. */
const oddTexts = ODD.flatMap((a) => ODD.flatMap((b) => ODD.flatMap((c) => ODD.map((d) => [a, b, c, d].join('.')))));

it('prints an address as ip-num does, and reads it back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), (address) => {
      expect(printAddress(address)).toBe(IPv4.fromNumber(BigInt(address)).toString());
      expect(readAddress(printAddress(address))).toBe(address);
      expect(readPrintedAddress(printAddress(address))).toBe(address);
    }),
    { numRuns: 2000 },
  );
});

describe('an address', () => {
  it('is one if ip-num says so, whoever wrote it', () => {
    const wrong = oddTexts.filter((text) => readAddress(text) !== asIpNum(text));
    const wrongOfPrinted = oddTexts.filter((text) => readPrintedAddress(text) !== asIpNum(text));
    expect([oddTexts.length, wrong, wrongOfPrinted]).toEqual([28_561, [], []]);
    expect(oddTexts.filter((text) => readAddress(text) !== undefined)).toHaveLength(3 ** 4);
  });

  it.each([
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4.',
    '.1.2.3.4',
    '١.2.3.4',
    '1.2.3.4\n',
    '0x1.2.3.4',
    `1.2.3.${'4'.repeat(1_000_000)}`,
  ])('is not %j', (text) => {
    expect([readAddress(text), readPrintedAddress(text)]).toEqual([undefined, undefined]);
  });
});

describe('a network', () => {
  const length = fc.constantFrom('0', '1', '8', '16', '31', '32', '33', '08', '', '-1', '1e1', '255.255.0.0', '128');
  const address = fc.oneof(fc.ipV4(), fc.constantFrom('10.0.0.0', '0.0.0.0', '10.2.3.4', ...ODD));
  const text = fc.tuple(address, fc.constantFrom('/', '//', ' / ', ''), length).map((parts) => parts.join(''));

  it('is read as ip-num reads it, if it is written in the one way without host bits', () => {
    fc.assert(
      fc.property(text, (it) => {
        const range = byIpNum(() => IPv4CidrRange.fromCidr(it));
        const network = range && `${range.getFirst().toString()}/${range.getPrefix().toString()}`;
        const reading = readPrefix(it);
        expect(reading.ok).toBe(network === it);
        if (reading.ok) expect(printPrefix(reading.prefix)).toBe(it);
        expect(readPrintedPrefix(it)).toEqual(reading.ok ? reading.prefix : undefined);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['10.0.0.7/16', { kind: 'host-bits', network: { base: 0x0a000000, length: 16 } }],
    ['10.0.0.0', { kind: 'no-length' }],
    ['10.0.0.0/33', { kind: 'not-a-cidr' }],
    ['10.0.0.0/08', { kind: 'not-a-cidr' }],
    ['10.0.0.0/8/8', { kind: 'not-a-cidr' }],
    ['fd00:10:244::/56', { kind: 'ipv6' }],
    ['fd00:10:244::', { kind: 'ipv6' }],
    ['', { kind: 'not-a-cidr' }],
  ])('is not %j, and the reason is known', (given, problem) => {
    expect(readPrefix(given)).toEqual({ ok: false, problem });
  });
});

it.each([
  ['::', true],
  ['2001:DB8::1/128', true],
  ['fe80::1%eth0/64', true],
  ['::ffff:10.0.0.1', true],
  ['1:2:3', false],
  ['aa:bb:cc:dd:ee:ff', false],
  ['::::', false],
  ['2001:db8::/129', false],
  ['2001:db8::/064', false],
  ['10.0.0.1', false],
  ['10.0.0.1:80', false],
  ['1:'.repeat(500_000), false],
])('of %j it is known whether it is IPv6', (text, expected) => {
  expect(isIPv6(text)).toBe(expected);
});

it('reads netmasks, and ranges that are networks', () => {
  expect(['255.255.0.0', '0.0.0.0', '255.255.255.255', '255.0.255.0', '255.255'].map(readNetmask)).toEqual([
    16,
    0,
    32,
    undefined,
    undefined,
  ]);
  expect(readRange('10.202.0.0', '10.202.255.255')).toEqual({ base: 0x0aca0000, length: 16 });
  expect(readRange('10.202.0.1', '10.202.255.255')).toBeUndefined();
  expect(readRange('10.202.0.0', '10.201.0.0')).toBeUndefined();
  expect(readRange('10.202', '10.203')).toBeUndefined();
});
