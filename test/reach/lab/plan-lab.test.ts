import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printLinkId } from '../../../src/base/core/lock-key.ts';
import { oncePerText } from '../../../src/base/core/once.ts';
import { containsAddress, moveHost, overlaps } from '../../../src/base/net/prefix.ts';
import { printAddress } from '../../../src/base/net/text.ts';
import { translatesSourcesWrongly } from '../../../src/base/releases/release.ts';
import { compile } from '../../../src/compile.ts';
import type { AddressedCluster, AddressedModel } from '../../../src/fleet/ipam/addressed-model.ts';
import type { LabPlan, Probe } from '../../../src/reach/lab/lab-plan.ts';
import { deviceToGateway, deviceToNode, labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import {
  cablesBatch,
  hasShakenHands,
  namespaceScript,
  namespacesBatch,
  temporaryDevice,
  tunnelSettings,
} from '../../../src/reach/lab/print-scripts.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { withEndNames } from '../../support/end-names.ts';
import { keyedFleet, keyedFleetNames } from '../../support/fleets.ts';
import { goldenSources } from '../../support/golden.ts';
import { keysOf } from '../../support/keys-of.ts';

const fleet = oncePerText((name) => {
  const found = keyedFleet(name);
  return { ...found, plan: planLab(labScope(found.compiled.model, [])) };
});

/** Words of a topology by which its lab has other parts. */
const SETTINGS =
  /\b(?:externalCIDR|internalCIDR|carve|cni|distribution|platform|provider|peerings|shortcuts|boundary|policies|tiers?|nodePorts?|ports?|LoadBalancer|dial|mtu|retired|server|template)\b|version: "[\d.]+"|podCIDR: \[/g;

/** On a push, one of those with the same settings. */
const fleets = drawn(
  keyedFleetNames(),
  firstOfEach((name) => [...new Set(goldenSources(name).topology.text.match(SETTINGS))].sort().join()),
).map(fleet);

const clusterOf = (model: AddressedModel, name: string) => {
  const found = model.clusters.get(name);
  if (!found) throw new Error(`no cluster ${name}`);
  return found;
};

/** A plan as text: the scripts without the texts of rulesets, and the probes. */
function planText(plan: LabPlan): string {
  const scripts = plan.namespaces.map((it) => {
    const script = namespaceScript(plan, { ...it, rulesets: [] }, 'run');
    return [`== in ${it.name}`, script.trimEnd(), ...it.rulesets.map((rules) => `load ${rules.name}`), ''].join('\n');
  });
  const probes = plan.probes.map(({ flow, protocol, sizeBytes }) =>
    [
      `${flow.from} (${flow.sender} ${printAddress(flow.source)}) dials ${printAddress(flow.dialled)}`,
      `${flow.hub === null ? '' : `through ${flow.hub} `}by ${protocol} (${sizeBytes} bytes):`,
      `${flow.to} sees ${printAddress(flow.expected.source)} at ${printAddress(flow.expected.destination)}`,
    ].join(' '),
  );
  const tunnels = plan.tunnels.map((it) => {
    const { end } = it;
    const what =
      end.kind === 'server'
        ? `listens on ${end.listenPort}`
        : `dials ${printAddress(end.dial.address)}:${end.dial.port}`;
    return `${it.namespace}: ${it.link}, MTU ${it.mtuBytes}, ${printAddress(it.address)}, ${what}`;
  });
  const parts = { namespaces: namespacesBatch(plan, 'run'), cables: cablesBatch(plan, 'run') };
  return [
    ...['== namespaces', parts.namespaces, '== cables', parts.cables, ...scripts],
    ...['== tunnels', ...tunnels, '', '== probes', ...probes, ''],
  ].join('\n');
}

function expectRecorded(name: string, text: string): void {
  const path = new URL(`plans/${name}.txt`, import.meta.url).pathname;
  if (process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '(not recorded)');
}

describe('the plan of a lab', () => {
  it.each(['deck-two-one-pod-cidr-everywhere', 'equal-networks-everywhere-are-remapped'])('is recorded: %s', (name) => {
    expectRecorded(name, planText(fleet(name).plan));
  });

  it.each(fleets.map((it) => [it.name, it] as const))('loads every emitted ruleset, byte for byte: %s', (_, it) => {
    const emitted = [...it.compiled.bundle].filter(([path]) => path.endsWith('.nft'));
    const loaded = it.plan.namespaces.flatMap((ns) => ns.rulesets).filter(({ name }) => name.endsWith('.nft'));
    expect(new Map(loaded.map(({ name, text }) => [name, text]))).toEqual(new Map(emitted));
  });

  it.each(fleets.map((it) => [it.name, it] as const))('refers only to what it creates: %s', (_, { plan }) => {
    const names = plan.namespaces.map((it) => it.name);
    expect(new Set(names).size).toBe(names.length);
    const ends = plan.cables.flatMap((it) => it.ends);
    expect(new Set(ends.map((it) => `${it.namespace} ${it.device}`)).size).toBe(ends.length);
    for (const it of ends) {
      expect(names).toContain(it.namespace);
      expect(it.device.length).toBeLessThanOrEqual(15);
    }
    for (const it of plan.namespaces) {
      const devices = [
        'lo',
        'liqo-tunnel',
        ...ends.filter((end) => end.namespace === it.name).map((end) => end.device),
      ];
      for (const { device } of [...it.routes, ...it.addresses]) expect(devices).toContain(device);
      const tables = it.routes.map((route) => route.table);
      for (const { table } of it.rules) expect(tables).toContain(table);
      const scoped = it.routes.map((route) => `${route.table} ${route.to.base}/${route.to.length}`);
      expect(new Set(scoped).size, it.name).toBe(scoped.length);
    }
  });

  it.each(fleets.map((it) => [it.name, it] as const))(
    'gives a tunnel two ends that fit: %s',
    (_, { plan, compiled }) => {
      for (const link of compiled.model.links) {
        const [one, other, ...more] = plan.tunnels.filter((it) => it.link === printLinkId(link.id));
        expect(more).toEqual([]);
        expect([one?.end.kind, other?.end.kind].sort()).toEqual(['client', 'server']);
        expect([one?.mtuBytes, other?.mtuBytes]).toEqual([link.mtuBytes, link.mtuBytes]);
        const client = [one, other].find((it) => it?.end.kind === 'client');
        expect(client?.end).toMatchObject({ dial: { port: link.endpoint.port } });
        expect(client?.namespace.startsWith(`${link.client.cluster.name}.`)).toBe(true);
      }
      expect(plan.tunnels.length).toBe(compiled.model.links.length * 2);
    },
  );

  it.each(fleets.map((it) => [it.name, it] as const))(
    'keeps the underlay apart from all else: %s',
    (_, { plan, compiled }) => {
      const outer = plan.namespaces.flatMap((it) => it.addresses.filter(({ device }) => device === 'eth0'));
      const networks = [...compiled.model.clusters.values()].flatMap((it) => [
        ...it.podCIDRs.map((cidr) => cidr.value),
        it.externalCIDR,
        it.internalCIDR,
        ...[...it.peers.values()].flatMap((peer) => [...peer.podViews, peer.externalView].map((view) => view.seenAs)),
      ]);
      for (const { address } of outer)
        expect(networks.some((it) => overlaps(it, { base: address, length: 32 }))).toBe(false);
      expect(new Set(outer.map((it) => it.address)).size).toBe(plan.tunnels.length);
    },
  );

  it.each(fleets.map((it) => [it.name, it] as const))(
    'expects the addresses of both views: %s',
    (_, { plan, compiled }) => {
      const { model } = compiled;
      for (const { flow } of plan.probes) {
        const near = clusterOf(model, flow.hub ?? flow.from);
        const receiver = clusterOf(model, flow.to);
        const back = receiver.peers.get(near.name);
        // On EKS a node translates pods, too.
        const isPod = flow.hub === null && flow.sender === 'pod' && !near.fabric.fullMasquerade;
        const index = near.podCIDRs.findIndex((it) => containsAddress(it.value, flow.source));
        const view = isPod ? back?.podViews[index] : back?.externalView;
        const onTheWay = isPod ? flow.source : near.externalCIDR.base;
        // Up to 1.0.0 the rules look for the networks of the receiver itself, and leave other sources as they are.
        const own = isPod ? receiver.podCIDRs[0]?.value : receiver.externalCIDR;
        const isMissed = translatesSourcesWrongly(receiver.release) && !(own && containsAddress(own, onTheWay));
        expect(flow.expected.source).toBe(isMissed ? onTheWay : view && moveHost(onTheWay, view.seenAs));
        expect(receiver.podCIDRs.some((it) => containsAddress(it.value, flow.expected.destination))).toBe(true);
      }
    },
  );

  it.each(fleets.map((it) => [it.name, it] as const))(
    'sends both ways over every link, by every protocol: %s',
    (_, it) => {
      const sent = (from: string, to: string, { flow }: Probe) =>
        flow.hub === null && flow.from === from && flow.to === to;
      for (const { server, client } of it.compiled.model.links.map(withEndNames)) {
        for (const [from, to] of [[server, client] as const, [client, server] as const]) {
          if (isLost(it.plan, from, to)) {
            // With the rules of 1.0.0 and before, a pod gets no answer from a cluster that remaps it.
            expect(translatesSourcesWrongly(clusterOf(it.compiled.model, to).release)).toBe(true);
            continue;
          }
          const probes = it.plan.probes.filter((probe) => sent(from, to, probe));
          expect(new Set(probes.map((probe) => probe.protocol))).toEqual(new Set(['tcp', 'udp', 'icmp', 'full']));
        }
      }
    },
  );

  it('gives pings to one receiver different lengths', () => {
    for (const { plan } of fleets) {
      const pings = plan.probes.filter((it) => it.protocol === 'icmp').map((it) => `${it.flow.to} ${it.sizeBytes}`);
      expect(new Set(pings).size).toBe(pings.length);
    }
  });

  it('uses the hub between leaves without a link, and not between others', () => {
    const { plan } = fleet('equal-networks-everywhere-are-remapped');
    const through = plan.probes.filter((it) => it.flow.hub !== null);
    expect(through.length).toBeGreaterThan(0);
    const direct = new Set(
      plan.probes.filter((it) => it.flow.hub === null).map((it) => `${it.flow.from} ${it.flow.to}`),
    );
    for (const { flow } of through) expect(direct.has(`${flow.from} ${flow.to}`)).toBe(false);
  });

  it('sends nothing to pods for which the hub has no address left', () => {
    const topology = {
      path: 'topology.yaml',
      text: `version: 1
name: small
hub: hub
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { externalCIDR: 10.77.0.0/24, gateway: 203.0.113.1 }
  leaf1: { podCIDR: 10.201.0.0/16 }
  leaf2: {}
`,
    };
    const compiled = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: [] });
    if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
    // A topology with so few addresses does not compile, but pods that are offloaded can use up any number of them.
    const hub = compiled.value.model.clusters.get('hub') as AddressedCluster;
    Object.defineProperty(hub, 'externalCIDR', { value: { ...hub.externalCIDR, length: 31 } });
    const plan = planLab(labScope(compiled.value.model, []));
    expect(plan.probes.filter((it) => it.flow.hub !== null).map((it) => it.flow.to)).toEqual([
      'leaf2',
      'leaf2',
      'leaf2',
    ]);
    expect(plan.unsent).toEqual([{ kind: 'unsent', from: 'leaf2', to: 'leaf1', fate: 'needs-run-time-address' }]);
  });

  it('gives devices names of at most 15 characters, however many there are', () => {
    expect(temporaryDevice('abcdef', 36 ** 4).length).toBeLessThanOrEqual(15);
    expect(deviceToGateway(99_999).length).toBeLessThanOrEqual(15);
    expect(deviceToNode(2).startsWith('liqo.')).toBe(true);
  });
});

