import { readFileSync } from 'node:fs';
import { controlPlaneSubject, makeRequest } from '../../src/fleet/certificates/certificate-request.ts';
import { type HostSettings, TOPOLOGY, workspace } from '../host/cli/memory-host.ts';
import { fleetOnGitHub, openPulls, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from '../host/github/contract.ts';
import { dump, KEYS, TOPOLOGY as SHARING, tenant } from '../live/identities/tenants.ts';
import { keySecret, newPair, secretsDump } from '../live/public-keys/key-secrets.ts';
import { fleetOfTheSlides } from '../live/simulated/fleet-of-the-slides.ts';
import { simulateLiqoctl } from '../live/simulated/simulate-liqoctl.ts';
import { sliceOf } from '../reach/translate/fixtures.ts';
import { dumpsOf } from '../support/dumps-of.ts';
import { JSON_COMMANDS, jsonCommandOf } from '../support/json-documents.ts';
import { withKeysFiles } from '../support/keys-of.ts';
import type { LiveItem } from '../support/objects-at-rest.ts';
import { testKey } from '../support/test-ca.ts';

export interface PrintedDocument {
  readonly command: string;
  readonly document: unknown;
}

type Files = Readonly<Record<string, string>>;

const goldenText = (path: string): string => readFileSync(new URL(`../golden/${path}`, import.meta.url), 'utf8');

/** A folder in which commands are run; what they print is kept. */
function place(files: Files, printed: PrintedDocument[]) {
  const it = workspace(files);
  const run = async (settings: HostSettings, argv: readonly string[]) => {
    const { stdout } = await it.weftWith(settings, ...argv, '-o', 'json');
    printed.push({ command: jsonCommandOf(argv), document: JSON.parse(stdout) });
  };
  return {
    ...it,
    json: (...argv: readonly string[]) => run({}, argv),
    jsonOf: (stdin: string, ...argv: readonly string[]) => run({ stdin }, argv),
  };
}

/** The documents of commands in fleets on disk, for every kind of answer. */
export async function printedDocuments(): Promise<readonly PrintedDocument[]> {
  const printed: PrintedDocument[] = [];
  await aFleet(printed);
  await changesInSteps(printed);
  await fleetsThatShare(printed);
  await liveFleets(printed);
  await importedFleets(printed);
  await collectedIdentities(printed);
  await keysOfGateways(printed);
  await pullRequests(printed);
  return printed;
}

async function aFleet(printed: PrintedDocument[]): Promise<void> {
  const it = place(withKeysFiles({ [TOPOLOGY_PATH]: TOPOLOGY }), printed);
  await it.json('validate');
  await it.json('verify');
  await it.json('plan');
  await it.json('compile', '--check');
  await it.json('compile');
  await it.json('compile', '--cluster', 'rome');
  await it.json('verify');
  await it.json('view');
  await it.json('view', 'rome');
  await it.json('view', 'links');
  await it.json('view', 'rome', 'milan', '--recreated', '--runbook');
  await it.json('trace', 'rome', 'milan');
  await it.json('trace', 'rome', 'milan', '--through', 'europe');
  await it.json('trace', 'rome:80', 'milan:443');
  await it.json('trace', '--all');
  await it.json('whois', '10.202.0.7');
  await it.json('whois', '203.0.113.10', '--in', 'rome');
  await it.json('whois', '8.8.8.8');
  await it.json('whatif');
  await it.json('whatif', '--without', 'milan/rome');
  await it.json('whatif', '--without', 'nowhere');
  await it.json('ports');
  await it.json('ports', '--source', 'rome=198.51.100.7');
  await it.json('explain');
  await it.json('explain', 'topology/host-bits');
  for (const key of ['gateway.dial', 'hub', 'defaults.mtu', 'liqo.shortcutOperator', 'directConnections'])
    await it.json('explain', key);
  await it.json('explain', 'nothing-like-it');
  await it.jsonOf('10.81.0.9 10.200.0.4', 'translate', '--in', 'europe', '--for', 'rome');
  await it.jsonOf('10.81.0.9', 'translate', '--in', 'europe', '--for', 'rome', '--way', 'hub');
  await it.json('translate', '--in', 'europe', '--for', 'rome');
  await it.json('lab', '--cluster', 'nowhere');
  await it.json('conformance', 'nowhere', '--context', 'rome');
  const line = '  mtu: 1340';
  const gateway = it.read('out/rome/peers/europe/europe.yaml');
  it.write('out/rome/peers/europe/europe.yaml', gateway.replace(line, '  mtu: 1300'));
  it.write('out/rome/nftables/europe.nft', `# by hand\n${it.read('out/rome/nftables/europe.nft')}`);
  await it.json('verify');
  await it.json('plan');
  // The form of older versions of weft.
  const milan = it.read('out/milan/peers/europe/europe.yaml');
  it.write('out/milan/peers/europe/europe.yaml', milan.replace(/^ {4}liqo-weft\/.*\n/gm, ''));
  await it.json('plan');
  it.write(TOPOLOGY_PATH, WITHOUT_SHORTCUT.replace('  milan: {', '  oslo: { podCIDR: 10.203.0.0/16 }\n  milan: {'));
  await it.json('compile', '--check');
  await it.json('plan', '--detailed-exitcode');
  it.write(TOPOLOGY_PATH, TOPOLOGY.replace('hub: europe', 'hub: europa'));
  for (const argv of [['validate'], ['compile'], ['plan'], ['verify'], ['view'], ['trace', '--all'], ['ports']])
    await it.json(...argv);
  it.write(TOPOLOGY_PATH, `${TOPOLOGY}clusters: {}\n`);
  await it.json('validate');
  for (const argv of [['validate', 'absent.yaml'], ['plan', '--nonsense'], ['nonsense']]) await it.json(...argv);
  for (const command of JSON_COMMANDS) await it.json(...command.split(' '), '--nonsense');
  const accepting = place(
    {
      [TOPOLOGY_PATH]: goldenText('accepted-warnings/topology.yaml'),
      'was/topologies/topology.yaml': goldenText('accepted-warnings/topology.yaml').replace(/^accept:.*$/ms, ''),
    },
    printed,
  );
  await accepting.json('validate');
  await accepting.json('compile');
  await accepting.json('plan');
  await accepting.json('plan', '--base-dir', 'was');
  const external = place(
    { [TOPOLOGY_PATH]: TOPOLOGY.replace('externalCIDR: auto', 'externalCIDR: 10.70.0.0/16') },
    printed,
  );
  await external.json('compile');
  const picked = place({ [TOPOLOGY_PATH]: TOPOLOGY, [`was/${TOPOLOGY_PATH}`]: TOPOLOGY }, printed);
  await picked.weft('compile');
  const lock = picked.read('topologies/topology.lock.yaml');
  picked.write('topologies/topology.lock.yaml', lock.replace(/(rome\/external: )\S+/, '$110.77.0.0/20'));
  await picked.json('plan', '--base-dir', 'was');
  const deck = place(
    withKeysFiles({ [TOPOLOGY_PATH]: goldenText('deck-two-one-pod-cidr-everywhere/topology.yaml') }),
    printed,
  );
  const endpoints = sliceOf('web', ['10.63.0.1'], ['10.63.0.2'], ['10.200.0.4', '10.63.0.3']);
  await deck.jsonOf(endpoints, 'translate', '--in', 'hub', '--for', 'cluster2');
}

/** Two providers with a shortcut, another pair with direct connections that one of them cannot map. */
const OFFLOADED = `version: 1
name: europe
hub: rome
liqo: { version: "1.1", shortcutOperator: true }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  turin: { podCIDR: 10.203.0.0/16 }
  oslo: { podCIDR: 10.204.0.0/16 }
shortcuts: [[milan, turin]]
sharing:
  - { consumer: rome, provider: milan }
  - { consumer: rome, provider: turin }
  - { consumer: rome, provider: oslo }
offloading:
  - { cluster: rome, namespace: demo }
assertions:
  - { from: milan, to: turin, expect: reachable, via: shortcut }
`;

const DIRECT = OFFLOADED.replace('version: "1.1", shortcutOperator: true', 'version: "1.2"').replace(
  'namespace: demo',
  'namespace: demo, directConnections: true',
);

/** Every key of what may enter over a closed link. */
const CLOSED = `${OFFLOADED.replace('10.202.0.0/16,', '10.202.0.0/16, boundary: closed,')}boundaries:
  - { from: rome, fromNamespace: web, to: milan, toNamespace: shop, ports: [443, 8000-8100] }
  - { from: rome, to: milan, toNamespace: web, ports: 80 }
  - { from: turin, fromCIDR: 10.203.3.0/24, to: milan, toCIDR: 10.202.7.0/24, protocol: UDP }
  - { from: rome, masqueraded: true, to: milan }
`;

/** Every reason why nothing may enter. */
const REASONS = `assertions:
  - { from: rome, to: milan, port: 22, expect: unreachable, by: fence }
  - { from: rome, to: milan, toNamespace: shop, port: 80, expect: unreachable, by: policy }
  - { from: oslo, to: milan, expect: unreachable, via: shortcut, by: no-path }
`;

async function fleetsThatShare(printed: PrintedDocument[]): Promise<void> {
  const withReasons = CLOSED.replace(/assertions:\n.*\n/, REASONS);
  const was = { 'was/topologies/topology.yaml': CLOSED };
  const closed = place({ ...withKeysFiles({ [TOPOLOGY_PATH]: withReasons }), ...was }, printed);
  await closed.json('view', 'milan');
  await closed.json('trace', 'rome', 'milan:80', '--to-namespace', 'shop');
  await closed.json('plan', '--base-dir', 'was');
  for (const topology of [OFFLOADED, DIRECT]) {
    const it = place(withKeysFiles({ [TOPOLOGY_PATH]: topology }), printed);
    await it.json('trace', '--service', 'demo/web');
    await it.json('trace', '--service', 'demo/web', '--from', 'turin');
    await it.json('whatif');
    for (const part of ['milan/turin', 'oslo/rome']) await it.json('whatif', '--without', part);
    await it.json('compile');
    await it.json('view', 'rome');
  }
  const unknown = 'version: 1\nkeys: {}\nauthentication: { rome: unknown, milan: unknown, turin: unknown }\n';
  const it = place({ [TOPOLOGY_PATH]: OFFLOADED, 'topologies/topology.keys.yaml': unknown }, printed);
  for (const cluster of ['rome', 'milan', 'turin']) await it.json('view', cluster);
}

const STAGED = `version: 1
name: europe
hub: europe
liqo: { version: "1.1" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  asia: { podCIDR: 10.210.0.0/16, gateway: 203.0.113.20, hub: europe }
  rome: { podCIDR: 10.202.0.0/16 }
  milan: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.30 }
`;

const REACHED = 'assertions: [{ from: rome, to: europe, expect: reachable }]\n';

const UNLINKED = 'assertions: [{ from: rome, to: europe, expect: unreachable, via: shortcut }]\n';

const upgraded = STAGED.replace('"1.1"', '"1.2"');

/** Changes of which each state is a topology, and for each state one of which it is none. */
const STAGED_CHANGES: readonly (readonly [before: string, after: string])[] = [
  [STAGED, upgraded.replace('10.203.', '10.220.').replace('rome: {', 'rome: { externalCIDR: 10.70.0.0/16,')],
  [upgraded.replace('10.203.0.0/16', '[10.203.0.0/16, 10.204.0.0/16]'), STAGED],
  [`${STAGED}${REACHED}`, `${STAGED.replace('rome: {', 'rome: { externalCIDR: 10.70.0.0/16,')}${REACHED}`],
  [upgraded, `${upgraded.replace('10.202.0.0/16', '10.202.0.0/16, hub: asia')}${UNLINKED}`],
];

async function changesInSteps(printed: PrintedDocument[]): Promise<void> {
  for (const [before, after] of STAGED_CHANGES) {
    const was = Object.entries(withKeysFiles({ [TOPOLOGY_PATH]: before })).map(([path, text]) => [`was/${path}`, text]);
    const it = place({ ...withKeysFiles({ [TOPOLOGY_PATH]: after }), ...Object.fromEntries(was) }, printed);
    await it.json('plan', '--base-dir', 'was', '--steps', 'steps');
  }
}

type Edit = (it: LiveItem, cluster: string) => readonly LiveItem[];

const replaced = (it: LiveItem, from: string, to: string): LiveItem =>
  JSON.parse(JSON.stringify(it).replaceAll(from, to)) as LiveItem;

/** The objects in rome for milan. */
const inRome =
  (kind: RegExp, edit: (it: LiveItem) => readonly LiveItem[]): Edit =>
  (it, cluster) =>
    cluster === 'rome' && kind.test(it.kind) && JSON.stringify(it.metadata).includes('milan') ? edit(it) : [it];

const withSpec = (it: LiveItem, spec: object): LiveItem => ({ ...it, spec: { ...it.spec, ...spec } });

const OTHERS = { cidr: { pod: ['10.99.0.0/16'], external: ['10.98.0.0/20'] } };

const named = (it: LiveItem, name: string): LiveItem => ({ ...it, metadata: { ...it.metadata, name } });

const LIVE_EDITS: readonly Edit[] = [
  (it) => [it],
  inRome(/^Configuration/, (it) => [replaced(it, '10.81.0.0/16', '10.68.0.0/16')]),
  inRome(/^Configuration/, (it) => [replaced(it, '10.81.0.0/16', '10.200.0.0/16')]),
  inRome(/^Configuration/, (it) => [{ ...it, status: {} }]),
  inRome(/^Configuration/, (it) => [withSpec(it, { local: OTHERS })]),
  inRome(/^Configuration/, (it) => [withSpec(it, { remote: OTHERS })]),
  inRome(/^Configuration/, (it) => [
    {
      ...it,
      metadata: { ...it.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['liqo.io/x'] },
    } as LiveItem,
  ]),
  inRome(/^Configuration/, (it) => [it, named(it, 'again')]),
  inRome(/^Configuration/, () => []),
  inRome(/^Connection/, (it) => [replaced(it, '"Connected"', '"Error"')]),
  inRome(/^Connection/, () => []),
  inRome(/^PublicKey/, () => []),
  inRome(/^PublicKey/, (it) => [it, named(it, 'again')]),
  inRome(/^Gateway/, () => []),
  inRome(/^Gateway/, (it) => [withSpec(it, { mtu: 1300 })]),
  inRome(/^Gateway/, (it) => [withSpec(it, { endpoint: { addresses: ['203.0.113.30'], port: 40000 } })]),
  (it) => (it.kind === 'Connection' ? [] : [it]),
];

/** The dump has no PublicKeys, because it was not made with them. */
const withoutKeys: Edit = (it) => {
  if (it.kind === 'PublicKey') return [];
  return [it, { apiVersion: 'weft/v1', kind: 'AskedFor', metadata: { name: 'configurations.networking.liqo.io' } }];
};

async function liveFleets(printed: PrintedDocument[]): Promise<void> {
  const files = withKeysFiles({ [TOPOLOGY_PATH]: TOPOLOGY });
  for (const edit of LIVE_EDITS) {
    const it = place({ ...files, ...dumpsOf(files, edit) }, printed);
    await it.weft('compile');
    await it.json('drift', '--live', 'dumps/');
    for (const argv of [
      ['plan'],
      ['view'],
      ['view', 'rome', 'milan', '--runbook'],
      ['trace', 'rome', 'milan'],
      ['trace', '--all'],
      ['whois', '10.81.3.7'],
    ])
      await it.json(...argv, '--live', 'dumps/');
    await it.json('drift', '--live', 'rome=dumps/rome.json');
    await it.json('drift', '--adopt', '--check', '--live', 'dumps/');
    await it.json('drift', '--adopt', '--live', 'dumps/');
  }
  const partly = place({ ...files, ...dumpsOf(files, withoutKeys) }, printed);
  await partly.weft('compile');
  await partly.json('drift', '--live', 'dumps/');
  await partly.json('plan', '--live', 'dumps/');
  const it = place({ ...files, 'rome.json': '' }, printed);
  await it.json('drift', '--live', 'rome=rome.json');
  await it.json('drift', '--live', 'rome=gone.json');
}

async function importedFleets(printed: PrintedDocument[]): Promise<void> {
  const table = place(
    { 'a.csv': 'name,podCIDR,serviceCIDR\nrome,10.1.0.0/16,10.96.0.0/12\noslo,10.2.0.0/16,10.96.0.0/12\n' },
    printed,
  );
  await table.json('import', '--clusters', 'a.csv', '--check');
  await table.json('import', '--clusters', 'a.csv');
  table.write('a.csv', 'name,podCIDR,serviceCIDR,labels.site\nrome,10.3.0.0/16,10.96.0.0/12,italy\n');
  await table.json('import', '--clusters', 'a.csv');
  table.write(
    'topologies/topology.yaml',
    table.read('topologies/topology.yaml').replace('clusters: {}', 'clusters: { bergen: {} }'),
  );
  table.write('a.csv', 'name,podCIDR,serviceCIDR\nbergen,10.3.0.0/16,10.96.0.0/12\n');
  await table.json('import', '--clusters', 'a.csv');
  const joined = place({ [TOPOLOGY_PATH]: TOPOLOGY, 'a.csv': 'name,podCIDR\nrome,\noslo,10.204.0.0/16\n' }, printed);
  await joined.json('import', '--clusters', 'a.csv');
  table.write('a.csv', 'name\n');
  await table.json('import', '--clusters', 'a.csv');
  for (const release of ['1.0', '1.2'] as const) {
    const lists = [...simulateLiqoctl(fleetOfTheSlides(release))];
    const it = place(
      Object.fromEntries(lists.map(([id, list]) => [`dumps/${id}.json`, JSON.stringify(list)])),
      printed,
    );
    await it.json('import', 'dumps/', '--check');
    await it.json('import', 'dumps/');
    await it.json('import', 'dumps/');
    const ofHub = ['hub/topology.yaml', '--out', 'hub/out'];
    await it.json('import', 'dumps/hub.json', '--topology', 'hub/topology.yaml');
    await it.json('plan', ...ofHub, '--live', 'dumps/');
    await it.json('drift', 'hub/topology.yaml', '--live', 'dumps/');
  }
}

const MUCH_LATER = { notBefore: '20260701000000Z' };

async function collectedIdentities(printed: PrintedDocument[]): Promise<void> {
  const other = makeRequest(testKey('test key of another cluster'), controlPlaneSubject('rome'));
  const it = place(
    {
      [TOPOLOGY_PATH]: SHARING,
      'topologies/topology.keys.yaml': KEYS,
      'signed.json': dump(tenant()),
      'later.json': dump(tenant({ validity: { notBefore: '20260601000000Z' } })),
      'waiting.json': dump(tenant({ unsigned: true })),
      'refused.json': dump(tenant({ request: other })),
      'proxied.json': dump(tenant({ validity: MUCH_LATER, params: { proxyURL: 'http://proxy.example:3128' } })),
    },
    printed,
  );
  for (const [file, ...more] of [
    ['signed.json', '--check'],
    ['waiting.json'],
    ['signed.json'],
    ['signed.json'],
    ['later.json'],
    ['signed.json'],
    ['refused.json'],
    ['proxied.json'],
    ['gone.json'],
  ])
    await it.json('identities', 'collect', `milan=${file}`, ...more);
  await it.json('ports');
}

/** Keys that gateways made: every result that one can have. */
async function keysOfGateways(printed: PrintedDocument[]): Promise<void> {
  const it = place(
    { [TOPOLOGY_PATH]: TOPOLOGY.replace('hub: europe', 'hub: europe\nkeys: { secrets: liqo }') },
    printed,
  );
  const [first, second] = [newPair(), newPair()];
  const collect = (dump: string, ...more: readonly string[]) => {
    it.write('rome.json', dump);
    return it.json('keys', 'collect', '--live', 'rome=rome.json', ...more);
  };
  await collect(secretsDump(), '--check');
  await collect(secretsDump(keySecret('europe', { data: first }), keySecret('oslo')));
  await collect(secretsDump(keySecret('europe', { data: first })));
  await collect(secretsDump(keySecret('europe', { data: second })));
  await collect(secretsDump(keySecret('europe', { data: second })), '--replace');
  await collect(secretsDump(keySecret('europe', { remote: 'milan' })));
  await it.json('keys', 'collect');
}

async function pullRequests(printed: PrintedDocument[]): Promise<void> {
  const it = await fleetOnGitHub();
  const run = async (settings: Parameters<typeof it.weftPr>[0]) => {
    const { stdout } = await it.weftPr({ ...settings, options: { output: 'json', ...settings?.options } });
    printed.push({ command: 'pr', document: JSON.parse(stdout) });
  };
  await run({});
  await run({});
  await it.fake.merge(1);
  await run({});
  await it.edit(WITHOUT_SHORTCUT, 'edit');
  const { number } = await it.fake.openPull({ branch: 'edit', author: it.fake.user });
  const pull = { number, branch: 'edit' };
  await run({ mode: 'comment', pull });
  await run({ mode: 'comment', pull });
  await run({ mode: 'check', pull, options: { current: true } });
  await run({ mode: 'comment', pull: { ...pull, from: 'stranger/fleet' }, env: { GITHUB_TOKEN: '' } });
  await run({ mode: 'check', pull, options: { 'plan-id': '0'.repeat(32) } });
  await run({ mode: 'open', pull: { ...pull, from: 'stranger/fleet' } });
  await run({ mode: 'open', options: { 'plan-id': '0'.repeat(32) } });
  await run({ mode: 'comment', env: { GITHUB_REF: 'refs/heads/gh-readonly-queue/main/pr-1-0' } });
  await it.edit(TOPOLOGY.replace('203.0.113.30', '203.0.113.31'), 'edit');
  await run({ mode: 'comment', pull });
  await it.edit('version: 1\n', 'edit');
  await run({ mode: 'check', pull });
  await it.fake.commit('words', { 'README.md': 'words\n' });
  const words = await it.fake.openPull({ branch: 'words', author: it.fake.user });
  await run({ mode: 'comment', pull: { number: words.number, branch: 'words' } });
  await run({ pull: { number: words.number, branch: 'words', state: 'closed' } });
  await it.edit(WITHOUT_SHORTCUT);
  await run({});
  for (const opened of openPulls(it)) Object.assign(opened, { state: 'closed', closedAt: opened.updatedAt });
  await run({});
}
