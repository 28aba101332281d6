/** Topologies in which one kind of list has this many entries, and everything else as few as it allows. */
export const GROWING_LISTS: Readonly<Record<string, (entries: number) => string>> = {
  'clusters of a hub': (n) => fleet({ clusters: spokes(n) }),
  'peerings, a mesh': (n) => fleet({ hub: '[]', clusters: spokes(meshOf(n)), more: listOf('peerings', pairs(n)) }),
  'shortcuts, a mesh': (n) => fleet({ clusters: spokes(meshOf(n)), more: listOf('shortcuts', pairs(n)) }),
  'order of joining': (n) => fleet({ clusters: spokes(n), more: listOf('order', names(n)) }),
  'reserved networks of one cluster': (n) =>
    fleet({
      hub: '[]',
      clusters: [`  rome: { podCIDR: 10.128.0.0/16, reserved: [${numbered(n).map(reserved).join(', ')}] }`],
    }),
  'pod networks of one cluster': (n) =>
    fleet({ hub: '[]', clusters: [`  rome: { podCIDR: [${numbered(n).map(pod).join(', ')}] }`] }),
  'labels of one cluster': (n) =>
    fleet({
      hub: '[]',
      clusters: [`  rome: { podCIDR: 10.128.0.0/16, labels: { ${numbered(n).map(label).join(', ')} } }`],
    }),
  'pools of the IPAM': (n) => fleet({ clusters: spokes(10), pools: numbered(n).map(reserved) }),
  'acceptances, of one cluster each': (n) =>
    fleet({ clusters: spokes(n), more: listOf('accept', names(n).map(acceptance)) }),
  'assertions about pairs': (n) => assertions(n, (from, to) => `{ from: ${from}, to: ${to}, expect: unreachable }`),
  'assertions without any link': (n) =>
    assertions(n, (from, to) => `{ from: ${from}, to: ${to}, expect: unreachable, without: hub }`),
  'assertions about Services': (n) =>
    assertions(
      n,
      (from) => `{ from: ${from === 'c0' ? 'c1' : from}, to: { service: n0/web, of: hub }, expect: unreachable }`,
      `${LOANS}\n${listOf('offloading', [offloading(0)])}`,
    ),
  'providers of one consumer': (n) => fleet({ clusters: spokes(n), more: listOf('sharing', names(n).map(lending)) }),
  'consumers of one provider': (n) => fleet({ clusters: spokes(n), more: listOf('sharing', names(n).map(borrowing)) }),
  'offloaded namespaces': (n) =>
    fleet({
      clusters: spokes(SOME),
      more: `${LOANS}\n${listOf(
        'offloading',
        numbered(n + 1)
          .slice(1)
          .map(offloading),
      )}`,
    }),
};

/** Clusters of a fleet that does not grow. */
const SOME = 20;

const numbered = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

interface Fleet {
  readonly hub?: string;
  readonly clusters: readonly string[];
  readonly pools?: readonly string[];
  readonly more?: string;
}

const fleet = ({ hub = 'hub', clusters, pools = [], more = '' }: Fleet): string => `version: 1
name: grown
hub: ${hub}
ipam: { carve: { from: 10.0.0.0/10, prefix: 24 }, pools: [${['10.0.0.0/8', ...pools].join(', ')}] }
defaults: { serviceCIDR: 172.16.0.0/16, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.64.0.0/16, externalCIDR: 10.65.0.0/16 }
${clusters.join('\n')}
${more}
`;

const names = (n: number): readonly string[] => numbered(n).map((i) => `c${i}`);

const spokes = (n: number): readonly string[] =>
  names(n).map((it, i) => `  ${it}: { podCIDR: ${pod(i)}, gateway: 203.1.${i >> 8}.${i & 255} }`);

/** The n-th /25 of 10.128.0.0/9. */
const pod = (n: number): string => `10.${128 + (n >> 9)}.${(n >> 1) & 255}.${(n & 1) << 7}/25`;

/** The n-th /27 of 172.20.0.0/14. */
const reserved = (n: number): string => `172.${20 + (n >> 11)}.${(n >> 3) & 255}.${(n & 7) << 5}/27`;

const label = (n: number): string => `l${n}: v`;

/** The clusters of a mesh with this many links. */
const meshOf = (links: number): number => Math.ceil((1 + Math.sqrt(1 + 8 * links)) / 2);

/** The first pairs of clusters. */
function pairs(n: number): readonly string[] {
  const found: string[] = [];
  for (let b = 1; found.length < n; b++) for (let a = 0; a < b && found.length < n; a++) found.push(`[c${a}, c${b}]`);
  return found;
}

const listOf = (key: string, entries: readonly string[]): string =>
  `${key}:\n${entries.map((it) => `  - ${it}`).join('\n')}`;

const acceptance = (name: string): string => `{ code: topology/nothing-reserved, cluster: ${name}, reason: "none" }`;
const lending = (name: string): string => `{ consumer: hub, provider: ${name} }`;
const borrowing = (name: string): string => `{ consumer: ${name}, provider: hub }`;
const offloading = (n: number): string => `{ cluster: hub, namespace: n${n}, to: c0 }`;

const LOANS = listOf('sharing', [lending('c0')]);

/** The n-th ordered pair of two different clusters, again and again. */
const assertions = (n: number, text: (from: string, to: string) => string, more = ''): string => {
  const rows = numbered(n).map((i) => {
    const [from, step] = [i % SOME, 1 + (Math.floor(i / SOME) % (SOME - 1))];
    return text(`c${from}`, `c${(from + step) % SOME}`);
  });
  return fleet({ clusters: spokes(SOME), more: `${more}\n${listOf('assertions', rows)}` });
};
