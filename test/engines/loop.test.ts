import { afterEach, describe, expect, it } from 'vitest';
import { applyBundle } from './support/apply-bundle.ts';
import { compareFleet } from './support/compare.ts';
import { EngineFleet } from './support/fleet.ts';
import { until } from './support/processes.ts';
import { type LiqoMinor, missingLiqo } from './support/programs.ts';

const TOPOLOGY = (release: LiqoMinor) => `version: 1
name: europe
hub: europe
liqo: { version: "${release}" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome:   { podCIDR: 10.202.0.0/16 }
  milan:  { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
shortcuts:
  - [rome, milan]
`;

let fleet: EngineFleet | null = null;
afterEach(() => fleet?.stop(), 60_000);

describe.each(['1.2'] as const)('Liqo %s', (release) => {
  const missing = missingLiqo(release);
  it.skipIf(missing !== null)(`applied by hand (${missing ?? 'all is there'})`, { timeout: 600_000 }, async () => {
    fleet = await EngineFleet.start();
    const its = fleet;
    await its.commit(TOPOLOGY(release), 'The fleet');
    await its.startClusters();
    for (const name of its.clusters.keys()) await applyBundle(its, name);
    await until(`all is up: ${its.waiting().join('; ')}`, () => its.waiting().length === 0, 60);
    const { compared, different } = await compareFleet(its);
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(20);
    expect((await its.weft('drift', '--wait', '1m', ...its.contexts())).stdout).toContain('no drift');
  });
});
