import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleOf } from './support/bundle-of.ts';
import type { LiveObject } from './support/kube.ts';
import { LiqoFleet } from './support/liqo-fleet.ts';
import { objectsOf } from './support/objects-of.ts';
import { pause, until } from './support/processes.ts';
import { type LiqoMinor, missingLiqo } from './support/programs.ts';

const NETWORKING = 'networking.liqo.io/v1beta1';
const LABEL = 'networking.liqo.io/gateway-resource';

const topology = (release: string, keys: string): string => `version: 1
name: engines
hub: europe
liqo: { version: "${release}" }
${keys}defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16 }
`;

/** The two gateways of the link: each in its cluster, towards the other one. */
const ENDS = [
  { cluster: 'europe', peer: 'rome', kind: 'WgGatewayServer' },
  { cluster: 'rome', peer: 'europe', kind: 'WgGatewayClient' },
] as const;

type End = (typeof ENDS)[number];

/** What a rotation of keys needs of Liqo, asked from its own controllers; no engine applies the bundles. */
describe.each<LiqoMinor>(['1.0', '1.1', '1.2'])('keys with Liqo %s', { timeout: 600_000 }, (release) => {
  const missing = missingLiqo(release);
  let fleet: LiqoFleet;
  const kube = (cluster: string) => fleet.plane(cluster).kube;
  const namespace = ({ peer }: End): string => `liqo-tenant-${peer}`;
  const apply = async (): Promise<void> => {
    for (const cluster of ['europe', 'rome']) for (const it of bundleOf(fleet, cluster)) await kube(cluster).apply(it);
  };
  const gateway = (end: End) => kube(end.cluster).get(NETWORKING, end.kind, end.peer, namespace(end));
  const usedSecret = async (end: End): Promise<unknown> =>
    (
      (await kube(end.cluster).get(NETWORKING, end.kind.slice('Wg'.length), end.peer, namespace(end))) as {
        status?: { secretRef?: { name?: string } };
      } | null
    )?.status?.secretRef?.name;
  const deployment = async (end: End) => {
    const found = await kube(end.cluster).get('apps/v1', 'Deployment', `gw-${end.peer}`, namespace(end));
    const volumes = (
      found as unknown as {
        spec: { template: { spec: { volumes: { name: string; secret?: { secretName: string } }[] } } };
      } | null
    )?.spec.template.spec.volumes;
    return {
      generation: (found?.metadata as { generation?: number } | undefined)?.generation,
      secret: volumes?.find((it) => it.name === 'wireguard-config')?.secret?.secretName,
    };
  };
  const secret = (end: End, name: string) => kube(end.cluster).get('v1', 'Secret', name, namespace(end));
  const publicKey = async (end: End, name: string): Promise<string | undefined> =>
    ((await secret(end, name)) as { data?: { publicKey?: string } } | null)?.data?.publicKey;
  const rollOut = async (keys: string): Promise<void> => {
    fleet = await LiqoFleet.start();
    await fleet.publish(topology(release, keys));
    await apply();
  };

  afterEach(() => fleet?.stop(), 120_000);

  it.skipIf(missing !== null)(
    `that are provided are rotated by the steps of the plan, and gateways go on with those of before until then ${missing ?? ''}`,
    async () => {
      await rollOut('');
      for (const it of ENDS)
        await until('the gateways are there', async () => (await deployment(it)).secret === 'gw-keys', 120);
      const before = await Promise.all(ENDS.map(deployment));
      const folder = join(fleet.folder, 'next');
      await fleet.shell(`weft keys rotate --link all --secrets-dir ${folder}`);
      for (const file of readdirSync(folder))
        for (const it of objectsOf(readFileSync(join(folder, file), 'utf8')))
          await kube(file.replace('.yaml', '')).apply(it);
      await pause(5000);
      expect(await Promise.all(ENDS.map(deployment))).toEqual(before);
      await fleet.shell('weft keys rotate --switch && weft compile');
      const [server, client] = ENDS;
      // At the server, the label of the former Secret is taken off first; at the client, it stays on.
      const former = (await secret(server, 'gw-keys')) as LiveObject;
      await kube(server.cluster).merge(former, { metadata: { labels: { [LABEL]: null } } });
      await apply();
      await until('the server has its next key', async () => (await deployment(server)).secret === 'gw-keys-2');
      // As `weft plan --steps` lets people wait for it.
      await until('its status says so', async () => (await usedSecret(server)) === 'gw-keys-2');
      await pause(5000);
      // Two Secrets with the labels are an error, in which the gateway stays as it is.
      expect(await deployment(client)).toEqual(before[1]);
      await kube(client.cluster).remove((await secret(client, 'gw-keys')) as LiveObject);
      await until('the client has its next key', async () => (await deployment(client)).secret === 'gw-keys-2', 120);
      expect(await publicKey(client, 'gw-keys-2')).toBeTruthy();
    },
  );

  it.skipIf(missing !== null)(
    `that Liqo makes are made again when the Secret is gone and the gateway is touched, while the pod stays as it is ${missing ?? ''}`,
    async () => {
      await rollOut('keys: { secrets: liqo }\n');
      for (const end of ENDS) {
        const name = `gw-${end.peer}`;
        await until('the gateway is there', async () => (await deployment(end)).secret === name, 120);
        const [key, before] = [await publicKey(end, name), await deployment(end)];
        await kube(end.cluster).remove((await secret(end, name)) as LiveObject);
        await pause(3000);
        const touched = (await gateway(end)) as LiveObject;
        await kube(end.cluster).merge(touched, { metadata: { annotations: { 'liqo-weft/touched': '1' } } });
        await until('there is another key', async () => ((await publicKey(end, name)) ?? key) !== key);
        expect(await deployment(end)).toEqual(before);
      }
    },
  );
});
