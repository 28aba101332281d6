import { describe, expect, it } from 'vitest';
import { oncePer } from '../../../src/base/core/once.ts';
import { compile } from '../../../src/compile.ts';
import { viewsOf } from '../../../src/fleet/ipam/addressed-model.ts';
import { adoptLock } from '../../../src/host/app/compile-live.ts';
import { type KubernetesObject, objectKey } from '../../../src/live/dumps/kubernetes-object.ts';
import { observeCluster } from '../../../src/live/facts/cluster.ts';
import { liveNetworkOf } from '../../../src/live/import/infer-fleet.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { type LaterCluster, type LiveCluster, type Recording, recordings } from '../dumps/recordings.ts';

const all = recordings();

/** The order of events in the objects may be missing: dumps are often cleaned. */
type Hints = 'with hints' | 'without hints';

function observed(cluster: LiveCluster, hints: Hints) {
  const objects = [...cluster.objects.values()].map((it) => {
    const object = it as unknown as KubernetesObject;
    if (hints === 'with hints') return object;
    const { resourceVersion: _, creationTimestamp: __, ...metadata } = object.metadata;
    return { ...object, metadata } as KubernetesObject;
  });
  return observeCluster({
    cluster: cluster.name,
    forbidden: new Set(),
    listed: new Set(),
    objects: new Map(objects.map((it) => [objectKey(it), it])),
  });
}

