import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleOf } from './bundle-of.ts';
import { compareFleet } from './compare.ts';
import type { Engine } from './engine.ts';
import type { FleetEngine } from './engines.ts';
import type { Published } from './git-server.ts';
import type { LiveObject } from './kube.ts';
import { LiqoFleet } from './liqo-fleet.ts';
import {
  bundleVersions,
  type Changes,
  changesBetween,
  NO_CHANGES,
  refusedIn,
  type Version,
  writesIn,
} from './observe.ts';
import { pause, until } from './processes.ts';
import { type LiqoMinor, missingLiqo } from './programs.ts';
import { Recorder } from './recorder.ts';
import { Row } from './table.ts';

export interface LiqoLoopOptions {
  readonly release: LiqoMinor;
  readonly engine: FleetEngine;
}

interface State {
  readonly clusters: Readonly<Record<string, string>>;
  readonly shortcuts?: string;
}

interface Edit {
  readonly title: string;
  readonly state: State;
  /** A cluster that is gone when the edit has been applied, and is stopped then. */
  readonly stops?: string;
}

/** The hub, where the engine runs. */
const HOME = 'europe';
const HUB = 'podCIDR: 10.200.0.0/16, gateway: 203.0.113.10';
const MILAN = 'podCIDR: 10.202.0.0/16, gateway: 203.0.113.30';
/** Both leaves have one pod network, so each is remapped for the other, and one of them in the hub. */
const THREE = { europe: HUB, milan: MILAN, rome: 'podCIDR: 10.202.0.0/16' };
const FOUR = { ...THREE, paris: 'podCIDR: 10.203.0.0/16' };

const EDITS: readonly Edit[] = [
  { title: 'a cluster is added', state: { clusters: FOUR } },
  { title: 'a shortcut is added', state: { clusters: FOUR, shortcuts: '[[milan, rome]]' } },
  {
    title: 'the gateway of a leaf becomes a server',
    state: { clusters: { ...FOUR, milan: MILAN.replace('203.0.113.30', SERVER()) }, shortcuts: '[[milan, rome]]' },
  },
  { title: 'it is a client again, and the shortcut is removed', state: { clusters: FOUR } },
  { title: 'a cluster retires', state: { clusters: { ...THREE, paris: `${FOUR.paris}, retired: true` } } },
  { title: 'it is removed', state: { clusters: THREE }, stops: 'paris' },
];

function SERVER(): string {
  return '{ addresses: [203.0.113.30], server: prefer }';
}

/**
 * A fleet with Liqo's own controllers is rolled out by an engine, compared field by field with what was compiled,
 * applied again, left alone, and edited; after each edit it is compared again, and `weft drift` must be silent.
 */
