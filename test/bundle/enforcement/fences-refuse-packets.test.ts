import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { lastAddress, type Prefix } from '../../../src/base/net/prefix.ts';
import { printAddress } from '../../../src/base/net/text.ts';
import type { Compiled } from '../../../src/compile.ts';
import { openingsInto } from '../../../src/fleet/boundaries/bounded-model.ts';
import type { AddressedCluster, Peer } from '../../../src/fleet/ipam/addressed-model.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { LAW_SEED, runsOf } from '../../support/drawn.ts';
import { nftAvailable } from '../../support/nft.ts';
import { arbitraryTerm, compiledWith, FLEETS } from './random-boundaries.ts';

/*
 * The kernel refuses what `trace` says that a fence refuses, and passes all else. The chains are those of the emitted
 * FirewallConfigurations, as Liqo loads them; the packets come out of a device that is called like the tunnel.
 */

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

const kernelRule = ({ name, match, to }: KernelRule): string =>
  `${match.map(kernelMatch).join(' ')} dnat ${to.includes('/') ? `ip prefix to ${to}` : `to ${to}`} comment "${name}"`;

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

/** Every packet of a process has a source port of its own, and a case has fewer than a hundred packets or two. */
const CASES_AT_ONCE = 300;

/** Which packets passed, after each command of each case. */
function sentThroughTheKernel(cases: readonly Pick<Case, 'commands' | 'packets'>[]): readonly boolean[][][] {
  if (cases.length === 0) return [];
  const script = new URL('send-packets.py', import.meta.url).pathname;
  const done = spawnSync('unshare', ['-n', 'python3', '-B', script], {
    input: JSON.stringify(cases.slice(0, CASES_AT_ONCE).map(({ commands, packets }) => ({ commands, packets }))),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  expect(done.stderr).toBe('');
  return [...(JSON.parse(done.stdout) as boolean[][][]), ...sentThroughTheKernel(cases.slice(CASES_AT_ONCE))];
}

interface SentWhileLoading<Name extends string> {
  readonly sent: Readonly<Record<Name, number>>;
  readonly passed: Readonly<Record<Name, number>>;
  /** Packets that were sent while a step was being loaded. */
  readonly during: number;
}

/** Sends packets of all flows without a pause while each step of each edit is loaded. */
function sentWhileLoading<Name extends string>(task: {
  readonly table: string;
  readonly edits: readonly (readonly object[])[];
  readonly flows: Readonly<Record<Name, Packet>>;
}): SentWhileLoading<Name> {
  const script = new URL('send-while-loading.py', import.meta.url).pathname;
  const input = JSON.stringify(task);
  const done = spawnSync('unshare', ['-n', 'python3', '-B', script], { input, encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return JSON.parse(done.stdout) as SentWhileLoading<Name>;
}

/** Edits of a table while packets are sent: each adds to their number. */
const EDITS = runsOf(40, 10);

const canSend = nftAvailable() && spawnSync('unshare', ['-n', 'python3', '-c', 'open("/dev/net/tun")']).status === 0;

describe.skipIf(!canSend)('a fence (needs root, nft, python3 and tun)', () => {
  it('refuses what the trace refuses, and nothing else, in both directions', { timeout: 600_000 }, () => {
    const seed = LAW_SEED ?? 20_261_128;
    const fleets = Object.values(FLEETS);
    const samples = fc.sample(fc.array(arbitraryTerm, { maxLength: 6 }), { numRuns: runsOf(200, fleets.length), seed });
    let state = seed;
    const pick = (): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 4;
    };
    const counted = { passed: 0, refused: 0 };
    const cases = samples.flatMap((terms, index) => {
      const compiled = compiledWith(fleets[index % fleets.length] ?? '', terms);
      return [...compiled.model.clusters.values()].flatMap((to) =>
        [...to.peers.values()].map((peer) => ({ terms, ...caseOf(compiled, to, peer, pick) })),
      );
    });
    const found = sentThroughTheKernel(cases);
    cases.forEach(({ terms, packets, expected }, i) => {
      const passed = found[i]?.[0] ?? [];
      const wrong = packets.filter((_, at) => passed[at] !== expected[at]);
      expect(wrong, JSON.stringify(terms)).toEqual([]);
      counted.passed += expected.filter((it) => it).length;
      counted.refused += expected.filter((it) => !it).length;
    });
    console.info(
      `fences: ${samples.length} sets of entries, ${counted.passed} packets passed, ${counted.refused} refused`,
    );
    expect(Math.min(counted.passed, counted.refused)).toBeGreaterThan(100);
  });

  describe('while entries are edited, as Liqo loads it', () => {
    /** The first entry stays; the second one gets another range each time, with the port that is sent to in all of them. */
    const edited = (edit: number): string => {
      const ports = [['80'], [`1000-${1001 + edit}`]];
      const terms = ports.map((it, index) => {
        return { from: 1, to: 0, part: index + 1, masqueraded: false, protocol: 'TCP' as const, ports: it };
      });
      return tablesIn(compiledWith(FLEETS['a star of four'] ?? '', terms).bundle.get('hub/peers/rome/rome.yaml') ?? '');
    };
    const flows = {
      refused: ['10.201.0.9', '10.200.0.9', 'udp', 5353],
      otherPort: ['10.201.3.9', '10.200.0.9', 'tcp', 80],
      staying: ['10.201.1.9', '10.200.0.9', 'tcp', 80],
      replaced: ['10.201.2.9', '10.200.0.9', 'tcp', 1000],
    } as const;
    const rulesOf = (table: string): ReadonlyMap<string, string> =>
      new Map([...table.matchAll(/^.*dnat.* comment "(.*)"$/gm)].map(([rule, name = '']) => [name, rule]));

    it('never lets in what no entry opens, and loses nothing whose entry stays', { timeout: 120_000 }, () => {
      const edits = Array.from({ length: EDITS }, (_, edit) => {
        const [was, is] = [rulesOf(edited(edit)), rulesOf(edited(edit + 1))];
        const gone = [...was.keys()].filter((it) => !is.has(it)).map((it) => ['allow', it]);
        const come = [...is].flatMap(([name, rule]) => (was.has(name) ? [] : rule));
        expect([gone.length, come.length]).toEqual([1, 1]);
        // Rules whose names are gone are deleted first; those with new names are appended afterwards.
        return [{ delete: gone }, { load: come.map((it) => `add rule ip weft-fence-rome allow ${it}\n`).join('') }];
      });
      const { sent, passed, during } = sentWhileLoading({ table: edited(0), edits, flows });
      const total = Object.values(sent).reduce((a, b) => a + b);
      const lost = sent.replaced - passed.replaced;
      console.info(`fences: ${total} packets, ${during} while a step was loaded, ${lost} of a replaced rule lost`);
      expect(total).toBeGreaterThan(EDITS * 250);
      expect(during).toBeGreaterThan(EDITS * 25);
      expect(passed).toMatchObject({ refused: 0, otherPort: 0, staying: sent.staying });
      // A rule that is replaced is gone for milliseconds: connections that begin then are refused.
      expect(passed.replaced).toBeGreaterThan(0);
      expect(passed.replaced).toBeLessThan(sent.replaced);
    });

    it('would not hold if an edit changed the chains themselves', { timeout: 120_000 }, () => {
      const table = edited(0);
      const names = ['allow', 'deny'].map((it) => `ip weft-fence-rome ${it}`);
      const gone = names.map((it) => `flush chain ${it}\ndelete chain ${it}\n`).join('');
      const edits = Array.from({ length: 4 }, () => [{ load: gone }, { load: table }]);
      expect(sentWhileLoading({ table, edits, flows }).passed.refused).toBeGreaterThan(0);
    });
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
