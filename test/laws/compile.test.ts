import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpen } from '../../src/base/diagnostics/diagnostic.ts';
import { compileAccepting } from '../support/accepting-everything.ts';
import { arbitraryFleet } from './arbitrary-topology.ts';
import { chance, shuffled, withShuffledKeys } from './chance.ts';
import { compiled, type Decided, decidedBy, tryCompile, WHOLE } from './compile-spec.ts';
import { law } from './law.ts';
import { once } from './once.ts';
import { type LinkSpec, type TopologySpec, topologySource } from './topology-spec.ts';

const tryOnce = once((spec: TopologySpec) => tryCompile(spec));

const compiledOnce = (spec: TopologySpec): Decided => decidedBy(tryOnce(spec));

/** The topology in another order: keys, clusters, hubs, links, the two ends of a link. */
function rewritten(spec: TopologySpec, seed: number): TopologySpec {
  const next = chance(seed);
  const turned = (it: LinkSpec): LinkSpec =>
    next() < 0.5 ? it : { ...it, between: [it.between[1], it.between[0]] as const };
  const clusters = Object.entries(spec.clusters).map(([name, it]) => [
    name,
    typeof it.hub === 'object' ? { ...it, hub: shuffled(it.hub, next) } : it,
  ]);
  return withShuffledKeys(
    {
      ...spec,
      clusters: Object.fromEntries(clusters) as TopologySpec['clusters'],
      ...(typeof spec.hub === 'object' ? { hub: shuffled(spec.hub, next) } : {}),
      ...(spec.peerings ? { peerings: shuffled(spec.peerings, next).map(turned) } : {}),
      ...(spec.shortcuts ? { shortcuts: shuffled(spec.shortcuts, next).map(turned) } : {}),
    },
    next,
  );
}

const reported = (diagnostics: readonly { readonly code: string; readonly message: string }[]): readonly string[] =>
  diagnostics.map((it) => `${it.code}: ${it.message}`).sort();

describe('a topology', () => {
  law(
    'compiles to the same bytes in whatever order it is written',
    200,
    fc.property(arbitraryFleet(), fc.nat(), ({ spec }, seed) => {
      const one = compiledOnce(spec);
      const other = compiledOnce(rewritten(spec, seed));
      expect([...other.bundle]).toEqual([...one.bundle]);
      expect(other.lock).toBe(one.lock);
      expect(reported(other.diagnostics)).toEqual(reported(one.diagnostics));
    }),
  );

  law(
    'is valid or not, and never a reason to throw, in whatever order it is written',
    200,
    fc.property(arbitraryFleet(), fc.nat(), ({ spec }, seed) => {
      const one = tryOnce(spec);
      const other = tryOnce(rewritten(spec, seed));
      expect(other.ok).toBe(one.ok);
      if (!one.ok) expect(one.diagnostics.some((it) => it.severity === 'error')).toBe(true);
    }),
  );

  law(
    'compiles to the same twice, and with its own lock',
    200,
    fc.property(arbitraryFleet(), ({ spec }) => {
      const first = compiledOnce(spec);
      const again = compiled(spec);
      const kept = compiled(spec, first.lock);
      expect([...again.bundle]).toEqual([...first.bundle]);
      expect(again.lock).toBe(first.lock);
      expect([...kept.bundle]).toEqual([...first.bundle]);
      expect(kept.lock).toBe(first.lock);
      expect(reported(kept.diagnostics)).toEqual(reported(first.diagnostics));
    }),
  );

  law(
    'compiles to the same when all that it is warned about is accepted, and then warns of nothing',
    100,
    fc.property(arbitraryFleet(), ({ spec }) => {
      const plain = compiledOnce(spec);
      const topology = topologySource(spec);
      const accepting = decidedBy(compileAccepting({ topology, keys: undefined, lock: undefined }, plain, WHOLE));
      expect([...accepting.bundle]).toEqual([...plain.bundle]);
      expect(accepting.lock).toBe(plain.lock);
      expect(accepting.diagnostics.filter(isOpen)).toEqual([]);
    }),
  );

  law(
    'compiles for some clusters to their part of the whole',
    100,
    fc.property(arbitraryFleet(), fc.nat(), ({ spec }, seed) => {
      const whole = compiledOnce(spec);
      const next = chance(seed);
      const only = shuffled(Object.keys(spec.clusters), next).slice(0, 1 + Math.floor(next() * 2));
      const part = compiled(spec, undefined, { only });
      const expected = [...whole.bundle].filter(([path]) => only.includes(path.split('/')[0] as string));
      expect([...part.bundle]).toEqual(expected);
      expect(part.lock).toBe(whole.lock);
    }),
  );

  it('is valid more often than not, so that the laws check something', () => {
    const drawn = fc.sample(arbitraryFleet(), { numRuns: 300, seed: 1 });
    const valid = drawn.filter(({ spec }) => tryCompile(spec, undefined, { only: [] }).ok);
    expect(valid.length / drawn.length).toBeGreaterThan(0.7);
    expect(valid.length).toBeLessThan(drawn.length);
  });
});
