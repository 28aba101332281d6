import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printPrefix } from '../../../src/base/net/text.ts';
import type { Engine } from './engine.ts';
import { kubectlFor } from './flux.ts';
import type { Published } from './git-server.ts';
import { type Changes, type ClusterWrite, counted, NO_CHANGES, writesOf } from './observe.ts';
import { PlayedFleet } from './played-fleet.ts';
import { pause, until } from './processes.ts';

/** The differences between the states of the fleet that the loop goes through. */
interface State {
  readonly clusters: Readonly<Record<string, string>>;
  readonly shortcuts?: string;
}

export interface LoopOptions {
  /** The engine and its arrangement, with the reason if the loop is skipped. */
  readonly title: string;
  readonly isSkipped: boolean;
  /** The value of `gitops` but for the repository: `flux: {}`. */
  readonly gitops: string;
  /** Keys of a cluster that the engine needs: `gitops: { ... }`. */
  readonly keysOf: (cluster: string) => string;
  /** Starts the engine and hands it the compiled entry points. */
  readonly start: (fleet: PlayedFleet) => Promise<Engine>;
}

const THREE = { hub: 'gateway: 203.0.113.10', milan: '', rome: 'gateway: 203.0.113.30' };
const FOUR = { ...THREE, paris: '' };

const NETWORKING = 'networking.liqo.io/v1beta1';

const configurationOf = (peer: string): string => `Configuration liqo-tenant-${peer}/${peer}`;

/** The four objects of a link in the bundle of one end. */
const objectsFor = (peer: string, role: 'GatewayServer' | 'GatewayClient'): readonly string[] => [
  configurationOf(peer),
  `${role} liqo-tenant-${peer}/${peer}`,
  `Namespace /liqo-tenant-${peer}`,
  `PublicKey liqo-tenant-${peer}/${peer}`,
];

const added = (...ids: readonly (readonly string[])[]): Changes => ({ ...NO_CHANGES, created: ids.flat().sort() });

/** Tenant namespaces are never removed: Liqo and others have objects in them. */
const removed = (...ids: readonly (readonly string[])[]): Changes => ({
  ...NO_CHANGES,
  deleted: ids
    .flat()
    .filter((it) => !it.startsWith('Namespace'))
    .sort(),
});

interface PlanDocument {
  readonly plan: { readonly files: readonly { readonly path: string }[] };
}

interface Edit {
  readonly title: string;
  readonly state: State;
  /** Changes by cluster; nothing changes in the others. */
  readonly changes: Readonly<Record<string, Changes>>;
}

const EDITS: readonly Edit[] = [
  {
    title: 'a cluster is added: its objects, and those of the hub for it',
    state: { clusters: FOUR },
    changes: { hub: added(objectsFor('paris', 'GatewayServer')), paris: added(objectsFor('hub', 'GatewayClient')) },
  },
  {
    title: 'a shortcut is added: objects of its ends, and none of the hub',
    state: { clusters: FOUR, shortcuts: '[[milan, rome]]' },
    changes: { milan: added(objectsFor('rome', 'GatewayClient')), rome: added(objectsFor('milan', 'GatewayServer')) },
  },
  {
    title: 'the shortcut is removed: its objects, but for the namespaces',
    state: { clusters: FOUR },
    changes: {
      milan: removed(objectsFor('rome', 'GatewayClient')),
      rome: removed(objectsFor('milan', 'GatewayServer')),
    },
  },
  {
    title: 'a cluster retires: both ends of its link are removed, and no other',
    state: { clusters: { ...THREE, paris: 'retired: true' } },
    changes: { hub: removed(objectsFor('paris', 'GatewayServer')), paris: removed(objectsFor('hub', 'GatewayClient')) },
  },
];

/**
 * A fleet whose clusters have one pod network, so that every link needs an order: in the hub rome comes before milan,
 * against their names. It is rolled out, applied again, left alone, edited, and one of its clusters breaks off.
 */
