import { createHash } from 'node:crypto';

/** A fleet to measure, as the texts of its files. */
export interface BenchFleet {
  readonly links: number;
  readonly clusters: number;
  readonly topology: string;
  /** Empty: no keys file. */
  readonly keys: string;
  /** A leaf in the middle of the fleet, another one that it has a shortcut to, and their hub. */
  readonly leaf: string;
  readonly other: string;
  readonly hub: string;
  /** Topologies with one edit: another address for the gateway of the leaf, and for that of the hub. */
  readonly edits: { readonly one: string; readonly hubMoved: string };
}

/** Clusters behind one hub, so that no gateway has more tunnels than a hub of today. */
const LEAVES_PER_HUB = 90;
const SHORTCUTS_PER_HUB = 10;

/**
 * A fleet of about `links` links: hubs with 90 leaves each, which hang on the first hub. Every tenth leaf has the pod network of
 * the one before it, and every hub has ten shortcuts. All gateways have keys; Argo CD and Flux get entry points.
 */
export function benchFleet(links: number): BenchFleet {
  const perHub = LEAVES_PER_HUB + SHORTCUTS_PER_HUB;
  const hubs = Math.max(1, Math.round(links / (perHub + 1)));
  const clusters: string[] = [];
  const shortcuts: string[] = [];
  const ends: [string, string][] = [];
  let network = 0;
  // All networks are in 10.0.0.0/8.
  const isNarrow = links > 16_000;
  const nextPod = (): string => (isNarrow ? narrowNetwork : podNetwork)(network++);
  for (let h = 0; h < hubs; h++) {
    const hub = `hub-${h}`;
    const above = h === 0 ? '[]' : '[hub-0]';
    // A block has too few addresses for some three hundred hubs below the first one.
    const external = isNarrow && h === 0 ? ', externalCIDR: 10.64.0.0/20' : '';
    clusters.push(`  ${hub}: { podCIDR: ${nextPod()}, gateway: ${gatewayOf(h)}${external}, hub: ${above} }`);
    if (h > 0) ends.push([hub, 'hub-0']);
    for (let l = 0; l < LEAVES_PER_HUB; l++) {
      const leaf = `leaf-${h}-${l}`;
      if (l % 10 === 9) network--;
      // Every other leaf can be dialled, as a shortcut needs one end that can.
      const gateway = l % 2 === 0 ? `, gateway: ${gatewayOf(hubs + h * LEAVES_PER_HUB + l)}` : '';
      clusters.push(`  ${leaf}: { podCIDR: ${nextPod()}, hub: [${hub}]${gateway} }`);
      ends.push([leaf, hub]);
    }
    for (let s = 0; s < SHORTCUTS_PER_HUB; s++) {
      const pair: [string, string] = [`leaf-${h}-${4 * s}`, `leaf-${h}-${4 * s + 2}`];
      shortcuts.push(`  - [${pair.join(', ')}]`);
      ends.push(pair);
    }
  }
  const middle = Math.floor(hubs / 2);
  const topology = `version: 1
name: bench
hub: []
gitops: { repository: "https://github.com/example/fleet" }
ipam: { carve: { from: 10.0.0.0/10, prefix: ${isNarrow ? 25 : 24} } }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
${clusters.join('\n')}
shortcuts:
${shortcuts.join('\n')}
`;
  const leafGateway = gatewayOf(hubs + middle * LEAVES_PER_HUB + 4);
  return {
    links: ends.length,
    clusters: clusters.length,
    topology,
    keys: keysFile(ends),
    leaf: `leaf-${middle}-4`,
    other: `leaf-${middle}-6`,
    hub: `hub-${middle}`,
    edits: {
      one: moved(topology, leafGateway, '198.51.100.77'),
      hubMoved: moved(topology, gatewayOf(middle), '198.51.100.78'),
    },
  };
}

/** One hub that dials this many spokes, without keys: a test of the solver. */
export function wideFleet(spokes: number): string {
  const rows = Array.from(
    { length: spokes },
    (_, i) => `  spoke-${i}: { podCIDR: ${tinyNetwork(i % 10 === 9 ? i - 1 : i)}, gateway: ${gatewayOf(i)} }`,
  );
  return `version: 1
name: wide
hub: hub
ipam: { carve: { from: 10.0.0.0/10, prefix: 26 } }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.64.0.0/16, externalCIDR: 10.65.0.0/16 }
${rows.join('\n')}
`;
}

/** The n-th /23 of 10.128.0.0/9. */
const podNetwork = (n: number): string => `10.${128 + (n >> 7)}.${(n & 127) << 1}.0/23`;

/** The n-th /24 of 10.128.0.0/9. */
const narrowNetwork = (n: number): string => `10.${128 + (n >> 8)}.${n & 255}.0/24`;

/** The n-th /25 of 10.128.0.0/9. */
const tinyNetwork = (n: number): string => `10.${128 + (n >> 9)}.${(n >> 1) & 255}.${(n & 1) << 7}/25`;

const gatewayOf = (n: number): string => `203.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

function keysFile(ends: readonly (readonly [string, string])[]): string {
  const rows = new Map<string, string[]>();
  for (const [a, b] of ends) {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const key = createHash('sha256').update(`${one} ${other}`).digest('base64');
      rows.set(one, [...(rows.get(one) ?? []), `    ${other}: ${key}`]);
    }
  }
  const text = [...rows].sort().map(([cluster, peers]) => `  ${cluster}:\n${peers.sort().join('\n')}`);
  return `version: 1\nkeys:\n${text.join('\n')}\n`;
}

/** The topology with another address for one gateway. */
function moved(topology: string, from: string, to: string): string {
  const row = new RegExp(`gateway: ${from.replaceAll('.', '\\.')}(?=[ ,])`);
  if (!row.test(topology)) throw new Error(`no gateway has the address ${from}`);
  return topology.replace(row, `gateway: ${to}`);
}
