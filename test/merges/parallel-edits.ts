import { createHash } from 'node:crypto';

/** The two files that people and `weft keys generate` edit. */
export interface FleetTexts {
  readonly topology: string;
  readonly keys: string;
}

export type Edit = (texts: FleetTexts) => FleetTexts;

export interface Pair {
  readonly name: string;
  readonly left: Edit;
  readonly right: Edit;
}

const LEAVES = ['athens', 'berlin', 'cairo', 'dublin', 'geneva', 'lima', 'milan', 'oslo', 'rome', 'turin', 'vienna'];

const leaf = (name: string, octet: number): string =>
  `  ${name}: { podCIDR: 10.${octet}.0.0/16, gateway: { addresses: [203.0.113.${octet}] } }`;

/** Two hubs and eleven leaves of the first, one line per cluster, link and key. */
export const BASE: FleetTexts = {
  topology: [
    'version: 1',
    'name: world',
    'hub: europe',
    'defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }',
    'order:',
    '  - athens',
    '  - oslo',
    'clusters:',
    '  asia: { podCIDR: 10.199.0.0/16, gateway: 203.0.113.199, hub: [] }',
    '  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.200 }',
    ...LEAVES.map((name, i) => leaf(name, 20 + 4 * i)),
    'peerings:',
    '  - [asia, europe]',
    'shortcuts:',
    '  - [athens, berlin]',
    '  - [lima, milan]',
    '  - [turin, vienna]',
    '',
  ].join('\n'),
  keys: [
    'version: 1',
    'keys:',
    ...['asia', ...LEAVES].flatMap((name) => [`  ${name}:`, `    europe: ${publicKey(`${name}/europe`)}`]),
    '  europe:',
    ...['asia', ...LEAVES].map((name) => `    ${name}: ${publicKey(`europe/${name}`)}`),
    '',
  ].join('\n'),
};

function publicKey(seed: string): string {
  return createHash('sha256').update(seed).digest('base64');
}

const onTopology =
  (edit: (lines: readonly string[]) => readonly string[]): Edit =>
  (it) => ({ ...it, topology: edit(it.topology.split('\n')).join('\n') });

/** A line of the clusters, in the place that its name has among them. */
const add = (name: string, octet: number): Edit =>
  onTopology((lines) => {
    const at = lines.findIndex((it) => /^ {2}[a-z]+:/.test(it) && it.trim() > name);
    const place = at === -1 ? lines.indexOf('peerings:') : at;
    return [...lines.slice(0, place), leaf(name, octet), ...lines.slice(place)];
  });

/** The cluster, its shortcuts, its place in `order` and its keys. */
const remove =
  (name: string): Edit =>
  (it) => ({
    topology: it.topology
      .split('\n')
      .filter((line) => !new RegExp(`^  ${name}:|^  - .*\\b${name}\\b`).test(line))
      .join('\n'),
    keys: it.keys
      .replace(new RegExp(`^  ${name}:\\n    europe: .*\\n`, 'm'), '')
      .replace(new RegExp(`^    ${name}: .*\\n`, 'm'), ''),
  });

const change = (name: string, from: string | RegExp, to: string): Edit =>
  onTopology((lines) => lines.map((it) => (it.startsWith(`  ${name}:`) ? it.replace(from, to) : it)));

const mtu = (name: string, bytes: number): Edit => change(name, '] } }', `], mtu: ${bytes} } }`);

const after = (line: string, added: string): Edit =>
  onTopology((lines) => lines.flatMap((it) => (it === line ? [it, added] : [it])));

const newKey =
  (name: string): Edit =>
  (it) => ({ ...it, keys: it.keys.replace(publicKey(`${name}/europe`), publicKey(`${name}/europe again`)) });

const rename =
  (from: string, to: string): Edit =>
  (it) => ({ topology: it.topology.replaceAll(from, to), keys: it.keys.replaceAll(from, to) });

