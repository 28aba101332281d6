import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareFleet } from './support/compare.ts';
import type { Engine } from './support/engine.ts';
import { ENGINES } from './support/engines.ts';
import type { Published } from './support/git-server.ts';
import { LiqoFleet } from './support/liqo-fleet.ts';
import { until } from './support/processes.ts';
import { missingLiqo } from './support/programs.ts';

/** The topology of docs/sharing.md: rome borrows of milan, and a namespace is offloaded. */
const topologyOf = (
  fleet: LiqoFleet,
  gitops: string,
  apiServer: string,
  keysOf: (cluster: string) => string,
) => `version: 1
name: lending
liqo: { version: "1.2" }
gitops: { repository: "${fleet.repository.url}", ${gitops} }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16 ${keysOf('rome')} }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30, apiServer: "${apiServer}" ${keysOf('milan')} }
peerings:
  - [rome, milan]
sharing:
  - { consumer: rome, provider: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }
offloading:
  - { cluster: rome, namespace: shop }
`;

describe.each(ENGINES)('sharing with $name', { timeout: 600_000 }, ({ missing, gitops, keysOf, start }) => {
  const lacks = missingLiqo('1.2') ?? missing;
  let fleet: LiqoFleet;
  let engine: Engine | undefined;
  let now: Published;
  let topology = '';

  beforeAll(async () => {
    if (lacks !== null) return;
    fleet = await LiqoFleet.start();
    const keys = (it: string) =>
      [keysOf(it, 'rome')]
        .filter((one) => one !== '')
        .map((one) => `, ${one}`)
        .join('');
    topology = topologyOf(fleet, gitops, await fleet.apiServerOf('milan'), keys);
    now = await fleet.publish(topology);
    engine = await start(fleet, 'rome');
  }, 600_000);
  afterAll(async () => {
    await engine?.stop();
    await fleet?.stop();
  }, 120_000);

  it.skipIf(lacks !== null)(`goes from nothing to an offloaded namespace in two commits ${lacks ?? ''}`, async () => {
    const provider = fleet.plane('milan').kube;
    await until(
      'milan has signed for rome',
      async () => {
        const tenants = await provider.list('authentication.liqo.io/v1beta1', 'Tenant');
        return tenants.some((it) => it['status']?.authParams?.signedCRT !== undefined);
      },
      300,
    );
    const collected = await fleet.weft('identities', 'collect', '--context', 'milan');
    expect(collected.code, collected.stderr).toBe(0);
    now = await fleet.publish(topology);
    await engine?.fetchNow();
    await engine?.ready(now.commit);
    const drift = await fleet.weft('drift', '--wait', '3m', ...fleet.contexts());
    expect(drift.stdout + drift.stderr).toContain('no drift');
    const { compared, different } = await compareFleet(fleet);
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(10);
    const node = await fleet.plane('rome').kube.get('v1', 'Node', 'milan-slice');
    expect(readyOf(node?.['status'])).toBe('True');
    const offloaded = await fleet
      .plane('rome')
      .kube.get('offloading.liqo.io/v1beta1', 'NamespaceOffloading', 'offloading', 'shop');
    expect(offloaded?.['status']?.offloadingPhase).toBe('Ready');
    expect((await provider.list('v1', 'Namespace')).map((it) => it.metadata.name)).toContain('shop-rome');
  });
});

interface Conditions {
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
}

function readyOf(status: Conditions | undefined): string | undefined {
  return status?.conditions.find((it) => it.type === 'Ready')?.status;
}
