import { describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/base/net/text.ts';
import { compile } from '../../../src/compile.ts';
import type { AddressedModel } from '../../../src/fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { printTraced } from '../../../src/reach/trace/address.ts';
import { expectedFlow } from '../../../src/reach/trace/expected-flow.ts';
import { rulePlace } from '../../../src/reach/trace/packet.ts';
import { type Trace, trace } from '../../../src/reach/trace/trace.ts';
import { traceAll } from '../../../src/reach/trace/trace-all.ts';
import type { TraceRequest } from '../../../src/reach/trace/trace-request.ts';
import { addressedPair } from '../../support/addressed.ts';
import { compileGolden } from '../../support/golden.ts';
import { joinPeers } from '../../support/join-peers.ts';
import { keysOf } from '../../support/keys-of.ts';
import { withGateways } from '../../support/with-gateways.ts';
import { expectWellFormed, text } from './compare-with-naive.ts';

const at = (it: string): number => readAddress(it) as number;

const inCluster = (cluster: string, address?: string) =>
  ({ kind: 'cluster', cluster, address: address === undefined ? null : at(address) }) as const;

const steps = (traced: Trace['there']): readonly string[] =>
  traced.map((it) => `${it.cluster} ${it.did.kind}: ${text(it)}`);

const rules = (model: AddressedModel, { there }: Trace): readonly string[] =>
  there.flatMap(({ did }) => {
    if (!('rule' in did) || did.rule === null) return [];
    const file = rulePlace(model, did.rule)?.file;
    return [`${did.rule.table}/${did.rule.chain} in ${file}`];
  });

function modelOf(fleet: string, hasKey?: Parameters<typeof keysOf>[1]): SharedModel {
  const text = `version: 1\nname: test\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }\n${fleet}`;
  const topology = { path: 'topology.yaml', text: withGateways(text) };
  const outcome = compile({ topology, keys: keysOf(topology, hasKey), lock: undefined }, { relock: [], only: [] });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('\n'));
  return outcome.value.model;
}

/** A hub without a view of the second pod CIDR of its peers, which compile never produces. */
function withoutSecondViews(model: SharedModel): SharedModel {
  const hub = model.clusters.get('hub');
  if (!hub) throw new Error('no hub');
  const peers = new Map([...hub.peers].map(([name, it]) => [name, { ...it, podViews: it.podViews.slice(0, 1) }]));
  return joinPeers({ ...model, clusters: new Map([...model.clusters, ['hub', { ...hub, peers }]]) });
}

function goldenModel(name: string): SharedModel {
  const outcome = compileGolden(name);
  if (!outcome.ok) throw new Error(`${name} does not compile`);
  return outcome.value.model;
}

/** X sees Y's pods as 10.61.0.0/16, Y sees X's as 10.63.0.0/16; all real pods are in 10.200.0.0/16. */
function twoClusters() {
  const { fleet, link, server, client } = addressedPair({
    server: {
      name: 'y',
      pods: ['10.200.0.0/16'],
      external: '10.70.0.0/16',
      seesPods: ['10.63.0.0/16'],
      seesExternal: '10.60.0.0/16',
    },
    client: {
      name: 'x',
      pods: ['10.200.0.0/16'],
      external: '10.70.0.0/16',
      seesPods: ['10.61.0.0/16'],
      seesExternal: '10.60.0.0/16',
    },
  });
  const clusters = new Map([client, server].map(({ cluster }) => [cluster.name, cluster]));
  return { fleet, links: [link], clusters, shares: [] };
}