/** Live views of a recording in its lock: how many of the remapped ones are not explained. */
function adopted(
  { sources, compiled: { model: recorded } }: Recording,
  clusters: readonly LiveCluster[],
  hints: Hints,
) {
  const live = liveNetworkOf(clusters.map((it) => observed(it, hints)));
  const lock = adoptLock({ sources, decisions: new Map(), live, path: 'fleet.lock.yaml', keepsOrder: false });
  if (!lock.ok) throw new Error(lock.diagnostics.map((it) => it.message).join('\n'));
  const compiled = compile({ ...sources, lock: lock.value.lock }, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  const { model } = compiled.value;
  expect([...model.clusters.keys()]).toEqual([...recorded.clusters.keys()]);
  const views = [...model.clusters.values()].flatMap((it) => [...it.peers.values()].flatMap(viewsOf));
  expect(views.filter((it) => it.history).length).toBe(lock.value.forced);
  const { remapped, forced } = lock.value;
  return { remapped, forced, diagnostics: lock.diagnostics, compiled: compiled.value, live };
}

const adoptedAtRest = {
  'with hints': oncePer((it: Recording) => adopted(it, it.clusters, 'with hints')),
  'without hints': oncePer((it: Recording) => adopted(it, it.clusters, 'without hints')),
};

const nameOf = (it: Recording, later: LaterCluster): string => `${it.name} ${later.name}.${later.what}`;

const EXPLAINED: readonly string[] = [
  'example 1.2 europe.conn: 3 remapped, 0 or 0 forced',
  'example 1.2 milan.conn: 3 remapped, 0 or 0 forced',
  'example 1.2 rome.atonce: 3 remapped, 0 or 0 forced',
  'example 1.2 rome.conn: 3 remapped, 0 or 0 forced',
  'example 1.2 rome.reverse: 3 remapped, 0 or 0 forced',
  'example 1.2 rome.shuffle-7: 3 remapped, 0 or 0 forced',
  'gateways-customised-on-1.2 1.2 hub.conn: 0 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 core.firewall-edited: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 core.keys-swapped: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 core.offloading-edited: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 edge1.firewall-edited: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 edge1.keys-swapped: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 edge1.offloading-edited: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 edge2.firewall-edited: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 edge2.keys-swapped: 2 remapped, 0 or 0 forced',
  'lends-and-offloads 1.2 edge2.offloading-edited: 2 remapped, 0 or 0 forced',
  'load-balancers-share-addresses 1.2 hub.conn: 0 remapped, 0 or 0 forced',
  'overlap 1.1 a.atonce: 43 remapped, 5 or 5 forced alone it would be explained, but other clusters got theirs in another order',
  'overlap 1.1 a.reverse: 43 remapped, 0 or 0 forced',
  'overlap 1.1 a.shuffle-3: 43 remapped, 4 or 4 forced alone it would be explained, but other clusters got theirs in another order',
  'overlap 1.1 hub.atonce: 43 remapped, 0 or 0 forced',
  'overlap 1.1 hub.reverse: 42 remapped, 0 or 0 forced',
  'overlap 1.1 hub.shuffle-3: 43 remapped, 0 or 0 forced',
  'overlap 1.2 a.atonce: 43 remapped, 5 or 5 forced alone it would be explained, but other clusters got theirs in another order',
  'overlap 1.2 a.reverse: 43 remapped, 0 or 0 forced',
  'overlap 1.2 a.shuffle-7: 43 remapped, 4 or 4 forced alone it would be explained, but other clusters got theirs in another order',
  'overlap 1.2 hub.atonce: 43 remapped, 0 or 0 forced',
  'overlap 1.2 hub.del: 43 remapped, 0 or 0 forced',
  'overlap 1.2 hub.del2: 43 remapped, 2 or 2 forced other networks were taken when these were given; since then a peer was removed, or created again',
  'overlap 1.2 hub.restart: 43 remapped, 2 or 2 forced other networks were taken when these were given; since then a peer was removed, or created again',
  'overlap 1.2 hub.reverse: 42 remapped, 0 or 0 forced',
  'overlap 1.2 hub.shuffle-1: 42 remapped, 0 or 0 forced',
  'several-pod-cidrs 1.2 rome.conn: 9 remapped, 0 or 0 forced',
];

describe('the views of a recorded fleet', () => {
  it.each(
    all.flatMap((it) =>
      (['with hints', 'without hints'] as const).map((hints) => [`${it.name}, ${hints}`, it, hints] as const),
    ),
  )('are those of a rollout in some order of joining: %s', (_, it, hints) => {
    const { forced, diagnostics } = adoptedAtRest[hints](it);
    expect(forced).toBe(0);
    expect(diagnostics).toEqual([]);
  });

  it.each(all.map((it) => [it.name, it] as const))(
    'are the recorded ones, and adopting them again changes nothing: %s',
    (_, it) => {
      const { compiled, live } = adoptedAtRest['with hints'](it);
      for (const view of live.views) {
        const peer = compiled.model.clusters.get(view.viewer)?.peers.get(view.peer);
        const kept = peer && viewsOf(peer).find((one) => one.cidr.base === view.cidr.base);
        expect(kept?.seenAs).toEqual(view.seenAs);
      }
      const again = adoptLock({
        sources: it.sources,
        decisions: compiled.inputs.decisions.size === 0 ? new Map() : decisionsOf(compiled),
        live,
        path: 'fleet.lock.yaml',
        keepsOrder: true,
      });
      expect(again.ok && again.value.lock.text).toBe(compiled.lock);
    },
  );

  it('after a disturbance of one cluster are explained as far as some order gives them', () => {
    const disturbed = all.flatMap((it) => it.after.map((later) => [it, later] as const));
    // On a push, one of each disturbance.
    const some = drawn(
      disturbed,
      firstOfEach(([, { what }]) => what.replace(/-\d+$/, '')),
    );
    const rows = some.map(([it, later]) => {
      const clusters = it.clusters.map((one) => (one.name === later.name ? later : one));
      const [with_, without] = (['with hints', 'without hints'] as const).map((hints) => adopted(it, clusters, hints));
      const reasons = new Set(with_?.diagnostics.map((one) => one.message.split('; ').slice(1).join('; ')));
      const forced = `${with_?.forced} or ${without?.forced} forced`;
      return `${nameOf(it, later)}: ${with_?.remapped} remapped, ${forced} ${[...reasons].join(' | ')}`.trim();
    });
    const names = new Set(some.map(([it, later]) => nameOf(it, later)));
    expect(rows).toEqual(EXPLAINED.filter((it) => names.has(it.replace(/: .*/, ''))));
    expect(EXPLAINED.map((it) => it.replace(/: .*/, ''))).toEqual(disturbed.map(([it, later]) => nameOf(it, later)));
  });
});

const decisionsOf = (compiled: {
  readonly inputs: { readonly decisions: ReadonlyMap<string, { readonly value: string | number }> };
}) => new Map([...compiled.inputs.decisions].map(([key, { value }]) => [key, value]));
