import { describe, expect, it } from 'vitest';
import { printPrefix, readPrefix } from '../../../src/base/net/text.ts';
import { readVectors, type VectorCase } from '../../../src/host/build/check-vectors.ts';
import { naiveIpam } from '../../../src/proof/verify/expected/naive-ipam.ts';
import { readVector, vectorFiles } from '../../support/vectors.ts';

const files = vectorFiles('ipam');

/**
 * The naive IPAM never releases a network, so a case ends before its first release. Pools that weft refuses are
 * skipped.
 */
const untilRelease = ({ operations, poolsError }: VectorCase): VectorCase['operations'] => {
  const end = operations.findIndex((it) => it.op === 'release');
  return poolsError === undefined ? operations.slice(0, end === -1 ? undefined : end) : [];
};

function networksOf(it: VectorCase): readonly (string | null)[] {
  const networkIn = (text: string) => {
    const reading = readPrefix(text);
    if (!reading.ok) throw new Error(`${text} is not a network`);
    return reading.prefix;
  };
  const ipam = naiveIpam(it.allocator, it.pools.map(networkIn));
  return untilRelease(it).flatMap(({ op, cidr, shared, results }) =>
    results.map(() => {
      const network = networkIn(cidr);
      if (op === 'reserve') return ipam.reserve(network, shared) ? cidr : null;
      const given = ipam.acquire(network);
      return given ? printPrefix(given) : null;
    }),
  );
}

describe('the naive IPAM', () => {
  it.each(files.filter((it) => /(edge|random|hub|large|seed-tables)\.?(json)?/.test(it) && it.endsWith('.json')))(
    'assigns the recorded networks: %s',
    (file) => {
      const cases = readVectors(readVector(`ipam/${file}`));
      expect(cases.reduce((sum, it) => sum + untilRelease(it).length, 0)).toBeGreaterThan(0);
      for (const it of cases) {
        const recorded = untilRelease(it).flatMap(({ results }) => results);
        expect(networksOf(it), it.name).toEqual(recorded);
      }
    },
  );
});

describe('the naive IPAM', () => {
  it.each(['liqo-1.0', 'liqo-1.2', 'best-fit'] as const)('handles 40,000 requests of a hub in seconds: %s', (kind) => {
    const pool = { base: 0x0a000000, length: 8 };
    const ipam = naiveIpam(kind, [pool]);
    const wanted = { base: 0x0a460000, length: 24 };
    const given = new Set(Array.from({ length: 40_000 }, () => ipam.acquire(wanted)?.base));
    expect(given.size).toBe(40_000);
  });
});