describe('one packet, two clusters', () => {
  const model = twoClusters();
  const traced = trace(model, { from: inCluster('x', '10.200.0.17'), to: inCluster('y', '10.200.0.151') });

  it('passes the places of the reference, with its addresses', () => {
    expect(steps(traced.there)).toEqual([
      'x sent: 10.200.0.17 > 10.61.0.151',
      'x left-node: 10.200.0.17 > 10.61.0.151',
      'x overlay: 10.200.0.17 > 10.61.0.151',
      'x prerouting: 10.200.0.17 > 10.200.0.151',
      'y tunnel: 10.200.0.17 > 10.200.0.151',
      'y postrouting: 10.63.0.17 > 10.200.0.151',
      'y overlay: 10.63.0.17 > 10.200.0.151',
      'y received: 10.63.0.17 > 10.200.0.151',
    ]);
    expect(rules(model, traced)).toEqual([
      'y-masquerade-bypass/pre-postrouting in x/nftables/nodes/y.nft',
      'remap-podcidr/outgoing in x/nftables/y.nft',
      'remap-podcidr/incoming in y/nftables/x.nft',
    ]);
  });

  it('is answered over the same way, reversed in both gateways', () => {
    expect(steps(traced.back)).toEqual([
      'y sent: 10.200.0.151 > 10.63.0.17',
      'y overlay: 10.200.0.151 > 10.63.0.17',
      'y undone: 10.200.0.151 > 10.200.0.17',
      'x tunnel: 10.200.0.151 > 10.200.0.17',
      'x undone: 10.61.0.151 > 10.200.0.17',
      'x overlay: 10.61.0.151 > 10.200.0.17',
      'x received: 10.61.0.151 > 10.200.0.17',
    ]);
    expectWellFormed(traced, 'x to y');
  });

  it('is the same packet when the receiver is given by the address that the sender uses', () => {
    const other = trace(model, {
      from: inCluster('x', '10.200.0.17'),
      to: { kind: 'address', address: at('10.61.0.151') },
    });
    expect(other.there).toEqual(traced.there);
    expect(other.to).toMatchObject({ cluster: 'y', address: { kind: 'known', value: at('10.200.0.151') } });
  });

  it('from a node is from the unknown source, and the mark sends the answer back to that node', () => {
    const node = trace(model, { from: inCluster('x'), to: inCluster('y', '10.200.0.151'), fromNode: true });
    expect(steps(node.there).slice(0, 2)).toEqual([
      'x sent: (node) > 10.61.0.151',
      'x left-node: 10.70.0.0 > 10.61.0.151',
    ]);
    expect(text(node.received as never)).toBe('10.60.0.0 > 10.200.0.151');
    expect(steps(node.back).slice(-3)).toEqual([
      'x overlay: 10.61.0.151 > 10.70.0.0',
      'x undone: 10.61.0.151 > (node)',
      'x received: 10.61.0.151 > (node)',
    ]);
    expect(node.back.at(-3)?.did).toMatchObject({ route: '<node>-service-nodeport-routing' });
  });
});