/** Parallel edits of two users. Only the last pair contradicts itself. */
export const PAIRS: readonly Pair[] = [
  { name: 'add / add', left: add('dakar', 121), right: add('quito', 122) },
  { name: 'add / remove another', left: add('dakar', 121), right: remove('rome') },
  { name: 'remove / remove', left: remove('cairo'), right: remove('rome') },
  { name: 'move to another hub / add', left: change('geneva', ' } }', ' }, hub: asia }'), right: add('quito', 122) },
  { name: 'renumber / add', left: change('dublin', '10.32.', '10.150.'), right: add('quito', 122) },
  {
    name: 'shortcut / shortcut',
    left: after('  - [athens, berlin]', '  - [berlin, dublin]'),
    right: after('  - [lima, milan]', '  - [oslo, rome]'),
  },
  { name: 'key / key', left: newKey('berlin'), right: newKey('rome') },
  { name: 'MTU / MTU of another', left: mtu('berlin', 1300), right: mtu('rome', 1380) },
  { name: 'rename / add', left: rename('cairo', 'giza'), right: add('quito', 122) },
  { name: 'order / add', left: after('  - athens', '  - cairo'), right: add('quito', 122) },
  {
    name: 'renumber / renumber the same',
    left: change('rome', '10.52.', '10.151.'),
    right: change('rome', '10.52.', '10.152.'),
  },
];

/** Parallel edits of neighbours by name, so that their lines are next to each other in every list. */
export const NEIGHBOURS: readonly Pair[] = [
  { name: 'add / add a neighbour', left: add('naples', 121), right: add('odessa', 122) },
  { name: 'add / remove a neighbour', left: add('pisa', 121), right: remove('oslo') },
  { name: 'remove / remove a neighbour', left: remove('cairo'), right: remove('dublin') },
];

/** Both newcomers have the pod CIDR of a cluster that is there, so the hub remaps each, and both branches chose the same view. */
export const SAME_VIEW: Pair = { name: 'add / add with one pod CIDR', left: add('dakar', 20), right: add('quito', 20) };

/** The fleet, in which some clusters lend to others, and namespaces are offloaded; one line each. */
export const SHARED_BASE: FleetTexts = {
  ...BASE,
  topology: `${BASE.topology}${[
    'sharing:',
    '  - { consumer: europe, provider: athens, resources: { cpu: 4, memory: 8Gi } }',
    '  - { consumer: europe, provider: geneva }',
    '  - { consumer: europe, provider: vienna }',
    'offloading:',
    '  - { cluster: europe, namespace: batch, to: [athens] }',
    '  - { cluster: europe, namespace: shop }',
    '',
  ].join('\n')}`,
};

const loan = (consumer: string, provider: string, before: string): Edit =>
  after(`  - { consumer: europe, provider: ${before} }`, `  - { consumer: ${consumer}, provider: ${provider} }`);

const offload = (namespace: string, line: string): Edit =>
  after(line, `  - { cluster: europe, namespace: ${namespace}, to: [vienna], pods: Remote }`);

const BATCH = '  - { cluster: europe, namespace: batch, to: [athens] }';
const SHOP = '  - { cluster: europe, namespace: shop }';

/** Parallel edits of two users in a fleet that shares resources. */
export const SHARING_PAIRS: readonly Pair[] = [
  {
    name: 'loan / loan of the same consumer',
    left: loan('europe', 'cairo', 'geneva'),
    right: loan('europe', 'rome', 'vienna'),
  },
  { name: 'loan / loan of others', left: loan('berlin', 'athens', 'geneva'), right: loan('milan', 'lima', 'vienna') },
  { name: 'namespace / namespace', left: offload('admin', BATCH), right: offload('web', SHOP) },
  { name: 'loan / namespace', left: loan('europe', 'oslo', 'geneva'), right: offload('web', SHOP) },
  { name: 'loan / add a cluster', left: loan('europe', 'oslo', 'geneva'), right: add('quito', 122) },
  { name: 'loan / remove a provider', left: loan('europe', 'oslo', 'geneva'), right: remove('athens') },
  {
    name: 'resources / condition of another',
    left: onTopology((lines) => lines.map((it) => it.replace('cpu: 4', 'cpu: 8'))),
    right: onTopology((lines) => lines.map((it) => it.replace('vienna }', 'vienna, condition: Cordoned }'))),
  },
];
