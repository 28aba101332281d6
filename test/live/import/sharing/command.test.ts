import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { workspace } from '../../../host/cli/memory-host.ts';
import { liqoctlFleet } from './liqoctl-fleet.ts';

const PRIVATE = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'authentication-keys', namespace: 'liqo', labels: { 'liqo.io/remote-cluster-id': 'rome' } },
  data: { privateKey: Buffer.from('only its cluster knows it').toString('base64') },
};

it('weft import writes what providers answered beside the topology, and none of the secrets of a dump', async () => {
  const live = liqoctlFleet({
    clusters: ['milan', 'rome'],
    loans: [{ consumer: 'rome', provider: 'milan' }],
    offloaded: { rome: ['demo'] },
  });
  const dumps = live.map(({ cluster, objects }) => [
    `dumps/${cluster}.json`,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...objects.values(), PRIVATE] }),
  ]);
  const place = workspace(Object.fromEntries(dumps));
  const { stderr, stdout } = await place.weft('import', 'milan=dumps/milan.json', 'rome=dumps/rome.json');
  expect(stderr).not.toMatch(/\berror\b/);
  const identities = parse(place.read('topologies/topology.identities.yaml')).identities;
  expect(identities.rome.milan.apiServer).toBe('https://milan.example:6443');
  const keys = place.read('topologies/topology.keys.yaml');
  expect(parse(keys).authentication.rome.slices).toHaveProperty('milan');
  const lock = place.read('topologies/topology.lock.yaml');
  const written = [keys, lock, ...['topology', 'topology.identities'].map((it) => place.read(`topologies/${it}.yaml`))];
  for (const it of [...written, stderr, stdout]) expect(it).not.toContain(PRIVATE.data.privateKey);
  const again = await place.weft('compile');
  expect([again.code, again.stderr]).toEqual([0, expect.not.stringMatching(/\berror\b/)]);
});