describe('a link without keys', () => {
  const topology = {
    path: 'topology.yaml',
    text: `version: 1
name: small
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.1 }
  leaf1: { podCIDR: 10.201.0.0/16 }
  leaf2: { podCIDR: 10.202.0.0/16 }
  leaf3: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.3 }
shortcuts: [[leaf2, leaf3]]
`,
  };

  it('is not built, and packets take the way that is left or none', () => {
    const keys = keysOf(topology, (it, peer) => !['leaf1/hub', 'leaf3/leaf2'].includes(`${it}/${peer}`));
    const compiled = compile({ topology, keys, lock: undefined }, { relock: [], only: [] });
    if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
    const scope = labScope(compiled.value.model, []);
    const { tunnels, probes, unsent } = planLab(scope);
    expect([...new Set(tunnels.map((it) => it.link))]).toEqual(['leaf2/hub', 'leaf3/hub']);
    const ways = probes.map(({ flow }) => `${flow.from} ${flow.to} ${flow.hub ?? 'direct'}`);
    expect([...new Set(ways)].sort()).toEqual([
      'hub leaf2 direct',
      'hub leaf3 direct',
      'leaf2 hub direct',
      'leaf2 leaf3 hub',
      'leaf3 hub direct',
      'leaf3 leaf2 hub',
    ]);
    expect(unsent.map(({ from, to, fate }) => `${from} ${to} ${fate}`)).toEqual([
      'hub leaf1 no-keys',
      'leaf1 hub no-keys',
    ]);
  });
});