export function liqoLoop({ release, engine: { name: engineName, missing: lacks, ...tool } }: LiqoLoopOptions): void {
  const missing = missingLiqo(release) ?? lacks;
  const title = `Liqo ${release} and ${engineName}${missing === null ? '' : ` (skipped ${missing})`}`;
  describe.skipIf(missing !== null)(title, { timeout: 600_000 }, () => {
    const row = new Row(release, engineName);
    const recorder = new Recorder(`${engineName} ${release}`);
    let fleet: LiqoFleet;
    let engine: Engine;
    let now: Published;

    const names = (): readonly string[] => [...fleet.clusters.keys()];
    const publish = async ({ clusters, shortcuts = '[]' }: State): Promise<void> => {
      const lines = Object.entries(clusters).map(([name, keys]) => {
        const all = [keys, tool.keysOf(name, HOME)].filter((it) => it !== '').join(', ');
        return `  ${name}: { ${all} }\n`;
      });
      now = await fleet.publish(`version: 1
name: engines
hub: ${HOME}
liqo: { version: "${release}" }
gitops: { repository: "${fleet.repository.url}", ${tool.gitops} }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
${lines.join('')}shortcuts: ${shortcuts}
`);
    };
    const versions = async () =>
      new Map(await Promise.all(names().map(async (it) => [it, await bundleVersions(fleet.plane(it).kube)] as const)));
    const changesOf = async (
      action: () => Promise<unknown>,
      by: keyof Version = 'content',
    ): Promise<Readonly<Record<string, Changes>>> => {
      const before = await versions();
      await action();
      const after = await versions();
      return Object.fromEntries([...after].map(([name, it]) => [name, changesBetween(before.get(name) ?? {}, it, by)]));
    };
    const writesSince = (since: number) =>
      names().flatMap((it) =>
        writesIn(fleet.plane(it).auditLog, { since }).filter(
          (one) => engine.agents.test(one.agent) && one.resource !== 'events',
        ),
      );

    /** Tenant namespaces are deleted by a person, as a step of the plan says, once the gateways in them are gone. */
    const deleteNamespaces = async (moment: string): Promise<void> => {
      const plan = await fleet.weft('plan', '--base', 'HEAD~1');
      const step = plan.stdout.split('\n').find((it) => it.includes('delete the tenant namespaces')) ?? '';
      if (step !== '') await recorder.at(`${moment}, but for namespaces`, fleet);
      for (const [, name = '', cluster = ''] of step.matchAll(/(liqo-tenant-\S+) in ([a-z0-9-]+)/g)) {
        if (!fleet.clusters.has(cluster)) continue;
        const { kube } = fleet.plane(cluster);
        const isEmpty = async () =>
          (await kube.list('apps/v1', 'Deployment')).every((it) => it.metadata.namespace !== name);
        await until(`the gateways of ${name} in ${cluster} are gone`, isEmpty, 120);
        const namespace = await kube.get('v1', 'Namespace', name);
        if (namespace !== null) await kube.remove(namespace);
        await until(
          `${name} in ${cluster} is gone`,
          async () => (await kube.get('v1', 'Namespace', name)) === null,
          120,
        );
      }
    };

    /** Everything that holds whenever everything has come to rest. */
    const holds = async (moment: string): Promise<void> => {
      await until(
        'every tunnel is up',
        () => fleet.waiting().length === 0 || Promise.reject(new Error(fleet.waiting().join('; '))),
        90,
      );
      const { compared, different } = await compareFleet(fleet);
      row.compared += compared;
      row.different += different.length;
      expect(different).toEqual([]);
      const drift = await fleet.weft('drift', '--wait', '30s', ...fleet.contexts());
      expect(drift.stdout + drift.stderr).toContain('no drift');
      expect(drift.code).toBe(0);
      await recorder.at(moment, fleet);
    };

    beforeAll(async () => {
      fleet = await LiqoFleet.start();
      await publish({ clusters: THREE });
      row.begin();
      engine = await tool.start(fleet, HOME);
      await engine.ready(now.commit);
      row.end('first rollout');
    }, 900_000);

    afterAll(async () => {
      row.refused = names().flatMap((it) =>
        refusedIn(fleet.plane(it).auditLog).filter((one) => engine.agents.test(one.agent)),
      ).length;
      row.print();
      await engine?.stop();
      await fleet?.stop();
    }, 120_000);

    it('is as it was compiled, field by field, and drift is silent', async () => {
      row.applied = writesSince(0).filter((it) => it.verb === 'patch' && it.subresource === '').length;
      await holds('rolled out');
    });

    it('is not changed when everything is applied again, and not written when that happens once more', async () => {
      // Argo CD begins to own fields that it ignores with its second sync, which is a write that changes nothing.
      const again = await changesOf(() => engine.applyAgain());
      for (const [name, it] of Object.entries(again)) expect(it, name).toEqual(NO_CHANGES);
      const onceMore = await changesOf(() => engine.applyAgain(), 'resourceVersion');
      for (const [name, it] of Object.entries(onceMore)) expect(it, name).toEqual(NO_CHANGES);
    });

    it('is left alone in a minute at rest', async () => {
      await pause(10_000);
      const since = Date.now();
      await pause(60_000);
      row.writesAtRest = writesSince(since).length;
      expect(writesSince(since)).toEqual([]);
    });

    it.each(EDITS.map((edit) => [edit.title, edit] as const))(
      '%s, as its plan says',
      async (edit, { state, stops }) => {
        const before = new Map(names().map((it) => [it, bundleOf(fleet, it).map(idOf)]));
        row.begin();
        const known = names();
        let changed: Readonly<Record<string, Changes>> = {};
        await publish(state);
        for (const it of names()) if (!known.includes(it)) await engine.addCluster(fleet.plane(it));
        if (stops !== undefined) await fleet.removeCluster(stops);
        changed = await changesOf(async () => {
          await engine.fetchNow();
          // Flux may check the health of an object that the same commit removes, until its timeout of five minutes.
          const wait = { seconds: 420, ...(stops === undefined ? {} : { except: stops }) };
          await engine.ready(now.commit, wait);
          if (stops !== undefined) await engine.forgetCluster?.(stops);
        });
        await deleteNamespaces(edit);
        row.end('edit');
        for (const name of names()) {
          const gone = (before.get(name) ?? []).filter((it) => !bundleOf(fleet, name).map(idOf).includes(it));
          expect(changed[name]?.deleted.toSorted(), `deleted in ${name}`).toEqual(
            gone.filter((it) => !it.startsWith('Namespace')).toSorted(),
          );
          expect(changed[name]?.replaced, `made again in ${name}`).toEqual([]);
        }
        await holds(edit);
        row.edits += 1;
      },
    );
  });
}

function idOf({ kind, metadata }: LiveObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
