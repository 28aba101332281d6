import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastAddress, overlaps, type Prefix, prefixAround, samePrefix } from '../../../src/base/net/prefix.ts';
import { prefixOf, printPrefix } from '../../../src/base/net/text.ts';
import type { AllocatorKind } from '../../../src/base/releases/allocators.ts';
import type { Allocation, Allocator } from '../../../src/fleet/ipam/allocators/allocator.ts';
import { acceptsPools, createAllocator } from '../../../src/fleet/ipam/allocators/create-allocator.ts';
import { RUNS_ALL, runsOf } from '../../support/drawn.ts';
import { naiveAllocator } from './naive-allocators.ts';

const KINDS: readonly AllocatorKind[] = ['liqo-1.0', 'liqo-1.2', 'best-fit'];
const DEFAULT_POOLS = ['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'];

const make = (kind: AllocatorKind, pools: readonly string[]): Allocator => createAllocator(kind, pools.map(prefixOf));
const print = (it: Allocation): string => (it.ok ? printPrefix(it.prefix) : it.failure);
const acquire = (allocator: Allocator, cidr: string): string => print(allocator.acquire(prefixOf(cidr)));
const reserve = (allocator: Allocator, cidr: string, shared = false): string =>
  print(allocator.reserve(prefixOf(cidr), shared));

describe.each(['liqo-1.0', 'liqo-1.2'] as const)('%s, worked examples of the real core', (kind) => {
  const installed = (): Allocator => {
    const allocator = make(kind, DEFAULT_POOLS);
    for (const cidr of ['10.244.0.0/16', '10.96.0.0/12', '10.70.0.0/16', '10.80.0.0/16']) reserve(allocator, cidr);
    return allocator;
  };

  it('puts moved networks next to those that are taken', () => {
    const allocator = installed();
    const octets = Array.from({ length: 16 }, () => Number(acquire(allocator, '10.244.0.0/16').split('.')[1]));
    expect(octets).toEqual([71, 68, 69, 64, 65, 66, 67, 72, 73, 74, 75, 76, 77, 78, 79, 81]);
  });

  it('moves other lengths', () => {
    const allocator = make(kind, DEFAULT_POOLS);
    for (const cidr of ['10.10.0.0/16', '10.11.0.0/16', '10.70.0.0/16', '10.80.0.0/16']) reserve(allocator, cidr);
    const table = [
      ['10.20.0.0/16', '10.20.0.0/16'],
      ['10.120.0.0/16', '10.120.0.0/16'],
      ['10.20.0.0/16', '10.8.0.0/16'],
      ['10.121.0.0/16', '10.121.0.0/16'],
      ['10.20.128.0/17', '10.9.0.0/17'],
      ['10.20.0.0/14', '10.12.0.0/14'],
      ['10.123.16.0/20', '10.123.16.0/20'],
      ['10.123.16.0/20', '10.9.128.0/20'],
      ['10.123.16.0/20', '10.9.144.0/20'],
    ] as const;
    expect(table.map(([wanted]) => acquire(allocator, wanted))).toEqual(table.map(([, given]) => given));
  });

  it('runs out and recovers', () => {
    const allocator = make(kind, ['10.0.0.0/14', '192.168.0.0/16', '172.16.0.0/15']);
    expect(Array.from({ length: 8 }, () => acquire(allocator, '10.0.0.0/16'))).toEqual([
      '10.0.0.0/16',
      '10.1.0.0/16',
      '10.2.0.0/16',
      '10.3.0.0/16',
      '192.168.0.0/16',
      '172.16.0.0/16',
      '172.17.0.0/16',
      'exhausted',
    ]);
    expect(allocator.release(prefixOf('10.2.0.0/16'))).toEqual(prefixOf('10.2.0.0/16'));
    expect(acquire(allocator, '10.0.0.0/15')).toBe('exhausted');
    expect(acquire(allocator, '10.0.0.0/16')).toBe('10.2.0.0/16');
  });

  it('gives the next peer the network next to the last one, so the order decides', () => {
    const peers = { a: ['10.244.0.0/16', '10.70.0.0/16'], b: ['10.244.0.0/16', '10.71.0.0/16'] };
    const inOrder = (names: readonly ('a' | 'b')[]) => {
      const allocator = installed();
      return Object.fromEntries(names.map((name) => [name, peers[name].map((it) => acquire(allocator, it))]));
    };
    const first = ['10.71.0.0/16', '10.68.0.0/16'];
    const second = ['10.69.0.0/16', '10.64.0.0/16'];
    expect(inOrder(['a', 'b'])).toEqual({ a: first, b: second });
    expect(inOrder(['b', 'a'])).toEqual({ b: first, a: second });
  });
});