describe('leaf to leaf through the hub', () => {
  const model = goldenModel('deck-two-one-pod-cidr-everywhere');
  const ask: TraceRequest = {
    from: inCluster('cluster2', '10.200.0.17'),
    to: inCluster('cluster3', '10.200.0.151'),
    through: 'hub',
  };
  const mappings = [{ cluster: 'hub', external: at('10.70.0.5'), real: at('10.63.0.151') }];

  it('is two tunnels and six translations', () => {
    const traced = trace(model, { ...ask, mappings });
    expect(steps(traced.there)).toEqual([
      'cluster2 sent: 10.200.0.17 > 10.60.0.5',
      'cluster2 left-node: 10.200.0.17 > 10.60.0.5',
      'cluster2 overlay: 10.200.0.17 > 10.60.0.5',
      'cluster2 prerouting: 10.200.0.17 > 10.70.0.5',
      'hub tunnel: 10.200.0.17 > 10.70.0.5',
      'hub mapped: 10.200.0.17 > 10.63.0.151',
      'hub postrouting: 10.60.0.17 > 10.63.0.151',
      'hub overlay: 10.60.0.17 > 10.63.0.151',
      'hub left-node: 10.70.0.0 > 10.63.0.151',
      'hub overlay: 10.70.0.0 > 10.63.0.151',
      'hub prerouting: 10.70.0.0 > 10.200.0.151',
      'cluster3 tunnel: 10.70.0.0 > 10.200.0.151',
      'cluster3 postrouting: 10.60.0.0 > 10.200.0.151',
      'cluster3 overlay: 10.60.0.0 > 10.200.0.151',
      'cluster3 received: 10.60.0.0 > 10.200.0.151',
    ]);
    const changes = traced.there.filter((it, i) => i > 0 && text(it) !== text(traced.there[i - 1] as never));
    expect(changes).toHaveLength(6);
    expect(rules(model, traced)).toEqual([
      'hub-masquerade-bypass/pre-postrouting in cluster2/nftables/nodes/hub.nft',
      'remap-externalcidr/outgoing in cluster2/nftables/hub.nft',
      'remap-podcidr/incoming in hub/nftables/cluster2.nft',
      'cluster3-masquerade-bypass/pre-postrouting in hub/nftables/nodes/cluster3.nft',
      'remap-podcidr/outgoing in hub/nftables/cluster3.nft',
      'remap-externalcidr/incoming in cluster3/nftables/hub.nft',
    ]);
    expectWellFormed(traced, 'cluster2 to cluster3');
  });

  it('shows an address that is assigned at run time by its network', () => {
    const traced = trace(model, ask);
    const destinations = [...new Set(traced.there.map((it) => printTraced(it.destination)))];
    expect(destinations).toEqual(['10.60.0.?', '10.70.0.?', '10.63.0.151', '10.200.0.151']);
    expect(traced.fate).toMatchObject({ kind: 'delivered', why: expect.stringContaining('once it has offloaded') });
    expectWellFormed(traced, 'cluster2 to cluster3');
  });

  it('gives a lab the expected addresses: before and after the mapping is known', () => {
    const first = expectedFlow(model, 'cluster2', 'cluster3', { through: 'hub' });
    expect(first.mapping).toMatchObject({ hub: 'hub', real: at('10.63.0.10') });
    const made = [{ cluster: 'hub', external: at('10.70.0.9'), real: first.mapping?.real ?? 0 }];
    const { sent, received, fate } = expectedFlow(model, 'cluster2', 'cluster3', { through: 'hub', mappings: made });
    expect([fate, text(sent as never), text(received as never)]).toEqual([
      'delivered',
      '10.200.0.10 > 10.60.0.9',
      '10.60.0.0 > 10.200.0.10',
    ]);
    expect(expectedFlow(model, 'cluster2', 'cluster3')).toMatchObject({ route: { kind: 'direct' }, mapping: null });
  });

  it('follows the address of an IP resource that is known, and stops at one that is not', () => {
    const dialled = { kind: 'address', address: at('10.60.0.5') } as const;
    const known = trace(model, { from: ask.from, to: dialled, mappings });
    expect([known.fate.kind, known.route, known.to.cluster]).toEqual([
      'delivered',
      { kind: 'through', hub: 'hub', hubs: ['hub'] },
      'cluster3',
    ]);
    const unknown = trace(model, { from: ask.from, to: dialled });
    expect([unknown.fate.kind, unknown.route.kind]).toEqual(['needs-run-time-address', 'direct']);
    expect(steps(unknown.there).at(-1)).toBe('hub postrouting: 10.60.0.17 > 10.70.0.5');
  });

  it('ends in a ring', () => {
    const ring = [{ cluster: 'hub', external: at('10.70.0.5'), real: at('10.60.0.17') }];
    const hairpin = trace(model, { from: ask.from, to: { kind: 'address', address: at('10.60.0.5') }, mappings: ring });
    // Back to the sender's own cluster is no ring: its pod answers, as through any hub.
    expect([hairpin.fate.kind, hairpin.to.cluster]).toEqual(['delivered', 'cluster2']);
    const endless = [
      { cluster: 'hub', external: at('10.70.0.5'), real: at('10.62.0.6') },
      { cluster: 'cluster2', external: at('10.70.0.6'), real: at('10.60.0.5') },
    ];
    const traced = trace(model, {
      from: ask.from,
      to: { kind: 'address', address: at('10.60.0.5') },
      mappings: endless,
    });
    expect([traced.fate.kind, traced.fate.why]).toEqual(['no-route', expect.stringContaining('in a ring')]);
  });
});

