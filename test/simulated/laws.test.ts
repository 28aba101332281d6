import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { arbitraryFleet } from '../laws/arbitrary-topology.ts';
import { compiledWithKeys } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { releaseOf, type TopologySpec } from '../laws/topology-spec.ts';
import { driftLines } from './drift-lines.ts';
import type { ReleaseLine } from './objects.ts';
import { simulateFleet } from './simulate-fleet.ts';

/** Only the network is simulated, with the allocators of the releases that have one. */
const networkOf = ({ sharing: _, offloading: __, ...spec }: TopologySpec): TopologySpec => spec;

const anyFleet = arbitraryFleet({ maxClusters: 6 })
  .filter((it) => it.releases !== 'best-fit')
  .map((it) => networkOf(it.spec));

const releasesOf = (spec: TopologySpec) => (cluster: string) => releaseOf(spec, cluster) as ReleaseLine;

describe('a fleet that was rolled out in waves', () => {
  law(
    'does not drift',
    100,
    fc.property(anyFleet, (spec) => {
      const decided = compiledWithKeys(spec);
      const dumps = simulateFleet(decided.bundle, { release: releasesOf(spec) });
      expect(driftLines(decided, dumps)).toEqual([]);
    }),
  );
});
