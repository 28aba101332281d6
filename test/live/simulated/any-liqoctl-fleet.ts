import fc from 'fast-check';
import { LINES } from './objects.ts';
import type { LiqoctlPeering } from './peer-as-liqoctl.ts';
import type { LiqoctlCluster, LiqoctlFleet } from './simulate-liqoctl.ts';

const NAMES = ['rome', 'milan', 'oslo', 'turin'];
const PODS = ['10.200.0.0/16', '10.202.0.0/16', '10.244.0.0/16', '10.68.0.0/17'];

const anyCluster: fc.Arbitrary<LiqoctlCluster> = fc.record(
  {
    release: fc.constantFrom(...LINES),
    podCIDR: fc.constantFrom(...PODS),
    serviceCIDR: fc.constantFrom('10.96.0.0/12', '10.61.0.0/16'),
    externalCIDR: fc.constantFrom('10.70.0.0/16', '10.71.0.0/16', '10.90.0.0/20'),
    reserved: fc.subarray(['192.168.10.0/24', '172.20.0.0/24']),
  },
  { requiredKeys: ['release', 'podCIDR', 'serviceCIDR'] },
);

interface PeeringGenes {
  readonly service: 'LoadBalancer' | 'NodePort';
  readonly mtu: number;
  readonly hasNodePort: boolean;
  readonly isTurned: boolean;
}

const anyPeering: fc.Arbitrary<PeeringGenes> = fc.record({
  service: fc.constantFrom('LoadBalancer', 'NodePort'),
  mtu: fc.constantFrom(1340, 1420),
  hasNodePort: fc.boolean(),
  isTurned: fc.boolean(),
});

/** Some clusters of any releases, of which some pairs were peered with liqoctl, in any order. */
export const anyLiqoctlFleet: fc.Arbitrary<LiqoctlFleet> = fc
  .integer({ min: 2, max: NAMES.length })
  .chain((size) => {
    const names = NAMES.slice(0, size);
    const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
    return fc.record({
      clusters: fc.tuple(...names.map(() => anyCluster)),
      pairs: fc.shuffledSubarray(pairs, { minLength: 1 }),
      genes: fc.array(anyPeering, { minLength: pairs.length, maxLength: pairs.length }),
      names: fc.constant(names),
    });
  })
  .map(({ clusters, pairs, genes, names }) => ({
    clusters: Object.fromEntries(names.map((it, i) => [it, clusters[i] as LiqoctlCluster])),
    peerings: pairs.map(([a, b], i) => peeringOf(a, b, genes[i] as PeeringGenes, i)),
  }));

const peeringOf = (a: string, b: string, genes: PeeringGenes, index: number): LiqoctlPeering => ({
  client: genes.isTurned ? b : a,
  server: genes.isTurned ? a : b,
  service: genes.service,
  mtu: genes.mtu,
  ...(genes.hasNodePort && genes.service === 'NodePort' ? { nodePort: 31_000 + index } : {}),
});
