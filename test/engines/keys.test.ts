import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { LiveObject } from './support/kube.ts';
import { ENDS, KEYS_LABEL, LinkEnds, oneLink } from './support/link-ends.ts';
import { LiqoFleet } from './support/liqo-fleet.ts';
import { pause, until } from './support/processes.ts';
import { type LiqoMinor, missingLiqo } from './support/programs.ts';

/** The behaviour of Liqo that a rotation of keys relies on, with its own controllers; no engine applies the bundles. */
describe.each<LiqoMinor>(['1.0', '1.1', '1.2'])('keys with Liqo %s', { timeout: 600_000 }, (release) => {
  const missing = missingLiqo(release);
  let fleet: LiqoFleet;
  const rollOut = async (keys: string): Promise<LinkEnds> => {
    fleet = await LiqoFleet.start();
    await fleet.publish(oneLink(release, keys));
    const ends = new LinkEnds(fleet);
    await ends.apply('europe', 'rome');
    return ends;
  };

  afterEach(() => fleet?.stop(), 120_000);

  it.skipIf(missing !== null)(
    `that are provided are rotated by the steps of the plan, and gateways go on with those of before until then ${missing ?? ''}`,
    async () => {
      const ends = await rollOut('');
      for (const it of ENDS)
        await until('the gateways are there', async () => (await ends.deployment(it)).secret === 'gw-keys', 120);
      const before = await ends.deployments();
      const folder = join(fleet.folder, 'next');
      await fleet.shell(`weft keys rotate --link all --secrets-dir ${folder}`);
      for (const end of ENDS) for (const it of ends.secretsIn(folder, end)) await ends.kube(end.cluster).apply(it);
      await pause(5000);
      expect(await ends.deployments()).toEqual(before);
      await fleet.shell('weft keys rotate --switch && weft compile');
      const [server, client] = ENDS;
      // At the server, the label of the former Secret is taken off first; at the client, it stays on.
      const former = (await ends.secret(server, 'gw-keys')) as LiveObject;
      await ends.kube(server.cluster).merge(former, { metadata: { labels: { [KEYS_LABEL]: null } } });
      await ends.apply('europe', 'rome');
      await until('the server has its next key', async () => (await ends.deployment(server)).secret === 'gw-keys-2');
      // People wait for this field with the commands of `weft plan --steps`.
      await until('its status says so', async () => (await ends.usedSecret(server)) === 'gw-keys-2');
      await pause(5000);
      // Two Secrets with the labels are an error, in which the gateway stays as it is.
      expect(await ends.deployment(client)).toEqual(before[1]);
      await ends.kube(client.cluster).remove((await ends.secret(client, 'gw-keys')) as LiveObject);
      await until(
        'the client has its next key',
        async () => (await ends.deployment(client)).secret === 'gw-keys-2',
        120,
      );
      expect((await ends.secret(client, 'gw-keys-2'))?.['data'].publicKey).toBeTruthy();
    },
  );

  it.skipIf(missing !== null)(
    `that Liqo makes are made again when the Secret is gone and the gateway is touched, while the pod stays as it is ${missing ?? ''}`,
    async () => {
      const ends = await rollOut('keys: { secrets: liqo }\n');
      for (const end of ENDS) {
        const name = `gw-${end.peer}`;
        await until('the gateway is there', async () => (await ends.deployment(end)).secret === name, 120);
        const publicKey = async () => (await ends.secret(end, name))?.['data'].publicKey;
        const [key, before] = [await publicKey(), await ends.deployment(end)];
        await ends.kube(end.cluster).remove((await ends.secret(end, name)) as LiveObject);
        await pause(3000);
        const touched = (await ends.gateway(end)) as LiveObject;
        await ends.kube(end.cluster).merge(touched, { metadata: { annotations: { 'liqo-weft/touched': '1' } } });
        await until('there is another key', async () => ((await publicKey()) ?? key) !== key);
        expect(await ends.deployment(end)).toEqual(before);
      }
    },
  );
});