describe('a fate', () => {
  const hubs = modelOf(`
hub: [north, south]
clusters:
  north: { podCIDR: 10.1.0.0/16 }
  south: { podCIDR: 10.2.0.0/16 }
  alps: { podCIDR: 10.3.0.0/16, reserved: [192.168.7.0/24] }
  bern: { podCIDR: 10.4.0.0/16 }
  como: { podCIDR: 10.5.0.0/16, hub: alps }
  gone: { podCIDR: 10.6.0.0/16, retired: true }
`);
  const blind = withoutSecondViews(
    modelOf(`
hub: hub
clusters:
  hub: { podCIDR: 10.1.0.0/16 }
  rome: { podCIDR: [10.2.0.0/16, 10.3.0.0/16] }
`),
  );
  const from = inCluster('alps');
  const address = (it: string) => ({ kind: 'address', address: at(it) }) as const;

  it.each<[string, SharedModel, TraceRequest, string, RegExp]>([
    ['two hubs: the first by name', hubs, { from, to: inCluster('bern') }, 'delivered', /"north" maps the pod/],
    [
      'two hubs: the requested one',
      hubs,
      { from, to: inCluster('bern'), through: 'south' },
      'delivered',
      /"south" maps the pod/,
    ],
    [
      'a cluster in between that is the hub of one',
      hubs,
      { from: inCluster('como'), to: inCluster('north') },
      'delivered',
      /"alps" maps the pod/,
    ],
    [
      'two clusters in between',
      hubs,
      { from: inCluster('como'), to: inCluster('bern') },
      'no-route',
      /"como" and "bern" have no link, and no cluster has links to both/,
    ],
    [
      'a hub without a link',
      hubs,
      { from, to: inCluster('north'), through: 'como' },
      'no-route',
      /"como" has no link to "north"/,
    ],
    ['a retired receiver', hubs, { from, to: inCluster('gone') }, 'retired', /"gone" is retired/],
    ['a retired sender', hubs, { from: inCluster('gone'), to: inCluster('alps') }, 'retired', /"gone" is retired/],
    ['one cluster', hubs, { from, to: inCluster('alps') }, 'self', /Both ends are in "alps"/],
    ['an own pod by address', hubs, { from, to: address('10.3.0.9') }, 'self', /Both ends are in "alps"/],
    ['a Service', hubs, { from, to: inCluster('north', '10.96.0.1') }, 'not-a-pod-address', /is a Service/],
    ['an own Service', hubs, { from, to: address('10.96.0.1') }, 'not-a-pod-address', /is a Service/],
    ['an own reserved network', hubs, { from, to: address('192.168.7.1') }, 'not-a-pod-address', /that it reserves/],
    [
      'nowhere in the receiver',
      hubs,
      { from, to: inCluster('north', '8.8.8.8') },
      'not-a-pod-address',
      /in none of its pod CIDRs \(10\.1/,
    ],
    [
      'a sender that is no pod',
      hubs,
      { from: inCluster('alps', '10.9.0.1'), to: inCluster('north') },
      'not-a-pod-address',
      /no pod CIDR of "alps"/,
    ],
    ['an unused address', hubs, { from, to: address('8.8.8.8') }, 'no-route', /leaves by its default route/],
    [
      'a loopback address',
      hubs,
      { from, to: address('127.0.0.1') },
      'no-route',
      /no cluster routes it: 127\.0\.0\.0\/8 are loopback addresses/,
    ],
    [
      'a sender that the receiver has no view of',
      blind,
      { from: inCluster('rome', '10.3.0.9'), to: inCluster('hub') },
      'no-return',
      /"hub" gets the packet from 10\.3\.0\.9/,
    ],
  ])('%s', (name, model, request, kind, why) => {
    const traced = trace(model, request);
    expect([traced.fate.kind, traced.fate.why]).toEqual([kind, expect.stringMatching(why)]);
    if (!['delivered', 'self'].includes(kind)) expect(traced.fate.change).not.toBeNull();
    expectWellFormed(traced, name);
  });

  it('names every cluster that has links to both ends', () => {
    expect(trace(hubs, { from, to: inCluster('bern') }).route).toEqual({
      kind: 'through',
      hub: 'north',
      hubs: ['north', 'south'],
    });
  });

  it("of the receiver's unknown source and of a view taken for a pod", () => {
    const model = twoClusters();
    const ask = (it: string) => trace(model, { from: inCluster('x'), to: inCluster('y', it) }).fate;
    expect(ask('10.70.0.0')).toMatchObject({
      kind: 'not-a-pod-address',
      why: expect.stringContaining('unknown source'),
    });
    expect(ask('10.61.0.7')).toMatchObject({
      kind: 'not-a-pod-address',
      change: expect.stringContaining('y/10.200.0.7'),
    });
    expect(ask('10.70.0.7')).toMatchObject({
      kind: 'needs-run-time-address',
      why: expect.stringContaining('10.70.0.7'),
    });
    const unknownSource = trace(model, { from: inCluster('x'), to: { kind: 'address', address: at('10.60.0.0') } });
    expect(unknownSource.fate).toMatchObject({
      kind: 'not-a-pod-address',
      why: expect.stringContaining('unknown source'),
    });
  });

  it('of an address with two meanings', () => {
    const model = twoClusters();
    const [x, y] = [...model.clusters.values()];
    if (!x || !y) throw new Error('two clusters');
    const reserved = [{ value: { base: at('10.61.0.0'), length: 24 }, at: x.at }];
    const clusters = new Map([
      ['x', { ...x, reserved }],
      ['y', y],
    ]);
    const traced = trace(joinPeers({ ...model, clusters }), { from: inCluster('x'), to: inCluster('y') });
    expect(traced.fate).toMatchObject({
      kind: 'ambiguous',
      why: expect.stringMatching(/10\.61\.0\.10 has 2 meanings in "x": .*pods of "y".*a network that it reserves/),
    });
    expectWellFormed(traced, 'ambiguous');
  });
});

describe('through a hub that borrows from one spoke', () => {
  const lent = (sharing: string, keyless?: string) => {
    const text = `version: 1
name: europe
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  a: { podCIDR: 10.1.0.0/16, apiServer: a.example.com:6443 }
  b: { podCIDR: 10.2.0.0/16, apiServer: b.example.com:6443, gateway: 203.0.113.12 }
  hub: { podCIDR: 10.3.0.0/16, apiServer: hub.example.com:6443, gateway: 203.0.113.10 }
${sharing}`;
    const topology = { path: 'topology.yaml', text };
    const keys = keysOf(topology, (cluster, peer) => keyless !== `${cluster}/${peer}`);
    const outcome = compile({ topology, keys, lock: undefined }, { relock: [], only: [] });
    if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
    return outcome.value.model;
  };
  const one = 'sharing: [{ consumer: hub, provider: a }]';
  const fateOf = (model: SharedModel, from: string, to: string) =>
    trace(model, { from: inCluster(from), to: inCluster(to) }).fate;

  it('only pods of that spoke have an address', () => {
    const model = lent(one);
    expect(fateOf(model, 'b', 'a').kind).toBe('delivered');
    const traced = trace(model, { from: inCluster('a'), to: inCluster('b') });
    expect(traced).toMatchObject({
      fate: {
        kind: 'needs-offloading',
        why: '"hub" maps only pods that it has offloaded to "b", and the topology has no loan from "b" to "hub".',
        change: 'Add `{ consumer: hub, provider: b }` to `sharing`, or [a, b] to `peerings`.',
      },
      route: { kind: 'through', hub: 'hub' },
      received: null,
      back: [],
    });
    expect(traced.there.map((it) => it.cluster)).toContain('b');
    expectWellFormed(traced, 'a to b');
    const all = traceAll(model);
    expect(
      [...all.pairs].filter((it) => it.fate !== 'delivered').map((it) => `${it.from} ${it.to} ${it.fate}`),
    ).toEqual(['a b needs-offloading']);
    expect(all.count()).toEqual({ pairs: 6, direct: 4, through: 1 });
  });

  it('a loan in the other direction gives no address', () => {
    const model = lent('sharing: [{ consumer: b, provider: hub }]');
    expect([fateOf(model, 'a', 'b').kind, fateOf(model, 'b', 'a').kind]).toEqual([
      'needs-offloading',
      'needs-offloading',
    ]);
    expect(traceAll(model).count()).toEqual({ pairs: 6, direct: 4, through: 0 });
  });

  it('an IP resource made by hand is an address, too', () => {
    const mappings = [{ cluster: 'hub', external: at('10.128.0.5'), real: at('10.2.0.7') }];
    const model = lent(one);
    const hub = model.clusters.get('hub');
    const external = (hub?.externalCIDR.base ?? 0) + 5;
    const asked = { from: inCluster('a'), to: inCluster('b', '10.2.0.7') };
    expect(trace(model, asked).fate.kind).toBe('needs-offloading');
    expect(trace(model, { ...asked, mappings: mappings.map((it) => ({ ...it, external })) }).fate.kind).toBe(
      'delivered',
    );
  });

  it('without any loan, the topology does not say who offloads', () => {
    const model = lent('');
    expect([fateOf(model, 'a', 'b').kind, fateOf(model, 'b', 'a').kind]).toEqual(['delivered', 'delivered']);
  });

  it('a link of the two that lacks keys is the other change', () => {
    const model = lent(`${one}\npeerings: [[a, b]]\n`, 'a/b');
    expect(fateOf(model, 'a', 'b')).toMatchObject({
      kind: 'needs-offloading',
      change: 'Add `{ consumer: hub, provider: b }` to `sharing`, or keys for their link with `weft keys generate`.',
    });
  });
});
