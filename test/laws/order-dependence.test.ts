import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaps } from '../../src/base/net/prefix.ts';
import { prefixOf, printPrefix } from '../../src/base/net/text.ts';
import { RELEASE_LINES } from '../../src/base/releases/release.ts';
import { type AddressedCluster, type Peer, viewsOf } from '../../src/fleet/ipam/addressed-model.ts';
import { naiveAllocator } from '../fleet/ipam/naive-allocators.ts';
import { compiledText } from '../support/compile-text.ts';
import { law } from './law.ts';

// Some of them are what an IPAM gives to a request that it moves.
const PODS = [
  '10.200.0.0/16',
  '10.200.128.0/17',
  '10.202.0.0/16',
  '10.71.0.0/16',
  '10.250.0.0/16',
  '10.68.0.0/14',
  '10.42.0.0/16',
  '10.128.0.0/16',
  '10.0.0.0/16',
];
const EXTERNALS = ['10.70.0.0/16', '10.71.0.0/16', '10.72.0.0/16', '10.73.0.0/20', '10.200.0.0/16', '10.68.0.0/16'];

interface Leaf {
  readonly pods: string;
  readonly external: string;
}

const anyLeaf = fc
  .record({ pods: fc.constantFrom(...PODS), external: fc.constantFrom(...EXTERNALS) })
  .filter((it) => !overlaps(prefixOf(it.pods), prefixOf(it.external)));

const anyFleet = (minLength: number, maxLength: number) =>
  fc.record({
    release: fc.constantFrom(...RELEASE_LINES),
    hub: fc.constantFrom('10.250.0.0/16', '10.200.0.0/16'),
    leaves: fc.array(anyLeaf, { minLength, maxLength }),
  });

function fleetText(release: string, hub: string, leaves: readonly Leaf[]): string {
  const lines = leaves.map((it, i) => `  leaf${'abcdef'[i]}: { podCIDR: ${it.pods}, externalCIDR: ${it.external} }`);
  return `version: 1
name: fleet
liqo: { version: "${release}" }
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12 }
clusters:
  hub: { podCIDR: ${hub}, externalCIDR: 10.90.0.0/16, gateway: 203.0.113.1 }
${lines.join('\n')}
`;
}

/** The networks of the cluster's IPAM by peer, if the Configurations are applied in this order. */
function applied(cluster: AddressedCluster, peers: readonly Peer[]): ReadonlyMap<string, string> {
  const ipam = naiveAllocator(
    cluster.allocator,
    cluster.pools.map((it) => it.value),
  );
  for (const { value } of [...cluster.podCIDRs, cluster.serviceCIDR, ...cluster.reserved]) ipam.reserve(value, true);
  for (const it of [cluster.externalCIDR, cluster.internalCIDR]) ipam.reserve(it, false);
  return new Map(
    peers.map((peer) => {
      const given = viewsOf(peer).map((it) => ipam.acquire(it.cidr));
      return [peer.name, given.map((it) => (it.ok ? printPrefix(it.prefix) : 'none')).join(' ')];
    }),
  );
}

const promised = (peer: Peer): string =>
  viewsOf(peer)
    .map((it) => printPrefix(it.seenAs))
    .join(' ');

const ordersOf = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) => ordersOf(items.filter((it) => it !== first)).map((it) => [first, ...it]));

/** The peers of a cluster whose views are not the promised ones in some order of applying. */
function varying(cluster: AddressedCluster): readonly string[] {
  const peers = [...cluster.peers.values()];
  expect(applied(cluster, peers)).toEqual(new Map(peers.map((it) => [it.name, promised(it)])));
  const outcomes = ordersOf(peers).map((order) => applied(cluster, order));
  return peers.filter((it) => outcomes.some((views) => views.get(it.name) !== promised(it))).map((it) => it.name);
}

const marked = ({ peers }: AddressedCluster): readonly string[] =>
  [...peers.values()].filter((it) => it.orderDependent).map((it) => it.name);

describe('a view', () => {
  law(
    'is marked as order-dependent if and only if some order of applying gives another one',
    250,
    fc.property(anyFleet(1, 5), ({ release, hub, leaves }) => {
      const { model } = compiledText(fleetText(release, hub, leaves));
      for (const cluster of model.clusters.values()) expect(marked(cluster)).toEqual(varying(cluster));
    }),
  );

  law(
    'of one of many peers is marked as order-dependent only if some order of applying gives another one',
    25,
    fc.property(anyFleet(6, 6), ({ release, hub, leaves }) => {
      const { model } = compiledText(fleetText(release, hub, leaves));
      for (const cluster of model.clusters.values()) {
        const varies = varying(cluster);
        expect(marked(cluster).filter((it) => !varies.includes(it))).toEqual([]);
      }
    }),
  );
});

/**
 * True when the link can be applied at any time, as long as the others keep their order: mostly one of another prefix
 * length than the others.
 */
function canLeaveTheChain(cluster: AddressedCluster, link: Peer): boolean {
  const peers = [...cluster.peers.values()];
  const [free, others] = [peers.filter((it) => !it.remapped), peers.filter((it) => it.remapped && it !== link)];
  return [...others, link].every((_, at) =>
    [...applied(cluster, [...free, ...others.slice(0, at), link, ...others.slice(at)])].every(
      ([name, views]) => views === promised(cluster.peers.get(name) as Peer),
    ),
  );
}

describe('the chain of ordered links of a cluster', () => {
  it('is no longer than its links contend: nearly none can leave it', () => {
    const fleets = fc.sample(anyFleet(2, 6), { numRuns: 300, seed: 1 });
    const chained = fleets.flatMap(({ release, hub, leaves }) =>
      [...compiledText(fleetText(release, hub, leaves)).model.clusters.values()].flatMap((cluster) => {
        const ordered = [...cluster.peers.values()].filter((peer) => peer.remapped);
        return ordered.length < 2 ? [] : ordered.map((peer) => canLeaveTheChain(cluster, peer));
      }),
    );
    expect(chained.length).toBeGreaterThan(300);
    expect(chained.filter((it) => it).length).toBeLessThan(chained.length / 20);
  });
});
