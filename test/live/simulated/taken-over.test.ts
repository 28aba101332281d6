import { expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { simulateLiqoctl } from './simulate-liqoctl.ts';

const POD_CIDR = '10.244.0.0/16';
const SERVICE_CIDR = '10.96.0.0/12';

/**
 * A typical fleet: load balancers and node ports that are chosen for them, one network everywhere, an older release.
 */
const DUMPS = simulateLiqoctl({
  release: '1.2',
  clusters: {
    frankfurt: { podCIDR: POD_CIDR, serviceCIDR: SERVICE_CIDR },
    rome: { podCIDR: POD_CIDR, serviceCIDR: SERVICE_CIDR },
    milan: { podCIDR: POD_CIDR, serviceCIDR: SERVICE_CIDR },
    oslo: { podCIDR: '10.245.0.0/16', serviceCIDR: SERVICE_CIDR, release: '1.1' },
    turin: { podCIDR: '10.246.0.0/16', serviceCIDR: SERVICE_CIDR },
  },
  peerings: [
    { client: 'rome', server: 'frankfurt', service: 'LoadBalancer' },
    { client: 'milan', server: 'frankfurt', service: 'LoadBalancer' },
    { client: 'oslo', server: 'frankfurt', service: 'LoadBalancer' },
    { client: 'frankfurt', server: 'turin', service: 'NodePort' },
    { client: 'milan', server: 'rome', service: 'NodePort' },
  ],
});

it('a fleet that liqoctl made neither drifts nor changes once it is imported and compiled', async () => {
  const { weft, write } = workspace({});
  for (const [cluster, list] of DUMPS) write(`dumps/${cluster}.json`, JSON.stringify(list));
  expect((await weft('import', 'dumps')).stdout).toContain('nothing would move: 0 views, 0 ports, 0 restarts');
  expect((await weft('compile')).code).toBe(0);
  const drift = await weft('drift', '--live', 'dumps');
  expect(drift.stdout).toContain('no drift; 5 clusters compared');
  expect(drift.code).toBe(0);
  const plan = await weft('plan', '--live', 'dumps', '--detailed-exitcode');
  expect(plan.stdout).toContain('Nothing to do');
  expect(plan.code).toBe(0);
});

it('a node port that Kubernetes has chosen again is reported with its number', async () => {
  const { weft, write } = workspace({});
  for (const [cluster, list] of DUMPS) write(`dumps/${cluster}.json`, JSON.stringify(list));
  await weft('import', 'dumps');
  const turin = structuredClone(DUMPS.get('turin'));
  const server = turin?.items.find((it) => it.kind === 'GatewayServer');
  Object.assign(server?.status?.['endpoint'] ?? {}, { port: 31_999 });
  write('dumps/turin.json', JSON.stringify(turin));
  const { code, stdout } = await weft('drift', '--live', 'dumps');
  expect(code).toBe(1);
  expect(stdout).toMatch(/the gateway of "turin" listens for "frankfurt" on node port 31999, and git has \d+\n/);
});
