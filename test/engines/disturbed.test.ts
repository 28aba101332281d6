import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printPrefix } from '../../src/base/net/text.ts';
import { compareFleet } from './support/compare.ts';
import type { Engine } from './support/engine.ts';
import { NAMED_ENGINES } from './support/engines.ts';
import type { Published } from './support/git-server.ts';
import { LiqoFleet } from './support/liqo-fleet.ts';
import { until } from './support/processes.ts';
import { LIQO_RELEASES, missingLiqo, missingPrograms } from './support/programs.ts';
import { Recorder } from './support/recorder.ts';

const HUB = 'europe';
const NETWORKING = 'networking.liqo.io/v1beta1';

/** All clusters have one pod network, so the hub remaps both of its peers, one after the other. */
const topologyOf = (fleet: LiqoFleet, gitops: string, keysOf: (cluster: string) => string) => `version: 1
name: disturbed
hub: ${HUB}
liqo: { version: "1.2" }
gitops: { repository: "${fleet.repository.url}", ${gitops} }
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { gateway: 203.0.113.10 ${keysOf('europe')} }
  milan: { gateway: 203.0.113.30 ${keysOf('milan')} }
  rome: { labels: { tier: gold } ${keysOf('rome')} }
`;

describe.each(NAMED_ENGINES)('disturbed, with %s', { timeout: 600_000 }, (name, { missing, gitops, keysOf, start }) => {
  const lacks = missingLiqo('1.2') ?? missing;
  const uninstaller = lacks ?? missingPrograms([join(`liqo-${LIQO_RELEASES['1.2']}`, 'uninstaller')]);
  const recorder = new Recorder(`${name} disturbed`);
  let fleet: LiqoFleet;
  let engine: Engine | undefined;
  let now: Published;

  const configuration = (peer: string) =>
    fleet.plane(HUB).kube.get(NETWORKING, 'Configuration', peer, `liqo-tenant-${peer}`);
  const drift = async (...args: readonly string[]) => {
    const { stdout, stderr } = await fleet.weft('drift', ...args, ...fleet.contexts());
    return `${stdout}${stderr}`;
  };
  const isAsCompiled = async () => {
    await engine?.ready(now.commit);
    expect(await drift('--wait', '3m')).toContain('no drift');
    expect((await compareFleet(fleet)).different).toEqual([]);
  };

  beforeAll(async () => {
    if (lacks !== null) return;
    fleet = await LiqoFleet.start();
    now = await fleet.publish(
      topologyOf(fleet, gitops, (it) =>
        [keysOf(it, HUB)]
          .filter((one) => one !== '')
          .map((one) => `, ${one}`)
          .join(''),
      ),
    );
  }, 600_000);
  afterAll(async () => {
    await engine?.stop();
    await fleet?.stop();
  }, 120_000);

  it.skipIf(lacks !== null)(`a rollout stops at a wrong address and goes on without it ${lacks ?? ''}`, async () => {
    const { kube } = fleet.plane(HUB);
    const [first, second] = [...(now.compiled.model.clusters.get(HUB)?.peers.values() ?? [])];
    const view = first?.podViews[0]?.seenAs;
    if (first === undefined || second === undefined || view === undefined) throw new Error('the hub has two peers');
    const taken = await kube.apply({
      apiVersion: 'ipam.liqo.io/v1alpha1',
      kind: 'Network',
      metadata: { name: 'taken', namespace: 'default' },
      spec: { cidr: printPrefix(view) },
    });
    engine = await start(fleet, HUB);
    await until(
      'the first peer has an address',
      async () => (await configuration(first.name))?.['status'] != null,
      180,
    );
    // The other clusters are done by then.
    expect(await drift('--wait', '60s')).toContain('Network "default/taken", which is none of git\'s, uses addresses');
    expect(await configuration(second.name), 'the link behind the wrong address').toBeNull();
    await recorder.at('a wrong address', fleet);
    await kube.remove(taken);
    const wrong = await configuration(first.name);
    if (wrong !== null) await kube.remove(wrong);
    await isAsCompiled();
    await recorder.at('the address is corrected', fleet);
  });

  it.skipIf(uninstaller !== null)(
    `every address is the same after Liqo was installed again ${uninstaller ?? ''}`,
    async () => {
      const { kube } = fleet.plane(HUB);
      await engine?.beforeReinstall(HUB, fleet.out);
      for (const kind of ['Configuration', 'GatewayServer', 'GatewayClient'])
        for (const it of await kube.list(NETWORKING, kind)) await kube.remove(it);
      await until('no link is left', async () => (await kube.list(NETWORKING, 'Configuration')).length === 0, 120);
      await fleet.reinstallLiqo(HUB, HUB);
      await recorder.at('Liqo is installed again', fleet);
      await engine?.afterReinstall(HUB, fleet.out);
      await isAsCompiled();
      await recorder.at('Liqo is installed again, and links follow', fleet);
    },
  );
});
