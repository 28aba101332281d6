import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { lastAddress, type Prefix } from '../../../src/base/net/prefix.ts';
import { printAddress } from '../../../src/base/net/text.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { openingsInto } from '../../../src/fleet/boundaries/bounded-model.ts';
import type { AddressedCluster, Peer } from '../../../src/fleet/ipam/addressed-model.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { LAW_SEED, runsOf } from '../../support/drawn.ts';
import { keysOf } from '../../support/keys-of.ts';
import { nftAvailable } from '../../support/nft.ts';

/*
 * The kernel refuses what `trace` says that a fence refuses, and passes all else. The chains are those of the emitted
 * FirewallConfigurations, as Liqo loads them; the packets come out of a device that is called like the tunnel.
 */

const START =
  'version: 1\nname: fleet\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, boundary: closed }\n';
const GATEWAYS = (pods: readonly string[], more: readonly string[] = []) =>
  `clusters:\n${pods.map((it, i) => `  ${NAMES[i]}: { podCIDR: ${it}, gateway: 203.0.113.${i + 1}${more[i] ?? ''} }\n`).join('')}`;
const NAMES = ['hub', 'rome', 'milan', 'turin'] as const;

const FLEETS: Readonly<Record<string, string>> = {
  'a star of four': `${START}hub: hub\n${GATEWAYS(['10.200.0.0/16', '10.201.0.0/16', '10.202.0.0/16', '10.203.0.0/16'])}`,
  'equal networks everywhere': `${START}hub: hub\n${GATEWAYS(Array(4).fill('10.202.0.0/16'))}shortcuts: [[rome, milan], [milan, turin]]\n`,
  'several pod networks': `${START}hub: hub\n${GATEWAYS(['10.200.0.0/16', '[10.201.0.0/16, 10.211.0.0/20]', '[10.202.0.0/18, 10.202.64.0/18]'])}shortcuts: [[rome, milan]]\n`,
  'Liqo 1.1': `${START}liqo: { version: "1.1" }\nhub: hub\n${GATEWAYS(Array(3).fill('10.244.0.0/16'))}shortcuts: [[rome, milan]]\n`,
  'a cluster that masquerades its pods': `${START}hub: hub\n${GATEWAYS(['10.200.0.0/16', '10.201.0.0/16', '10.202.0.0/16'], ['', ', cni: aws-vpc'])}`,
  'a mesh with an open link': `${START}${GATEWAYS(['10.200.0.0/16', '10.200.0.0/16', '10.202.0.0/16'])}peerings: [[hub, rome], [rome, milan], { between: [hub, milan], boundary: open }]\n`,
};

interface Term {
  readonly from: number;
  readonly to: number;
  readonly part: number | null;
  readonly masqueraded: boolean;
  readonly protocol: 'TCP' | 'UDP' | null;
  readonly ports: readonly string[];
}

const port = fc.oneof(
  fc.integer({ min: 1, max: 65_535 }).map(String),
  fc.integer({ min: 1, max: 60_000 }).map((it) => `${it}-${it + 100}`),
);
const term: fc.Arbitrary<Term> = fc.record({
  from: fc.nat(3),
  to: fc.nat(3),
  part: fc.option(fc.nat(255)),
  masqueraded: fc.boolean(),
  protocol: fc.constantFrom('TCP', 'UDP', null),
  ports: fc.array(port, { maxLength: 3 }),
});

