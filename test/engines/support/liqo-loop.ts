import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineRun, type State } from './engine-run.ts';
import type { FleetEngine } from './engines.ts';
import { NO_CHANGES } from './observe.ts';
import { pause } from './processes.ts';
import { type LiqoMinor, missingLiqo } from './programs.ts';

export interface LiqoLoopOptions {
  readonly release: LiqoMinor;
  readonly engine: FleetEngine;
}

interface Edit {
  readonly title: string;
  readonly state: Omit<State, 'release'>;
  /** A cluster that is gone when the edit has been applied, and is stopped then. */
  readonly stops?: string;
}

const HUB = 'podCIDR: 10.200.0.0/16, gateway: 203.0.113.10';
const MILAN = 'podCIDR: 10.202.0.0/16, gateway: 203.0.113.30';
/** Both leaves have one pod network, so each is remapped for the other, and one of them in the hub. */
export const THREE = { europe: HUB, milan: MILAN, rome: 'podCIDR: 10.202.0.0/16' };
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
export function liqoLoop({ release, engine: tool }: LiqoLoopOptions): void {
  const missing = missingLiqo(release) ?? tool.missing;
  const title = `Liqo ${release} and ${tool.name}${missing === null ? '' : ` (skipped ${missing})`}`;
  describe.skipIf(missing !== null)(title, { timeout: 600_000 }, () => {
    let run: EngineRun;

    beforeAll(async () => {
      run = await EngineRun.start(tool, { release, clusters: THREE }, release);
    }, 900_000);
    afterAll(() => run?.stop(), 120_000);

    it('is as it was compiled, field by field, and drift is silent', async () => {
      run.row.applied = run.writesSince(0).objects.filter((it) => it.verb === 'patch' && it.subresource === '').length;
      await run.holds('rolled out');
    });

    it('is not written when everything is applied a second and a third time', async () => {
      for (const time of ['second', 'third']) {
        const changes = await run.changesOf(() => run.engine.applyAgain(), 'resourceVersion');
        for (const [name, it] of Object.entries(changes)) expect(it, `${name}, ${time} time`).toEqual(NO_CHANGES);
      }
    });

    it('is left alone in a minute at rest', async () => {
      await pause(10_000);
      const since = Date.now();
      await pause(60_000);
      const { objects, events } = run.writesSince(since);
      run.row.writesAtRest = objects.length;
      run.row.eventsAtRest = events.length;
      expect(objects).toEqual([]);
    });

    it.each(EDITS.map((edit) => [edit.title, edit] as const))(
      '%s, as its plan says',
      async (edit, { state, stops }) => {
        const before = run.bundles();
        run.row.begin();
        await run.publish({ release, ...state });
        if (stops !== undefined) await run.fleet.removeCluster(stops);
        const changed = await run.changesOf(() => run.apply(stops));
        await run.deleteNamespaces(edit);
        run.row.end('edit');
        for (const [name, bundle] of run.bundles()) {
          const gone = (before.get(name) ?? []).filter((it) => !bundle.includes(it));
          expect(changed[name]?.deleted.toSorted(), `deleted in ${name}`).toEqual(
            gone.filter((it) => !it.startsWith('Namespace')).toSorted(),
          );
          expect(changed[name]?.replaced, `made again in ${name}`).toEqual([]);
        }
        await run.holds(edit);
        run.row.edits += 1;
      },
    );
  });
}