describe('the part of a fleet that is built', () => {
  const { model } = fleet('two-hubs-with-tiers').compiled;
  const namesOf = (...names: readonly string[]) => {
    const scope = labScope(model, names);
    return [scope.clusters.map((it) => it.cluster.name), scope.links.map((it) => printLinkId(it.id)).sort()];
  };

  it('is all of it without a name', () => {
    expect(namesOf()).toEqual([
      ['alps', 'bern', 'como', 'lab', 'north', 'south'],
      model.links.map((it) => printLinkId(it.id)).sort(),
    ]);
  });

  it('is a cluster with its peers for one name', () => {
    expect(namesOf('lab')).toEqual([['lab', 'north'], ['lab/north']]);
  });

  it('is the links between the clusters for several names', () => {
    expect(namesOf('bern', 'como', 'lab')).toEqual([['bern', 'como'], ['bern/como']]);
    expect(namesOf('bern', 'lab')).toEqual([[], []]);
  });
});

describe('the settings of a tunnel', () => {
  const keys = { privateKey: `${'A'.repeat(42)}E=`, peerPublicKey: `/${'A'.repeat(42)}=` };
  const { plan } = fleet('deck-two-one-pod-cidr-everywhere');

  it('are those of the compiled roles', () => {
    const [server] = plan.tunnels.filter((it) => it.end.kind === 'server');
    const [client] = plan.tunnels.filter((it) => it.end.kind === 'client');
    if (!server || !client) throw new Error('a tunnel has two ends');
    expect(tunnelSettings(server, keys)).toBe(`set=1
private_key=${'0'.repeat(63)}1
listen_port=51840
replace_peers=true
public_key=fc${'0'.repeat(62)}
replace_allowed_ips=true
allowed_ip=0.0.0.0/0

`);
    expect(tunnelSettings(client, keys)).toMatch(/endpoint=203\.0\.113\.\d:\d+\npersistent_keepalive_interval=25\n\n$/);
  });

  it('recognise a handshake', () => {
    expect(hasShakenHands('last_handshake_time_sec=0\nerrno=0\n\n')).toBe(false);
    expect(hasShakenHands('last_handshake_time_sec=1760000000\nerrno=0\n\n')).toBe(true);
  });
});

const isLost = ({ unsent }: LabPlan, from: string, to: string): boolean =>
  unsent.some((it) => it.from === from && it.to === to && it.fate === 'no-return');