/** The fleet with these entries; those that no fleet accepts are left out one by one. */
function compiledWith(fleet: string, terms: readonly Term[]): Compiled {
  const count = [...fleet.matchAll(/podCIDR/g)].length;
  const pods = [...fleet.matchAll(/podCIDR: \[?([\d.]+)\.\d+\.\d+\//g)].map((it) => it[1] ?? '');
  const entries = terms.map((it) => {
    const [from, to] = [it.from % count, it.to % count];
    const part = it.part === null || it.masqueraded ? '' : `fromCIDR: ${pods[from]}.${it.part % 16}.0/24, `;
    const ports = it.ports.length === 0 ? '' : `ports: [${it.ports.join(', ')}], `;
    const protocol = it.protocol === null ? '' : `protocol: ${it.protocol}, `;
    return `  - { from: ${NAMES[from]}, ${part}${ports}${protocol}masqueraded: ${it.masqueraded}, to: ${NAMES[to]} }\n`;
  });
  const whole = attempt(fleet, entries);
  if (whole !== undefined) return whole;
  let kept: readonly string[] = [];
  let last = attempt(fleet, kept);
  for (const it of entries) {
    const next = attempt(fleet, [...kept, it]);
    if (next === undefined) continue;
    [kept, last] = [[...kept, it], next];
  }
  if (last === undefined) throw new Error(`the fleet has errors: ${fleet}`);
  return last;
}

function attempt(fleet: string, entries: readonly string[]): Compiled | undefined {
  const topology = {
    path: 'topology.yaml',
    text: `${fleet}boundaries:${entries.length === 0 ? ' []\n' : `\n${entries.join('')}`}`,
  };
  const result = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
  return result.ok ? result.value : undefined;
}

interface KernelRule {
  readonly name: string;
  readonly to: string;
  readonly match: readonly { readonly op: string; readonly [what: string]: unknown }[];
}

/** The tables of a file as Liqo's gateways load them. Source: liqotech/liqo@v1.2.0 pkg/firewall/utils/{match,natrule}.go. */
function tablesIn(text: string): string {
  const objects = parseAllDocuments(text).map((it) => it.toJS());
  return objects
    .filter((it) => it.kind === 'FirewallConfiguration')
    .map(({ spec: { table } }) => {
      const chains = table.chains.map(
        (it: { name: string; priority: number; rules: { natRules: readonly KernelRule[] } }) =>
          `chain ${it.name} { type nat hook prerouting priority ${it.priority}; policy accept;\n${it.rules.natRules.map(kernelRule).join('\n')}\n}`,
      );
      return `table ip ${table.name} {\n${chains.join('\n')}\n}\n`;
    })
    .join('');
}

const kernelRule = ({ match, to }: KernelRule): string =>
  `${match.map(kernelMatch).join(' ')} dnat ${to.includes('/') ? `ip prefix to ${to}` : `to ${to}`}`;

function kernelMatch({ op, ip, proto, port: ports, dev }: KernelRule['match'][number]): string {
  const part = (ip ?? proto ?? ports ?? dev) as { position: string; value: string };
  if (ip) return `ip ${part.position === 'src' ? 'saddr' : 'daddr'} ${op === 'neq' ? '!= ' : ''}${part.value}`;
  if (proto) return `meta l4proto ${part.value}`;
  return ports ? `th ${part.position === 'dst' ? 'd' : 's'}port ${part.value}` : `iifname "${part.value}"`;
}

type Packet = readonly [source: string, destination: string, protocol: 'tcp' | 'udp', port: number];

interface Case {
  readonly commands: readonly string[];
  readonly packets: readonly Packet[];
  readonly expected: readonly boolean[];
}

/** Packets from one cluster to another with the fate that the trace finds; their addresses are those in the tunnel. */
function caseOf({ model, bundle }: Compiled, to: AddressedCluster, peer: Peer, pick: () => number): Case {
  const from = peer.cluster;
  const openings = openingsInto(model, to.name).get(from.name) ?? [];
  const any = (network: Prefix): number => network.base + (pick() % (lastAddress(network) - network.base + 1));
  const sources = [...from.podCIDRs.map((it) => it.value), ...openings.flatMap((it) => it.sources)].filter(
    (it) => it.base !== from.externalCIDR.base,
  );
  const ports = openings.flatMap((it) => it.ports.flatMap(({ first, last }) => [first - 1, first, last, last + 1]));
  const numbers = [443, ...ports].filter((it) => it > 0 && it < 65_536);
  const chosen = [...sources, null].flatMap((source) =>
    to.podCIDRs.flatMap(({ value }) =>
      numbers.flatMap((number) => (['tcp', 'udp'] as const).map((protocol) => ({ source, value, number, protocol }))),
    ),
  );
  const flows = chosen.map(({ source, value, number, protocol }) => {
    const [address, target] = [source === null ? null : any(source), any(value)];
    const { fate, route } = trace(model, {
      from: { cluster: from.name, address },
      to: { kind: 'cluster', cluster: to.name, address: target, port: number },
      fromNode: address === null,
      protocol,
    });
    // On EKS pods have the address of nodes outside of their cluster.
    const inTunnel = address === null || from.fabric.fullMasquerade ? from.externalCIDR.base : address;
    const packet: Packet = [printAddress(inTunnel), printAddress(target), protocol, number];
    return { packet, passes: fate.kind === 'delivered' && route.kind === 'direct' };
  });
  const closed = openingsInto(model, to.name).has(from.name);
  const always: readonly (typeof flows)[number][] = [
    { packet: ['169.254.18.2', '169.254.18.1', 'udp', 12_345], passes: true },
    {
      packet: [printAddress(from.externalCIDR.base), printAddress(to.externalCIDR.base + 5), 'tcp', 6443],
      passes: true,
    },
    { packet: ['198.51.100.7', printAddress(to.podCIDRs[0]?.value.base ?? 0), 'tcp', 443], passes: !closed },
  ];
  const all = [...flows, ...always];
  return {
    commands: [tablesIn(bundle.get(`${to.name}/peers/${peer.name}/${peer.name}.yaml`) ?? '')],
    packets: all.map((it) => it.packet),
    expected: all.map((it) => it.passes),
  };
}

/** Which packets passed, after each command of each case. */
function sentThroughTheKernel(cases: readonly Pick<Case, 'commands' | 'packets'>[]): readonly boolean[][][] {
  const script = new URL('send-packets.py', import.meta.url).pathname;
  const done = spawnSync('unshare', ['-n', 'python3', script], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  expect(done.stderr).toBe('');
  return JSON.parse(done.stdout) as boolean[][][];
}

const canSend = nftAvailable() && spawnSync('unshare', ['-n', 'python3', '-c', 'open("/dev/net/tun")']).status === 0;

describe.skipIf(!canSend)('a fence (needs root, nft, python3 and tun)', () => {
  it('refuses what the trace refuses, and nothing else, in both directions', { timeout: 1_800_000 }, () => {
    const seed = LAW_SEED ?? 20_261_128;
    const samples = fc.sample(fc.array(term, { maxLength: 6 }), { numRuns: runsOf(200, 12), seed });
    const fleets = Object.values(FLEETS);
    let state = seed;
    const pick = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 4;
    };
    const counted = { passed: 0, refused: 0 };
    samples.forEach((terms, index) => {
      const fleet = fleets[index % fleets.length] ?? '';
      const compiled = compiledWith(fleet, terms);
      const cases = [...compiled.model.clusters.values()].flatMap((to) =>
        [...to.peers.values()].map((peer) => caseOf(compiled, to, peer, pick)),
      );
      const found = sentThroughTheKernel(cases);
      cases.forEach(({ packets, expected }, i) => {
        const passed = found[i]?.[0] ?? [];
        const wrong = packets.filter((_, at) => passed[at] !== expected[at]);
        expect(wrong, JSON.stringify(terms)).toEqual([]);
        counted.passed += expected.filter((it) => it).length;
        counted.refused += expected.filter((it) => !it).length;
      });
    });
    console.info(
      `fences: ${samples.length} sets of entries, ${counted.passed} packets passed, ${counted.refused} refused`,
    );
    expect(Math.min(counted.passed, counted.refused)).toBeGreaterThan(100);
  });

  it('lets nothing through while an entry is edited, at no step of what Liqo does', { timeout: 1_800_000 }, () => {
    const table = (port: number): string =>
      tablesIn(
        compiledWith(FLEETS['a star of four'] ?? '', [
          { from: 1, to: 0, part: null, masqueraded: false, protocol: 'TCP', ports: [String(port)] },
        ]).bundle.get('hub/peers/rome/rome.yaml') ?? '',
      );
    const lineOf = (port: number): string => /^.*th dport.*$/m.exec(table(port))?.[0] ?? '';
    // Liqo deletes the rules whose names are gone in a first step, and appends new ones in a second.
    const commands = [table(1000)];
    for (let i = 0; i < 40; i++) {
      const handle = `flush chain ip weft-fence-rome allow\nadd rule ip weft-fence-rome allow iifname "liqo-tunnel" ip daddr 169.254.18.0/30 dnat ip prefix to 169.254.18.0/30\n`;
      commands.push(handle, `add rule ip weft-fence-rome allow ${lineOf(1001 + i)}\n`);
    }
    const packets = Array.from(
      { length: 130 },
      (_, i): Packet => ['10.201.0.9', '10.200.0.9', i % 2 ? 'tcp' : 'udp', 2000 + i],
    );
    const [found = []] = sentThroughTheKernel([{ commands, packets }]);
    expect(found.flat().length).toBeGreaterThan(10_000);
    expect(found.flat().filter((it) => it)).toEqual([]);
  });

  it('would not hold with its second chain first', () => {
    const text = tablesIn(
      compiledWith(FLEETS['a star of four'] ?? '', [
        { from: 1, to: 0, part: null, masqueraded: false, protocol: 'TCP', ports: ['80'] },
      ]).bundle.get('hub/peers/rome/rome.yaml') ?? '',
    );
    const packets: readonly Packet[] = [['10.201.0.9', '10.200.0.9', 'tcp', 80]];
    const reversed = text.replace('priority -110', 'priority -130');
    expect(
      sentThroughTheKernel([
        { commands: [text], packets },
        { commands: [reversed], packets },
      ]),
    ).toEqual([[[true]], [[false]]]);
  });
});
