import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { printPrefix } from '../../src/base/net/text.ts';
import type { Compiled } from '../../src/compile.ts';
import type { AddressedModel } from '../../src/fleet/ipam/addressed-model.ts';
import { type NetworkState, pairOf } from '../../src/plan/network-state.ts';
import { readManifestLines } from '../../src/plan/read-manifest-lines.ts';
import { arbitraryFleet } from '../laws/arbitrary-topology.ts';
import { compiled } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { RUNS_ALL } from '../support/drawn.ts';
import { withEndNames } from '../support/end-names.ts';
import { compileGolden, goldenNames } from '../support/golden.ts';
import { networkOf } from '../support/network-of.ts';

/** Scalars by path, as a YAML parser sees them; what is empty has none. */
function scalarsOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, it]) => scalarsOf(it, path === '' ? key : `${path}.${key}`));
}

describe('manifests read line by line', () => {
  const goldens = goldenNames().filter((it) => !it.startsWith('invalid-'));

  /** Lines with other words and numbers in their values are alike; a key, a quote, a sign and a depth are not. */
  const alike = (line: string): string =>
    line.replace(/^([ -]*[^ :]+:)(.*)/, (_, key: string, value: string) =>
      [key, value.replace(/[A-Za-z]+/g, 'a').replace(/\d+/g, '0')].join(''),
    );
  const seen = new Set<string>();

  /** True for a text with a line that no text before it had. */
  const isNew = (text: string): boolean => {
    const lines = text.split('\n').map(alike);
    const more = lines.some((it) => !seen.has(it));
    for (const it of lines) seen.add(it);
    return more;
  };

  it.each(goldens)('say what a YAML parser reads: %s', (name) => {
    const outcome = compileGolden(name);
    if (!outcome.ok) throw new Error(`${name} does not compile`);
    for (const [path, text] of outcome.value.bundle) {
      if (!/\/peers\/.*(?<!kustomization)\.yaml$|helm-values\.yaml$|\/networks\.yaml$/.test(path)) continue;
      if (!RUNS_ALL && !isNew(text)) continue;
      const oracle = parseAllDocuments(text).map((it) => scalarsOf(it.toJS()));
      const empty = (it: readonly [string, string]): boolean => it[1] !== '[]' && it[1] !== '{}';
      expect(
        readManifestLines(text).map((it) => [...it].filter(empty)),
        path,
      ).toEqual(oracle);
    }
  });

  it.each(['', '---', ':', '- ', '  - - x', '"unclosed: x', 'a: |\n  b: c', '\u0000', '{a: b}'])(
    'survive %j',
    (text) => {
      expect(() => readManifestLines(text)).not.toThrow();
    },
  );
});

describe('a network read from its files', () => {
  law(
    'is the one that they were made from',
    100,
    fc.property(arbitraryFleet({ maxClusters: 7 }), ({ spec }) => {
      const { model, bundle, lock } = compiled(spec);
      const state = networkOf(bundle, lock);
      expect([...(state?.links.values() ?? [])].map(linkFacts)).toEqual(linksOfModel(model));
      expect([...(state?.clusters.values() ?? [])].map(clusterFacts)).toEqual(clustersOfModel(model));
    }),
  );

  it.each([
    '{',
    '[]',
    'null',
    '{"version":1}',
    '{"version":2,"topology":"europe","views":[],"gateways":[]}',
    '{"version":1,"views":[],"gateways":[]}',
    '{"version":1,"topology":"europe","views":[null],"gateways":[]}',
    '{"version":1,"topology":"europe","views":[],"gateways":[{"cluster":"rome","role":"server"}]}',
  ])('is nothing when its addresses.json is %j', (text) => {
    expect(networkOf(new Map([['addresses.json', text]]), null)).toBeUndefined();
  });

  law(
    'is nothing when a value of its addresses.json has another type',
    200,
    fc.property(fc.nat(), fc.constantFrom(null, [], {}, [null], 1.5), (place, value) => {
      const text = ADDRESSES_OF_EXAMPLE ?? '';
      const count = valuesIn(text);
      const damaged = JSON.stringify(withValue(text, place % count, value));
      const files = new Map([...EXAMPLE.bundle, ['addresses.json', damaged]]);
      expect(networkOf(files, EXAMPLE.lock)).toBeUndefined();
    }),
  );
});

const EXAMPLE = exampleOf('two-hubs-with-tiers');
const ADDRESSES_OF_EXAMPLE = EXAMPLE.bundle.get('addresses.json');

function exampleOf(golden: string): Compiled {
  const outcome = compileGolden(golden);
  if (!outcome.ok) throw new Error(`${golden} does not compile`);
  return outcome.value;
}

/** Texts, numbers and booleans in a JSON text. */
function valuesIn(text: string): number {
  let count = 0;
  JSON.parse(text, (_, it) => (typeof it === 'object' ? it : count++));
  return count;
}

/** A JSON document with another value in place of its scalar number `place`. */
function withValue(text: string, place: number, value: unknown): unknown {
  let count = 0;
  return JSON.parse(text, (_, it) => {
    if (typeof it === 'object') return it;
    return count++ === place ? value : it;
  });
}

type Values<T> = T extends ReadonlyMap<string, infer V> ? V : never;

const linkFacts = ({ join, ...it }: Values<NetworkState['links']>) => ({
  pair: it.pair,
  join,
  ends: [it.server, it.client],
  dialled: [it.address, it.port, it.mtuBytes],
  service: it.service && [it.service.type, it.service.port, it.service.nodePort, it.service.loadBalancerIP],
  views: [...it.sides.values()].flatMap((side) =>
    side.views.map((view) => [side.cluster, view.cidr, view.seenAs, view.history]),
  ),
});

function linksOfModel({ links, clusters }: AddressedModel) {
  const facts = links.map(withEndNames).map(({ join, server, client, endpoint, mtuBytes }) => ({
    pair: pairOf(server, client),
    join,
    ends: [server, client],
    dialled: [endpoint.address, endpoint.port, mtuBytes],
    service: [
      endpoint.serviceType,
      String(endpoint.servicePort),
      endpoint.nodePort === null ? null : String(endpoint.nodePort),
      endpoint.loadBalancerIP,
    ],
    views: [server, client].sort().flatMap((cluster) => {
      const peer = clusters.get(cluster)?.peers.get(cluster === server ? client : server);
      const views = peer === undefined ? [] : [...peer.podViews, peer.externalView];
      return views.map((it) => [cluster, printPrefix(it.cidr), printPrefix(it.seenAs), it.history]);
    }),
  }));
  return facts.sort((a, b) => (a.pair < b.pair ? -1 : 1));
}

const clusterFacts = (it: Values<NetworkState['clusters']>) =>
  it.retired ? [it.name] : [it.name, it.provenLine !== null, it.own, it.reserved, it.pools, it.peers];

const clustersOfModel = ({ clusters }: AddressedModel) =>
  [...clusters.values()].map((it) =>
    it.retired
      ? [it.name]
      : [
          it.name,
          it.traits.labelsSharedNetworks,
          {
            pod: it.podCIDRs.map((cidr) => printPrefix(cidr.value)),
            service: [printPrefix(it.serviceCIDR.value)],
            external: [printPrefix(it.externalCIDR)],
            internal: [printPrefix(it.internalCIDR)],
          },
          it.reserved.map((cidr) => printPrefix(cidr.value)),
          it.pools.map((cidr) => printPrefix(cidr.value)),
          [...it.peers.values()].map((peer) => peer.name),
        ],
  );
