import { expect, it } from 'vitest';
import { compileLive } from '../../../src/host/app/compile-live.ts';
import { filesOf } from '../../../src/host/app/find-topology.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import type { TopologySpec } from '../../laws/topology-spec.ts';
import { driftLines } from './drift-lines.ts';
import { liveClusterOf } from './live-cluster-of.ts';
import { simulateFleet } from './simulate-fleet.ts';

const NETWORKS = { podCIDR: '10.200.0.0/16', serviceCIDR: '10.96.0.0/12' };
const ADDRESS = '203.0.113.20';

/** The hub has a load balancer at the address at which one of its clients dials a node port. */
const FLEET: TopologySpec = {
  version: 1,
  name: 'fleet',
  hub: 'frankfurt',
  clusters: {
    frankfurt: {
      ...NETWORKS,
      gateway: { addresses: [ADDRESS], service: 'LoadBalancer', loadBalancerIP: ADDRESS },
    },
    milan: { ...NETWORKS },
    rome: { ...NETWORKS },
  },
  peerings: [{ between: ['frankfurt', 'rome'], server: 'frankfurt', service: 'NodePort' }],
};

it('a node port at the address of a load balancer is imported with its address and its server', () => {
  const dumps = simulateFleet(compiledWithKeys(FLEET).bundle);
  const live = [...dumps].map(([id, list]) => liveClusterOf(id, list));
  const imported = compileLive(live, { name: 'fleet', files: filesOf('topology.yaml', undefined, false) });
  expect(imported.diagnostics.filter((one) => one.severity === 'error')).toEqual([]);
  if (!imported.ok) throw new Error('the import of a fleet has errors');
  expect(imported.value.sources.topology.text).toContain(
    `- { between: [frankfurt, rome], server: frankfurt, service: NodePort, address: ${ADDRESS} }\n`,
  );
  expect(driftLines(imported.value.compiled, dumps)).toEqual([]);
});
