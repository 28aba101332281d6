import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { compile } from '../../src/compile.ts';
import { arbitraryFleet } from './arbitrary-topology.ts';
import { tryCompile } from './compile-spec.ts';
import { law } from './law.ts';
import { lockSource, topologySource } from './topology-spec.ts';

/**
 * Far above what such a small text takes, far below what a loop that runs away takes. Counted is the time of the
 * processor, so that a busy machine is no loop.
 */
const QUICK_MILLISECONDS = 5_000;

interface Texts {
  readonly topology: string;
  readonly keys?: string;
  readonly lock?: string;
}

/** Compiling may refuse anything, with a message and a place; it never throws and never takes its time. */
function expectAnswer({ topology, keys, lock }: Texts): void {
  const start = process.cpuUsage();
  const result = compile(
    {
      topology: { path: 'topology.yaml', text: topology },
      keys: keys === undefined ? undefined : { path: 'topology.keys.yaml', text: keys },
      lock: lock === undefined ? undefined : lockSource(lock),
    },
    { relock: [], only: null },
  );
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(QUICK_MILLISECONDS);
  expect(result.ok).toBe(!result.diagnostics.some((it) => it.severity === 'error'));
  for (const { span, message } of result.diagnostics) {
    expect(message).not.toMatch(/undefined|\[object|NaN|Infinity/);
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(span.source.text.length);
  }
}

/** A change of a text at random, whatever its meaning is. */
interface Slip {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const WORDS = [
  '0',
  '-1',
  '/',
  '/0',
  '/33',
  '10.0.0.0/8',
  '0.0.0.0/0',
  'auto',
  '[]',
  '{}',
  '~',
  ':',
  '\n',
  '  ',
  '- ',
  '"',
  '#',
  '&a',
  '*a',
  '!!x',
  '\t',
  '99999',
  '1e9',
  'null',
  'true',
  'hub',
  'rome',
  '__proto__',
  'constructor',
  'é',
  '\u0000',
  '\ud800',
];

const slip: fc.Arbitrary<Slip> = fc.record({
  at: fc.nat(),
  length: fc.oneof(fc.constant(0), fc.constant(1), fc.nat({ max: 12 })),
  text: fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 4 }), fc.constant('')),
});

const slipped = (text: string, slips: readonly Slip[]): string =>
  slips.reduce((it, { at, length, text: put }) => {
    const place = at % (it.length + 1);
    return it.slice(0, place) + put + it.slice(place + length);
  }, text);

const slips = fc.array(slip, { minLength: 1, maxLength: 4 });

/** A scalar of a text replaced by another: such texts come further than those with broken YAML. */
function withOtherScalar(text: string, { at, text: put }: Slip): string {
  const scalars = [...text.matchAll(/(?<=[:-] )[^\s#{[][^\n]*$/gm)];
  const chosen = scalars[at % Math.max(1, scalars.length)];
  if (!chosen) return text;
  return text.slice(0, chosen.index) + put + text.slice(chosen.index + chosen[0].length);
}

describe('compiling never throws and is quick', () => {
  law(
    'for random text',
    300,
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (topology) => expectAnswer({ topology })),
  );

  law(
    'for random bytes in all three files',
    100,
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = new TextDecoder().decode(bytes);
      expectAnswer({ topology: text, keys: text, lock: text });
    }),
  );

  law(
    'for a topology with slips of the hand',
    300,
    fc.property(arbitraryFleet({ maxClusters: 5 }), slips, ({ spec }, made) => {
      expectAnswer({ topology: slipped(topologySource(spec).text, made) });
    }),
  );

  law(
    'for a topology with other values in it',
    300,
    fc.property(arbitraryFleet({ maxClusters: 5 }), slips, ({ spec }, made) => {
      expectAnswer({ topology: made.reduce(withOtherScalar, topologySource(spec).text) });
    }),
  );

  law(
    'for a topology that ends too early',
    100,
    fc.property(arbitraryFleet({ maxClusters: 5 }), fc.nat(), ({ spec }, cut) => {
      const { text } = topologySource(spec);
      expectAnswer({ topology: text.slice(0, cut % text.length) });
    }),
  );

  law(
    'for a lock with slips of the hand, other values, or of another topology',
    300,
    fc.property(arbitraryFleet({ maxClusters: 5 }), arbitraryFleet({ maxClusters: 5 }), slips, (one, other, made) => {
      const topology = topologySource(one.spec).text;
      for (const { spec } of [one, other]) {
        const result = tryCompile(spec, undefined, { only: [] });
        if (!result.ok) continue;
        expectAnswer({ topology, lock: result.value.lock });
        expectAnswer({ topology, lock: slipped(result.value.lock, made) });
        expectAnswer({ topology, lock: made.reduce(withOtherScalar, result.value.lock) });
      }
    }),
  );
});
