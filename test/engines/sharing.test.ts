import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareFleet } from './support/compare.ts';
import type { Engine } from './support/engine.ts';
import { NAMED_ENGINES } from './support/engines.ts';
import type { Published } from './support/git-server.ts';
import { LiqoFleet } from './support/liqo-fleet.ts';
import { until } from './support/processes.ts';
import { missingLiqo } from './support/programs.ts';
import { Recorder } from './support/recorder.ts';

/** Two clusters with a link, and an API server that the other one can reach. */
const networkOf = (
  fleet: LiqoFleet,
  its: { readonly gitops: string; readonly apiServer: string; readonly keysOf: (cluster: string) => string },
) => `version: 1
name: lending
liqo: { version: "1.2" }
gitops: { repository: "${fleet.repository.url}", ${its.gitops} }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16 ${its.keysOf('rome')} }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30, apiServer: "${its.apiServer}" ${its.keysOf('milan')} }
peerings:
  - [rome, milan]
`;

/** The sharing of docs/sharing.md: rome borrows of milan, and a namespace is offloaded. */
const SHARING = `sharing:
  - { consumer: rome, provider: milan, resources: { cpu: 4, memory: 8Gi, pods: 110 } }
offloading:
  - { cluster: rome, namespace: shop }
`;

const AUTHENTICATION = 'authentication.liqo.io/v1beta1';

describe.each(NAMED_ENGINES)('sharing with %s', { timeout: 600_000 }, (name, { missing, gitops, keysOf, start }) => {
  const lacks = missingLiqo('1.2') ?? missing;
  const skipped = lacks === null ? '' : ` (skipped ${lacks})`;
  const recorder = new Recorder(`${name} sharing`);
  let fleet: LiqoFleet;
  let engine: Engine | undefined;
  let now: Published;
  let network = '';

  const drift = async (...args: readonly string[]) => {
    const { stdout, stderr } = await fleet.weft('drift', ...args, ...fleet.contexts());
    return stdout + stderr;
  };

  beforeAll(async () => {
    if (lacks !== null) return;
    fleet = await LiqoFleet.start();
    const keys = (it: string) =>
      [keysOf(it, 'rome')]
        .filter((one) => one !== '')
        .map((one) => `, ${one}`)
        .join('');
    network = networkOf(fleet, { gitops, apiServer: await fleet.apiServerOf('milan'), keysOf: keys });
    now = await fleet.publish(network);
    engine = await start(fleet, 'rome');
    await engine.ready(now.commit);
    await until('the tunnel is up', () => fleet.waiting().length === 0, 90);
  }, 600_000);
  afterAll(async () => {
    await engine?.stop();
    await fleet?.stop();
  }, 120_000);

  it.skipIf(lacks !== null)(`asks, and waits while the provider does not answer${skipped}`, async () => {
    await fleet.scaleControllers('milan', 0);
    now = await fleet.publish(network + SHARING);
    await engine?.fetchNow();
    const provider = fleet.plane('milan').kube;
    await until('rome has asked', async () => (await provider.list(AUTHENTICATION, 'Tenant')).length > 0, 300);
    expect(await drift('--wait', '30s')).toMatch(/^milan: not there yet/m);
    await recorder.at('asked', fleet);
    await fleet.scaleControllers('milan', 1);
    const isSigned = async () =>
      (await provider.list(AUTHENTICATION, 'Tenant')).some((it) => it['status']?.authParams?.signedCRT !== undefined);
    await until('milan has signed for rome', isSigned, 300);
    await recorder.at('signed', fleet);
  });

  it.skipIf(lacks !== null)(`goes on to an offloaded namespace with the collected answer${skipped}`, async () => {
    const collected = await fleet.weft('identities', 'collect', '--context', 'milan');
    expect(collected.code, collected.stderr).toBe(0);
    await fleet.scaleControllers('milan', 0);
    now = await fleet.publish(network + SHARING);
    await engine?.fetchNow();
    const { kube: consumer } = fleet.plane('rome');
    const { kube: provider } = fleet.plane('milan');
    await until(
      'the slice is with milan',
      async () => (await provider.list(AUTHENTICATION, 'ResourceSlice')).length > 0,
      300,
    );
    await recorder.at('the slice is not answered', fleet);
    await fleet.scaleControllers('milan', 1);
    await engine?.ready(now.commit);
    expect(await drift('--wait', '3m')).toContain('no drift');
    const { compared, different } = await compareFleet(fleet);
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(10);
    await recorder.at('offloaded', fleet);
    const node = await consumer.get('v1', 'Node', 'milan-slice');
    expect(readyOf(node?.['status'])).toBe('True');
    const offloaded = await consumer.get('offloading.liqo.io/v1beta1', 'NamespaceOffloading', 'offloading', 'shop');
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
