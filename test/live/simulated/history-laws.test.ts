import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { printPrefix } from '../../../src/base/net/text.ts';
import { viewsOf } from '../../../src/fleet/ipam/addressed-model.ts';
import { recreatedViews } from '../../../src/host/app/view-cluster.ts';
import { chance, shuffled } from '../../laws/chance.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { topologySource } from '../../laws/topology-spec.ts';
import { anyNetwork, releasesOf } from './any-network.ts';
import { deleteAndRecreate } from './disturbances/history.ts';
import { normalised } from './normalised.ts';
import { field, REMOTE, type SimulatedObject } from './objects.ts';
import { appliedTo, rolloutOf } from './simulate-fleet.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** The view of a peer in a cluster: pods, then external. */
function seen({ server }: SimulatedCluster, peer: string): readonly string[] {
  const [configuration] = server.list('Configuration', { [REMOTE]: peer });
  return ['pod', 'external'].flatMap(
    (it) => field<readonly string[]>(configuration, 'status', 'remote', 'cidr', it) ?? [],
  );
}

describe('a fleet that runs', () => {
  law(
    'is the same after its controllers and its IPAM restarted and everything was applied again, in any order',
    40,
    fc.property(anyNetwork, fc.nat(), (spec, seed) => {
      const { bundle } = compiledWithKeys(spec);
      for (const [id, cluster] of rolloutOf(bundle, { release: releasesOf(spec) })) {
        const before = normalised(cluster.server.all());
        cluster.restart();
        for (const it of shuffled(appliedTo(bundle, id), chance(seed))) cluster.apply(it);
        cluster.rest();
        expect(Object.fromEntries(normalised(cluster.server.all()))).toEqual(Object.fromEntries(before));
      }
    }),
  );

  law(
    'sees a peer as weft predicts after its Configuration was deleted and made again',
    60,
    fc.property(anyNetwork, fc.nat(), (spec, gene) => {
      const compiled = compiledWithKeys(spec);
      const ends = [...compiled.model.clusters.values()].flatMap((it) =>
        [...it.peers.keys()].map((peer) => [it.name, peer] as const),
      );
      fc.pre(ends.length > 0);
      const [cluster, peer] = ends[gene % ends.length] as (typeof ends)[number];
      const fleet = rolloutOf(compiled.bundle, { release: releasesOf(spec) });
      deleteAndRecreate(fleet, { cluster, peer });
      const sources = { topology: topologySource(spec), keys: undefined, lock: undefined };
      const files = { topology: '', keys: '', identities: '', lock: '', byDefault: false };
      const topology = { kind: 'compiled', files, diagnostics: [], verdicts: [], sources, compiled } as const;
      const predicted = recreatedViews(topology, cluster, peer).views.map((it) => it.recreatedAs);
      expect(seen(fleet.get(cluster) as SimulatedCluster, peer)).toEqual(predicted);
    }),
  );
});

/** Peers without a remap come first in every order: what they take attracts what is moved after them. */
function withMovedLast(objects: readonly SimulatedObject[]): readonly SimulatedObject[] {
  const isMoved = ({ kind, metadata }: SimulatedObject): boolean =>
    kind === 'Configuration' && Number(metadata.annotations?.['argocd.argoproj.io/sync-wave']) > 0;
  return [...objects.filter((it) => !isMoved(it)), ...objects.filter(isMoved)];
}

describe('a fleet whose remapped peers came in another order', () => {
  law(
    'sees a peer otherwise only where weft says that the order decides',
    100,
    fc.property(anyNetwork, fc.nat(), (spec, seed) => {
      const { bundle, model } = compiledWithKeys(spec);
      const order = (objects: readonly SimulatedObject[]) => withMovedLast(shuffled(objects, chance(seed)));
      for (const [id, cluster] of rolloutOf(bundle, { release: releasesOf(spec), order })) {
        for (const peer of model.clusters.get(id)?.peers.values() ?? []) {
          if (peer.orderDependent) continue;
          const promised = viewsOf(peer).map((it) => printPrefix(it.seenAs));
          expect([id, peer.name, seen(cluster, peer.name)]).toEqual([id, peer.name, promised]);
        }
      }
    }),
  );
});