export function loop({ title, isSkipped, gitops, keysOf, start }: LoopOptions): void {
  describe.skipIf(isSkipped)(title, { timeout: 400_000 }, () => {
    const fleet = new PlayedFleet();
    let engine: Engine;
    let now: Published;
    const names = (): readonly string[] => [...now.compiled.model.clusters.keys()];
    const publish = async ({ clusters, shortcuts = '[]' }: State): Promise<void> => {
      const lines = Object.entries(clusters).map(([name, keys]) => {
        const all = [keys, keysOf(name)].filter((it) => it !== '').join(', ');
        return `  ${name}: { ${all} }\n`;
      });
      now = await fleet.publish(`version: 1
name: loop
hub: hub
order: [rome, milan]
gitops: { repository: "${fleet.repository.url}", ${gitops} }
defaults: { podCIDR: 10.244.0.0/16, serviceCIDR: 10.96.0.0/12, reserved: [192.168.10.0/24] }
clusters:
${lines.join('')}shortcuts: ${shortcuts}
`);
    };
    const rollOut = async (state: State): Promise<void> => {
      const before = names();
      await publish(state);
      for (const it of names()) if (!before.includes(it)) await engine.addCluster(fleet.plane(it));
      await engine.fetchNow();
      await engine.ready(now.commit);
    };
    const viewIn = (cluster: string, peer: string) => {
      const found = now.compiled.model.clusters.get(cluster)?.peers.get(peer)?.podViews[0];
      if (found === undefined) throw new Error(`${cluster} has no link with ${peer}`);
      return found.seenAs;
    };
    /** The clusters in which the last commit changes objects, by its plan. */
    const plannedClusters = async (): Promise<readonly string[]> => {
      const { plan } = JSON.parse(
        await fleet.repository.weft('plan', '--base', 'HEAD~1', '-o', 'json'),
      ) as PlanDocument;
      const manifests = plan.files.map((it) => /^([^_/]+)\/peers\//.exec(it.path)?.[1]);
      return [...new Set(manifests.filter((it) => it !== undefined))].sort();
    };
    const planes = () => names().map((it) => fleet.plane(it));

    beforeAll(async () => {
      await fleet.start(['hub', 'milan', 'paris', 'rome']);
      await publish({ clusters: THREE });
      engine = await start(fleet);
      await engine.ready(now.commit);
    }, 600_000);

    afterAll(async () => {
      await engine?.stop();
      await fleet.stop();
    }, 60_000);

    it('gives every cluster the compiled addresses, in the decided order', async () => {
      expect(fleet.played('hub').created).toEqual(['rome', 'milan'].map(configurationOf));
      for (const it of names()) expect(await fleet.wrongViews(now, it), it).toEqual([]);
      for (const it of names()) expect(fleet.played(it).problems, it).toEqual([]);
    });

    it.each(['second', 'third'])('writes nothing when everything is applied a %s time', async () => {
      const changes = await fleet.changesOf(() => engine.applyAgain(), 'resourceVersion');
      for (const [name, it] of Object.entries(changes)) expect(it, name).toEqual(NO_CHANGES);
    });

    it('writes to no cluster in a minute at rest', async () => {
      await pause(10_000);
      const since = Date.now();
      await pause(65_000);
      const { objects } = writesOf(engine.agents, planes(), since);
      const what = (it: ClusterWrite) => `${it.cluster}: ${it.agent} ${it.verb} ${it.resource} ${it.subresource}`;
      expect(counted(objects, what)).toEqual({});
    });

    it.each(EDITS.map((edit) => [edit.title, edit] as const))('%s', async (_, { state, changes }) => {
      const seen = await fleet.changesOf(() => rollOut(state));
      expect(await plannedClusters(), 'the clusters of the plan').toEqual(Object.keys(changes).sort());
      for (const name of names()) expect(seen[name], name).toEqual(changes[name] ?? NO_CHANGES);
      for (const it of names()) expect(await fleet.wrongViews(now, it), it).toEqual([]);
    });

    it('applies an edit everywhere else while a cluster cannot be reached, and there when it can', async () => {
      const broken = await fleet.plane('milan').breakOff();
      const edited = { ...THREE, rome: `${THREE.rome}, labels: { tier: gold }`, paris: 'retired: true' };
      await publish({ clusters: edited, shortcuts: '[[milan, rome]]' });
      await engine.fetchNow();
      await engine.ready(now.commit, { except: 'milan' });
      expect(await fleet.wrongViews(now, 'rome')).toEqual([]);
      await broken.back();
      await engine.fetchNow();
      await engine.ready(now.commit);
      expect(await fleet.wrongViews(now, 'milan')).toEqual([]);
    });

    it('stops at a wrong address, and goes on when it is corrected', async () => {
      const oslo = await fleet.addCluster('oslo');
      await publish({ clusters: { ...THREE, oslo: '', paris: '' } });
      const occupied = printPrefix(viewIn('hub', 'oslo'));
      fleet.played('hub').occupy(occupied);
      await engine.addCluster(oslo);
      await engine.fetchNow();
      const hub = fleet.plane('hub').kube;
      const configuration = (peer: string) => hub.get(NETWORKING, 'Configuration', peer, `liqo-tenant-${peer}`);
      await until('oslo has an address', async () => (await configuration('oslo'))?.['status'] !== undefined, 120);
      await pause(20_000);
      expect(await configuration('paris'), 'the link behind the wrong address').toBeNull();
      fleet.played('hub').vacate(occupied);
      const wrong = await configuration('oslo');
      if (wrong !== null) await hub.remove(wrong);
      await engine.ready(now.commit);
      expect(await fleet.wrongViews(now, 'hub')).toEqual([]);
    });

    it('keeps the order when Liqo is installed again', async () => {
      const liqo = fleet.played('hub');
      const before = liqo.created.length;
      const ordered = [...(now.compiled.model.clusters.get('hub')?.peers.keys() ?? [])].map(configurationOf);
      await engine.beforeReinstall('hub', fleet.out);
      liqo.uninstall();
      const kubectl = kubectlFor(fleet.plane('hub').kubeconfig);
      await kubectl('delete', 'configurations.networking.liqo.io', '--all', '--all-namespaces');
      await pause(10_000);
      liqo.install();
      await engine.afterReinstall('hub', fleet.out);
      await until('all links of the hub are there', () => liqo.created.length === before + ordered.length, 200);
      await engine.ready(now.commit);
      expect(liqo.created.slice(before)).toEqual(ordered);
      expect(await fleet.wrongViews(now, 'hub')).toEqual([]);
    });
  });
}
