import { describe, expect, it } from 'vitest';
import type { Compiled } from '../../../src/compile.ts';
import type { LiveCluster } from '../../../src/live/dumps/kubernetes-object.ts';
import { changeWords, groupChanges } from '../../../src/live/import/changes.ts';
import { fleetOfTheSlides } from '../simulated/fleet-of-the-slides.ts';
import type { SimulatedObject } from '../simulated/objects.ts';
import { simulateLiqoctl } from '../simulated/simulate-liqoctl.ts';
import { liveOf } from './live-of.ts';
import { importLive, whatWouldChange } from './what-would-change.ts';

const DUMPS = simulateLiqoctl(fleetOfTheSlides('1.2'));
const LIVE = [...DUMPS].map(([id, { items }]) => liveOf(id, items));
const { compiled }: { readonly compiled: Compiled } = importLive(LIVE, 'slides');

/** The changes by applying the import after an edit of the serving gateways. */
function changesAfter(edit: (server: SimulatedObject) => void) {
  const live = [...DUMPS].map(([id, list]): LiveCluster => {
    const { items } = structuredClone(list);
    for (const one of items) if (one.kind === 'GatewayServer') edit(one);
    return liveOf(id, items);
  });
  const { groups, moves } = groupChanges(whatWouldChange(compiled, live));
  return { kinds: groups.map((one) => one.kind), moves, words: groups.map(changeWords) };
}

const NOTHING = { views: 0, ports: 0, restarts: 0, keys: 0 };

describe('what applying would change in gateways', () => {
  it('is nothing where the status has the node port and the Secret of git', () => {
    const { kinds, moves } = changesAfter(() => {});
    expect(kinds).toEqual(expect.arrayContaining(['names-node-port', 'names-secret']));
    expect(moves).toEqual(NOTHING);
  });

  it('is a port where the status has another node port', () => {
    const { kinds, moves } = changesAfter((it) => {
      Object.assign(it.status?.['endpoint'] ?? {}, { port: 31_999 });
    });
    expect(kinds).toContain('port');
    expect(kinds).not.toContain('names-node-port');
    expect(moves).toMatchObject({ ports: 3, restarts: 3 });
  });

  it('is a restart where the status has another Secret', () => {
    const { kinds, moves } = changesAfter((it) => {
      Object.assign(it.status ?? {}, { secretRef: { name: 'another' } });
    });
    expect(kinds).toEqual(expect.arrayContaining(['other-secret', 'names-secret']));
    expect(moves).toMatchObject({ ports: 0, restarts: 3 });
  });

  it('is no restart for annotations of Services', () => {
    const { kinds, moves, words } = changesAfter((it) => {
      Object.assign(it.spec ?? {}, { serviceAnnotations: { 'example.com/scheme': 'internal' } });
    });
    expect(kinds).toContain('service-annotations');
    expect(words.join('\n')).toContain('changes annotations or labels of Services in 3 objects: no restart');
    expect(moves).toEqual(NOTHING);
  });

  it('is no restart for the type of a Service, which may move its port', () => {
    const { kinds, moves } = changesAfter((it) => {
      Object.assign((it.spec?.['endpoint'] as object | undefined) ?? {}, { loadBalancerIP: '203.0.113.99' });
    });
    expect(kinds).toContain('service');
    expect(moves.restarts).toBe(0);
  });
});
