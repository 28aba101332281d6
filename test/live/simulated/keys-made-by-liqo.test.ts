import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { SECRET_TEXT } from './controllers/gateway-keys.ts';
import { field, REMOTE } from './objects.ts';
import { appliedTo, listOf, rolloutOf } from './simulate-fleet.ts';

const TOPOLOGY = `version: 1
name: fleet
hub: rome
keys: { secrets: liqo }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome:  { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  turin: { podCIDR: 10.202.0.0/16 }
shortcuts: [[milan, turin]]
`;

/** Kinds that a cluster without tunnels has none of, as a dump of weft's script says. */
const ASKED = ['connections.networking.liqo.io', 'publickeies.networking.liqo.io'].map((name) => ({
  apiVersion: 'weft/v1',
  kind: 'AskedFor',
  metadata: { name },
}));

describe('a fleet whose gateways make their own keys', () => {
  it.each(['1.1', '1.2'] as const)(
    'is connected after compile, apply, collect, compile, apply with Liqo %s',
    async (release) => {
      const place = workspace({ 'topologies/topology.yaml': `${TOPOLOGY}liqo: { version: "${release}" }\n` });
      const said: string[] = [];
      const weft = async (...argv: readonly string[]) => {
        const answer = await place.weft(...argv);
        said.push(answer.stdout, answer.stderr);
        return answer;
      };
      const bundle = () =>
        new Map(
          readdirSync(join(place.folder, 'out'), { recursive: true, encoding: 'utf8' })
            .filter((path) => path.endsWith('.yaml'))
            .map((path) => [path, place.read(`out/${path}`)] as const),
        );
      const dump = () => {
        for (const [id, cluster] of clusters) {
          const list = listOf(cluster);
          const items = [...list.items, ...ASKED];
          place.write(`dumps/${id}.json`, JSON.stringify({ ...list, items }, null, 4));
        }
      };
      mkdirSync(join(place.folder, 'dumps'));
      expect((await weft('compile')).code).toBe(0);
      const clusters = rolloutOf(bundle(), { release, secrets: 'none' });
      dump();
      // The gateways run and have keys, and no tunnel is up.
      const before = await weft('trace', 'turin', 'rome', '--live', 'dumps/');
      expect([before.code, before.stdout]).toEqual([1, expect.stringContaining('has no PublicKey')]);
      expect(await weft('keys', 'collect', '--live', 'dumps/')).toMatchObject({ code: 0, stderr: '' });
      expect((await weft('compile')).stderr).not.toContain('keys/');
      for (const [id, cluster] of clusters) {
        for (const it of appliedTo(bundle(), id)) cluster.apply(it);
        cluster.rest();
      }
      dump();
      // Each gateway accepts the key that the gateway at the other end has.
      const keys = [...clusters].flatMap(([id, { server }]) =>
        server.list('PublicKey').map((it) => {
          const peer = it.metadata.labels?.[REMOTE] ?? '';
          const [secret] = clusters.get(peer)?.server.list('Secret', { [REMOTE]: id }) ?? [];
          return [field(it, 'spec', 'publicKey'), secret?.data?.['publicKey']];
        }),
      );
      expect(keys).toHaveLength(6);
      expect(keys.filter(([accepted, own]) => accepted !== own || own === undefined)).toEqual([]);
      expect(new Set(keys.map(([, own]) => own)).size).toBe(6);
      for (const [from, to] of [
        ['turin', 'rome'],
        ['milan', 'turin'],
      ] as const)
        expect((await weft('trace', from, to, '--live', 'dumps/')).stdout).toContain('delivered');
      expect(await weft('drift', '--live', 'dumps/')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('no drift'),
      });
      expect((await weft('plan', '--live', 'dumps/')).stdout).toContain('Nothing');
      expect(await weft('keys', 'collect', '--live', 'dumps/', '--check')).toMatchObject({ code: 0 });
      // Only the dumps of the test have private halves, as an API server gives them.
      const files = [
        ...bundle().values(),
        place.read('topologies/topology.keys.yaml'),
        place.read('topologies/topology.lock.yaml'),
      ];
      const secret = Buffer.from(SECRET_TEXT).toString('base64').slice(0, 20);
      expect(place.read('dumps/rome.json')).toContain(secret);
      for (const text of [...said, ...files]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(SECRET_TEXT);
      }
    },
  );
});