describe('what differs between releases', () => {
  it('shares networks in 1.2 only', () => {
    const allocator = make('liqo-1.2', DEFAULT_POOLS);
    const shared = ['10.0.0.0/12', '10.0.0.0/16', '10.1.0.0/16', '10.0.0.0/12'];
    expect(shared.map((it) => reserve(allocator, it, true))).toEqual(shared);
    expect(['10.2.0.0/16', '10.16.0.0/16', '10.16.0.0/16'].map((it) => acquire(allocator, it))).toEqual([
      '10.16.0.0/16',
      '10.17.0.0/16',
      '10.18.0.0/16',
    ]);
    expect(reserve(allocator, '10.16.0.0/16', true)).toBe('unavailable');

    const older = make('liqo-1.0', DEFAULT_POOLS);
    expect(shared.map((it) => reserve(older, it, true))).toEqual([
      '10.0.0.0/12',
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
  });

  it('frees a shared network with its last owner, and leaves what is nested in it', () => {
    const allocator = make('liqo-1.2', ['10.0.0.0/8']);
    for (const cidr of ['10.0.0.0/12', '10.0.0.0/12', '10.1.0.0/16']) reserve(allocator, cidr, true);
    expect(allocator.release(prefixOf('10.0.0.0/12'))).toEqual(prefixOf('10.0.0.0/12'));
    expect(allocator.fits(prefixOf('10.2.0.0/16'))).toBe(false);
    expect(allocator.release(prefixOf('10.0.0.0/12'))).toEqual(prefixOf('10.0.0.0/12'));
    expect(allocator.release(prefixOf('10.0.0.0/12'))).toBeUndefined();
    expect(allocator.fits(prefixOf('10.2.0.0/16'))).toBe(true);
    expect(allocator.fits(prefixOf('10.0.0.0/12'))).toBe(false);
  });

  it('treats a network outside every pool in three ways', () => {
    const answers = (kind: AllocatorKind) => {
      const allocator = make(kind, DEFAULT_POOLS);
      return [
        reserve(allocator, '100.64.0.0/16', true),
        reserve(allocator, '100.65.0.0/16'),
        acquire(allocator, '100.66.0.0/16'),
        acquire(allocator, '100.66.0.0/16'),
      ];
    };
    expect(answers('liqo-1.0')).toEqual(['not-in-pool', 'not-in-pool', 'not-in-pool', 'not-in-pool']);
    expect(answers('liqo-1.2')).toEqual(['100.64.0.0/16', 'not-in-pool', '10.0.0.0/16', '10.1.0.0/16']);
    expect(answers('best-fit')).toEqual(['100.64.0.0/16', '100.65.0.0/16', '100.66.0.0/16', '10.0.0.0/16']);
  });

  it('takes overlapping pools in 1.0 only', () => {
    const pools = ['10.0.0.0/8', '10.0.0.0/16'].map(prefixOf);
    expect(KINDS.map((it) => acceptsPools(it, pools))).toEqual([true, false, false]);
    expect(() => createAllocator('liqo-1.2', pools)).toThrow('overlap');
    expect(() => createAllocator('best-fit', pools)).toThrow('overlap');
    expect(KINDS.map((it) => acceptsPools(it, DEFAULT_POOLS.map(prefixOf)))).toEqual([true, true, true]);
  });

  it('fills the smallest block first with best-fit, the split half first otherwise', () => {
    const answers = (kind: AllocatorKind) => {
      const allocator = make(kind, ['10.0.0.0/24']);
      for (const cidr of ['10.0.0.0/26', '10.0.0.192/27']) reserve(allocator, cidr);
      return acquire(allocator, '10.0.0.0/27');
    };
    expect(KINDS.map(answers)).toEqual(['10.0.0.64/27', '10.0.0.64/27', '10.0.0.224/27']);
  });
});

describe('best-fit and whole pools', () => {
  it('moves a request for a whole pool before it takes the halves', () => {
    const allocator = make('best-fit', DEFAULT_POOLS);
    expect(acquire(allocator, '192.168.0.0/16')).toBe('10.0.0.0/16');
    expect(reserve(allocator, '192.168.0.0/16')).toBe('192.168.0.0/16');
    expect(allocator.fits(prefixOf('192.168.0.0/16'))).toBe(false);
    expect(allocator.release(prefixOf('192.168.128.0/17'))).toEqual(prefixOf('192.168.128.0/17'));
  });

  it('keeps the free half of a pool that it refuses', () => {
    const allocator = make('best-fit', ['10.0.0.0/16']);
    expect(acquire(allocator, '10.0.1.0/24')).toBe('10.0.1.0/24');
    expect(reserve(allocator, '10.0.0.0/16')).toBe('unavailable-half-leaked');
    expect(acquire(allocator, '10.0.200.0/24')).toBe('10.0.0.0/24');
    expect(allocator.release(prefixOf('10.0.0.0/16'))).toEqual(prefixOf('10.0.0.0/16'));
    expect(acquire(allocator, '10.0.200.0/24')).toBe('10.0.200.0/24');
  });

  it('rejects what adjacent pools cover only together', () => {
    const allocator = make('best-fit', ['10.0.0.0/16', '10.1.0.0/16', '10.3.0.0/16']);
    expect(acquire(allocator, '10.0.0.0/15')).toBe('rejected');
    expect(reserve(allocator, '10.0.0.0/15')).toBe('rejected');
    expect(acquire(allocator, '10.2.0.0/15')).toBe('exhausted');
    expect(reserve(allocator, '10.2.0.0/15')).toBe('unavailable');
  });
});

describe.each(KINDS)('%s at the ends of the address space', (kind) => {
  it('grants the whole address space, once', () => {
    const allocator = make(kind, ['0.0.0.0/0']);
    expect(allocator.fits(prefixOf('0.0.0.0/0'))).toBe(true);
    expect(acquire(allocator, '0.0.0.0/0')).toBe('0.0.0.0/0');
    expect(allocator.fits(prefixOf('0.0.0.0/0'))).toBe(false);
    expect(acquire(allocator, '255.255.255.255/32')).toBe('exhausted');
    expect(allocator.countFree(32)).toBe(0);
    expect(allocator.release(prefixOf('0.0.0.0/0'))).toEqual(prefixOf('0.0.0.0/0'));
    expect(allocator.countFree(32)).toBe(2 ** 32);
    expect(acquire(allocator, '255.255.255.255/32')).toBe('255.255.255.255/32');
    expect(allocator.countFree(32)).toBe(2 ** 32 - 1);
    expect(allocator.countFree(1)).toBe(1);
    expect(acquire(allocator, '0.0.0.0/0')).toBe(kind === 'best-fit' ? 'exhausted-half-leaked' : 'exhausted');
  });

  it('moves to the last address there is', () => {
    const allocator = make(kind, ['255.255.255.254/31']);
    expect(acquire(allocator, '255.255.255.254/32')).toBe('255.255.255.254/32');
    expect(acquire(allocator, '255.255.255.254/32')).toBe('255.255.255.255/32');
    expect(acquire(allocator, '255.255.255.254/32')).toBe('exhausted');
  });

  it('moves above 128.0.0.0', () => {
    const allocator = make(kind, ['128.0.0.0/1']);
    reserve(allocator, '240.0.0.0/8');
    reserve(allocator, '128.0.0.0/2');
    expect(acquire(allocator, '240.0.0.0/8')).toBe('241.0.0.0/8');
    expect(acquire(allocator, '128.0.0.0/2')).toBe('exhausted');
    expect(acquire(allocator, '128.0.0.0/3')).toBe('192.0.0.0/3');
  });

  it('supports a pool of one address', () => {
    const allocator = make(kind, ['128.0.0.1/32', '255.255.255.255/32']);
    const first = prefixOf('128.0.0.1/32');
    if (kind === 'best-fit') {
      // A pool never gives itself as a whole, and one address has no halves.
      expect(allocator.fits(first)).toBe(false);
      expect([acquire(allocator, '128.0.0.1/32'), reserve(allocator, '128.0.0.1/32')]).toEqual([
        'exhausted',
        'unavailable',
      ]);
      expect(allocator.release(first)).toBeUndefined();
      return;
    }
    expect(acquire(allocator, '128.0.0.1/32')).toBe('128.0.0.1/32');
    expect(acquire(allocator, '128.0.0.1/32')).toBe('255.255.255.255/32');
    expect(allocator.countFree(32)).toBe(0);
    expect(allocator.release(first)).toEqual(first);
    expect(allocator.countFree(32)).toBe(1);
  });
});

interface Request {
  readonly op: 'acquire' | 'reserve' | 'release';
  readonly prefix: Prefix;
  readonly shared: boolean;
  /** A release gives back a network that was given before, when this points at one. */
  readonly pick: number;
}

interface World {
  readonly pools: readonly string[];
  /** The sources of requests. */
  readonly around: string;
  readonly lengths: { readonly min: number; readonly max: number };
}

const WORLDS: Readonly<Record<string, World>> = {
  'one small pool': { pools: ['10.0.0.0/24'], around: '10.0.0.0/24', lengths: { min: 24, max: 32 } },
  'separate small pools': {
    pools: ['10.0.0.128/26', '10.0.0.0/26', '10.0.0.240/29'],
    around: '10.0.0.0/24',
    lengths: { min: 23, max: 30 },
  },
  'adjacent pools': {
    pools: ['10.0.0.64/26', '10.0.0.0/26', '10.0.0.128/25'],
    around: '10.0.0.0/23',
    lengths: { min: 22, max: 29 },
  },
  'the last addresses': {
    pools: ['255.255.255.240/28', '255.255.255.224/28'],
    around: '255.255.255.192/26',
    lengths: { min: 25, max: 32 },
  },
  'every address': { pools: ['0.0.0.0/0'], around: '0.0.0.0/0', lengths: { min: 0, max: 7 } },
  'both halves of everything': {
    pools: ['128.0.0.0/1', '0.0.0.0/1'],
    around: '0.0.0.0/0',
    lengths: { min: 0, max: 32 },
  },
};

const requestsIn = ({ around, lengths }: World): fc.Arbitrary<readonly Request[]> => {
  const place = prefixOf(around);
  const prefix = fc
    .tuple(fc.integer({ min: place.base, max: lastAddress(place) }), fc.integer(lengths))
    .map(([address, length]) => prefixAround(address, length));
  const op = fc.constantFrom('acquire', 'acquire', 'acquire', 'reserve', 'release', 'release');
  const request = fc.record({ op, prefix, shared: fc.boolean(), pick: fc.nat({ max: 60 }) });
  return fc.array(request as fc.Arbitrary<Request>, { minLength: 1, maxLength: 40 });
};

const cases = KINDS.flatMap((kind) => Object.keys(WORLDS).map((name) => ({ kind, name })));

/** Makes the requests in order and calls back after each, with what is given and not yet released. */
function perform(
  allocator: Allocator,
  requests: readonly Request[],
  after: (request: Request, answer: string, given: readonly Prefix[]) => void,
): void {
  let given: Prefix[] = [];
  for (const request of requests) {
    if (request.op === 'release') {
      const prefix = given[request.pick] ?? request.prefix;
      const released = allocator.release(prefix);
      if (released) given = given.filter((it) => !samePrefix(it, released));
      after({ ...request, prefix }, released ? printPrefix(released) : 'nothing', given);
      continue;
    }
    const answer =
      request.op === 'acquire' ? allocator.acquire(request.prefix) : allocator.reserve(request.prefix, request.shared);
    if (answer.ok) given.push(answer.prefix);
    after(request, print(answer), given);
  }
}

describe.each(cases)('$kind over $name', ({ kind, name }) => {
  const world = WORLDS[name] as World;
  const pools = world.pools.map(prefixOf);
  const requests = requestsIn(world);

  it('has the same results as the plain re-statement', () => {
    fc.assert(
      fc.property(requests, (list) => {
        const naive = naiveAllocator(kind, pools);
        const expected: string[] = [];
        perform(naive, list, (request, answer) => {
          expected.push(`${answer} ${naive.fits(request.prefix)} ${naive.countFree(request.prefix.length)}`);
        });
        const allocator = createAllocator(kind, pools);
        const got: string[] = [];
        perform(allocator, list, (request, answer) => {
          got.push(`${answer} ${allocator.fits(request.prefix)} ${allocator.countFree(request.prefix.length)}`);
        });
        expect(got).toEqual(expected);
      }),
      { numRuns: runsOf(250, 50) },
    );
  });

  it('never grants an address twice, and grants released networks again', () => {
    // A whole pool of best-fit is two networks in disguise: its halves can be released one by one.
    const isWhole = (prefix: Prefix) => kind === 'best-fit' && pools.some((it) => samePrefix(it, prefix));
    const exclusive = requests.map((list) =>
      list.filter((it) => !isWhole(it.prefix)).map((it) => ({ ...it, shared: false })),
    );
    fc.assert(
      fc.property(exclusive, (list) => {
        const allocator = createAllocator(kind, pools);
        let given: readonly Prefix[] = [];
        perform(allocator, list, (_, __, now) => {
          given = [...now];
        });
        expect(given.some((a, i) => given.some((b, j) => i < j && overlaps(a, b)))).toBe(false);
        for (const it of given) {
          expect(allocator.fits(it)).toBe(false);
          expect(allocator.release(it)).toEqual(it);
          expect(allocator.fits(it)).toBe(true);
          expect(allocator.reserve(it, false)).toEqual({ ok: true, prefix: it });
        }
      }),
      { numRuns: runsOf(100, 20) },
    );
  });

  it('fits exactly what an exact request gets, and changes nothing', () => {
    fc.assert(
      fc.property(requests, requests, (list, probed) => {
        const allocator = createAllocator(kind, pools);
        perform(allocator, list, () => {});
        for (const { prefix } of probed) {
          const fits = allocator.fits(prefix);
          expect(allocator.fits(prefix)).toBe(fits);
          expect(allocator.reserve(prefix, false).ok).toBe(fits);
        }
      }),
      { numRuns: runsOf(100, 20) },
    );
  });

  it('counts as many free networks as can still be moved into the pools', () => {
    const length = fc.integer({ min: world.lengths.min, max: Math.min(world.lengths.max, 30) });
    fc.assert(
      fc.property(requests, length, (list, wanted) => {
        const allocator = createAllocator(kind, pools);
        perform(allocator, list, () => {});
        const free = allocator.countFree(wanted);
        fc.pre(free <= 300);
        const pool = pools.find((it) => it.length < wanted);
        if (pool === undefined) return;
        for (let i = 0; i < free; i++) expect(allocator.acquire({ base: pool.base, length: wanted }).ok).toBe(true);
        expect(allocator.acquire({ base: pool.base, length: wanted })).toEqual({ ok: false, failure: 'exhausted' });
        expect(allocator.countFree(wanted)).toBe(0);
      }),
      { numRuns: runsOf(60, 12) },
    );
  });
});

describe.each(KINDS)('%s with tens of thousands of networks', (kind) => {
  /** Each request goes a few times down a path of at most 33 nodes, and looks at two halves on the way. */
  const MOST_VISITS = 10 * 33;

  const visitsOf = (pools: readonly string[], wanted: readonly Prefix[]): { most: number; given: number } => {
    const meter = { visits: 0 };
    const allocator = createAllocator(kind, pools.map(prefixOf), meter);
    let most = 0;
    let given = 0;
    for (const it of wanted) {
      const before = meter.visits;
      if (allocator.acquire(it).ok) given++;
      most = Math.max(most, meter.visits - before);
    }
    return { most, given };
  };

  it('visits no more nodes for the last conflict than a path has', () => {
    const count = RUNS_ALL ? 50_000 : 20_000;
    const same = prefixOf('10.0.0.0/24');
    const { most, given } = visitsOf(
      DEFAULT_POOLS,
      Array.from({ length: count }, () => same),
    );
    expect(given).toBe(count);
    expect(most).toBeGreaterThan(16);
    expect(most).toBeLessThan(MOST_VISITS);
  });

  it('visits no more nodes when there is no room left', () => {
    const same = prefixOf('10.0.0.0/26');
    const { most, given } = visitsOf(
      ['10.0.0.0/16', '172.16.0.0/20'],
      Array.from({ length: 3000 }, () => same),
    );
    expect(given).toBe(1024 + 64);
    expect(most).toBeLessThan(MOST_VISITS);
  });

  it('visits no more nodes for networks outside the pools', () => {
    const outside = Array.from({ length: 20_000 }, (_, i) => ({ base: (0xc8000000 + i * 256) >>> 0, length: 24 }));
    const { most } = visitsOf(DEFAULT_POOLS, outside);
    expect(most).toBeLessThan(MOST_VISITS);
  });
});

it('liqo-1.2 gives networks that are free at the same time to whoever asks for them, in any order', () => {
  const network = fc
    .tuple(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 8, max: 20 }))
    .map(([low, length]) => prefixAround(0x0a000000 + low, length));
  fc.assert(
    fc.property(
      fc.array(network, { maxLength: 40 }),
      fc.array(network, { maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (them, own, chance) => {
        const installed = (): Allocator => {
          const allocator = make('liqo-1.2', DEFAULT_POOLS);
          for (const it of own) allocator.reserve(it, true);
          return allocator;
        };
        const kept = installed();
        const free = them.filter((it) => kept.reserve(it, false).ok);
        const shuffled = free.map((it) => [chance.next().value, it] as const).sort(([a], [b]) => a - b);
        const rollout = installed();
        for (const [, it] of shuffled) expect(print(rollout.acquire(it))).toBe(printPrefix(it));
      },
    ),
  );
});
