import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Source } from '../../src/base/source/source.ts';
import { compile } from '../../src/compile.ts';
import { viewsOf } from '../../src/fleet/ipam/addressed-model.ts';
import { planBetween } from '../plan/run-edit.ts';
import { keysOf } from '../support/keys-of.ts';
import { arbitraryFleet } from './arbitrary-topology.ts';
import { type Decided, decidedBy } from './compile-spec.ts';
import { law } from './law.ts';
import { lockSource, type TopologySpec, topologySource } from './topology-spec.ts';

const compiledWith = (spec: TopologySpec, keys: Source | undefined, lock?: string): Decided =>
  decidedBy(
    compile(
      { topology: topologySource(spec), keys, lock: lock === undefined ? undefined : lockSource(lock) },
      { relock: [], only: null },
    ),
  );

/** The topology with another name in all places of a name. */
function withName<T>(value: T, from: string, to: string): T {
  if (typeof value === 'string') return (value === from ? to : value) as T;
  if (Array.isArray(value)) return value.map((it) => withName(it, from, to)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key === from ? to : key, withName(it, from, to)]),
  ) as T;
}

/** Views, places in the order, keys, and the ports of ends that serve before and after, by link and end. */
function recordedOf({ model }: Decided, name: (it: string) => string = (it) => it): ReadonlyMap<string, string> {
  const recorded = new Map<string, string>();
  for (const cluster of model.clusters.values()) {
    for (const peer of cluster.peers.values()) {
      const { link } = peer;
      const own = link.server.cluster.name === cluster.name ? link.server : link.client;
      const views = viewsOf(peer).map((it) => [it.cidr, it.seenAs, it.history]);
      recorded.set(
        `${name(cluster.name)} sees ${name(peer.name)}`,
        JSON.stringify([views, link.join, own.publicKey, peer.orderDependent]),
      );
    }
  }
  return recorded;
}

const portsOf = ({ model }: Decided, name: (it: string) => string = (it) => it): ReadonlyMap<string, number> =>
  new Map(
    model.links.map(({ server, client, endpoint }) => [
      `${name(server.cluster.name)} serves ${name(client.cluster.name)}`,
      endpoint.port,
    ]),
  );

describe('a declared rename', () => {
  law(
    'keeps every address, place, key and port, can be compiled again, and can be forgotten',
    100,
    fc.property(arbitraryFleet({ maxClusters: 6 }), fc.nat(), ({ spec }, which) => {
      const keys = keysOf(topologySource(spec));
      const before = compiledWith(spec, keys);
      const names = Object.keys(spec.clusters);
      const from = names[which % names.length] ?? '';
      const to = `${which % 2 === 0 ? 'a' : 'z'}-new-name`;
      fc.pre(!names.includes(to) && from !== spec.name);
      const renamed = withName(spec, from, to);
      const own = renamed.clusters[to];
      const declared = {
        ...renamed,
        clusters: { ...renamed.clusters, [to]: { ...own, renamedFrom: from } },
      } as unknown as TopologySpec;
      const after = compiledWith(declared, keys, before.lock);
      const now = (it: string): string => (it === from ? to : it);
      expect(recordedOf(after)).toEqual(recordedOf(before, now));
      const ports = portsOf(before, now);
      // By default the end whose name sorts first serves, so a rename can change the server.
      const kept = [...portsOf(after)].filter(([link]) => ports.has(link));
      expect(kept).toEqual(kept.map(([link]) => [link, ports.get(link)]));
      const again = compiledWith(declared, keys, after.lock);
      expect([[...again.bundle], again.lock]).toEqual([[...after.bundle], after.lock]);
      const finished = compiledWith(
        renamed,
        keys && { ...keys, text: keys.text.replaceAll(`"${from}"`, `"${to}"`) },
        after.lock,
      );
      expect([[...finished.bundle], finished.lock]).toEqual([[...after.bundle], after.lock]);
      const plan = planBetween(before, after);
      expect(plan.changes.some((it) => it.kind === 'cluster-renamed' && it.from === from)).toBe(true);
      expect(plan.changes.filter((it) => it.kind === 'view-moved' || it.kind.startsWith('key-'))).toEqual([]);
      expect(plan.files.filter((it) => it.explainedBy.length === 0)).toEqual([]);
    }),
  );
});
