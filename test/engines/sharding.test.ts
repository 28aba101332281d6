import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startArgoCd } from './support/argo-cd.ts';
import type { MeasuredEngine } from './support/engine.ts';
import { type Flux, startFlux } from './support/flux.ts';
import { NO_CHANGES } from './support/observe.ts';
import { PlayedFleet } from './support/played-fleet.ts';
import { until } from './support/processes.ts';
import { ARGO_CD, CONTROL_PLANE, FLUX, missingPrograms } from './support/programs.ts';

/** The patch of `docs/large-fleets.md`, for the fleet of this test. */
function documentedPatch(): string {
  const page = readFileSync('docs/large-fleets.md', 'utf8');
  const found = /^```yaml\n(spec:\n {2}patches:\n[^`]*sharding\.fluxcd\.io[^`]*)```$/m.exec(page)?.[1];
  if (found === undefined) throw new Error('the page has no patch for shards');
  return found.replaceAll('weft-europe', 'weft-loop');
}

/** Publishes the fleet with an MTU of rome's gateway. */
const publish = (fleet: PlayedFleet, { mtu, gitops, keys }: { mtu: number; gitops: string; keys: Keys }) =>
  fleet.publish(`version: 1
name: loop
hub: hub
gitops: { repository: "${fleet.repository.url}", ${gitops} }
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.10 ${keys('hub')} }
  milan: { podCIDR: 10.2.0.0/16 ${keys('milan')} }
  rome: { podCIDR: 10.3.0.0/16, gateway: { mtu: ${mtu} } ${keys('rome')} }
`);

type Keys = (cluster: string) => string;

/** The number of times that a program has written the name of an entry point into its log. */
const mentions = (engine: MeasuredEngine, program: string, name: string): number =>
  engine.log(program).split(name).length - 1;

const lacksFlux = missingPrograms([...CONTROL_PLANE, ...FLUX]);

describe.skipIf(lacksFlux !== null)('Flux with a second kustomize-controller', { timeout: 300_000 }, () => {
  const fleet = new PlayedFleet();
  const fleetOf = (mtu: number) =>
    publish(fleet, {
      mtu,
      gitops: 'flux: {}',
      keys: (it) => (it === 'hub' ? '' : `, gitops: { kubeConfigSecret: ${it}-kubeconfig }`),
    });
  const [main, second] = ['kustomize-controller', 'kustomize-controller-shard1'];
  const rome = '"name":"weft-loop.rome",';
  let flux: Flux;

  const labels = async (): Promise<readonly (readonly [string, string | undefined])[]> =>
    (await flux.kustomizations()).map((it) => [it.metadata.name, it.metadata.labels?.['sharding.fluxcd.io/key']]);

  beforeAll(async () => {
    await fleet.start(['hub', 'milan', 'rome']);
    const { commit } = await fleetOf(1_300);
    flux = await startFlux({ plane: fleet.plane('hub'), folder: join(fleet.folder, 'flux'), shards: ['shard1'] });
    for (const it of ['milan', 'rome']) await flux.addCluster(fleet.plane(it));
    await flux.bootstrapAll(fleet.out);
    await flux.ready(commit);
  }, 300_000);

  afterAll(async () => {
    await flux?.stop();
    await fleet.stop();
  }, 60_000);

  it('leaves everything to the first until the patch', () => {
    expect(mentions(flux, main, rome)).toBeGreaterThan(0);
    expect(mentions(flux, second, rome)).toBe(0);
  });

  it('moves clusters to the second, and changes nothing in them', async () => {
    const changes = await fleet.changesOf(async () => {
      await flux.shard(fleet.out, documentedPatch());
      const isMoved = (it: string): boolean => mentions(flux, second, `"name":"weft-loop.${it}",`) > 0;
      await until('the second applies both', () => ['milan', 'rome'].every(isMoved), 120);
    });
    for (const [name, it] of Object.entries(changes)) expect(it, name).toEqual(NO_CHANGES);
    const sharded = (await labels()).filter(([, key]) => key !== undefined);
    expect(sharded).toEqual([
      ['weft-loop.milan', 'shard1'],
      ['weft-loop.milan.folder.entry-points', 'shard1'],
      ['weft-loop.rome', 'shard1'],
      ['weft-loop.rome.folder.entry-points', 'shard1'],
    ]);
  });

  it('keeps them there after the next commit, and after the entry points are applied again', async () => {
    const before = mentions(flux, main, rome);
    const { commit } = await fleetOf(1_280);
    await flux.bootstrapAll(fleet.out);
    await flux.fetchNow();
    await flux.ready(commit);
    expect(Object.fromEntries(await labels())).toMatchObject({
      'weft-loop.milan': 'shard1',
      'weft-loop.rome': 'shard1',
    });
    expect(mentions(flux, main, rome)).toBe(before);
  });
});

const lacksArgoCd = missingPrograms([...CONTROL_PLANE, ...ARGO_CD, 'kustomize', 'git-verify-wrapper.sh']);

describe.skipIf(lacksArgoCd !== null)('Argo CD with two application controllers', { timeout: 300_000 }, () => {
  const fleet = new PlayedFleet();
  afterAll(() => fleet.stop(), 60_000);

  it('applies each cluster with the controller of its shard, and no other', async () => {
    await fleet.start(['hub', 'milan', 'rome']);
    const keys = (it: string) => (it === 'hub' ? ', gitops: { name: in-cluster }' : '');
    const { commit } = await publish(fleet, { mtu: 1_300, gitops: 'argo: {}', keys });
    const plane = fleet.plane('hub');
    const argoCd = await startArgoCd({ plane, folder: join(fleet.folder, 'argo-cd'), replicas: 2 });
    try {
      await argoCd.addCluster(fleet.plane('milan'), { shard: '0' });
      await argoCd.addCluster(fleet.plane('rome'), { shard: '1' });
      await argoCd.bootstrap(fleet.out);
      await argoCd.ready(commit);
      const synced = (shard: number) =>
        ['hub', 'milan', 'rome'].filter(
          (it) => mentions(argoCd, `argocd-application-controller-${shard}`, `"application":"weft-loop.${it}"`) > 0,
        );
      expect(synced(0)).toEqual(['hub', 'milan']);
      expect(synced(1)).toEqual(['rome']);
    } finally {
      await argoCd.stop();
    }
  });
});
