import { describe, expect, it } from 'vitest';
import { CODES, type Code } from '../../../src/base/diagnostics/codes.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import { explainFleet } from '../../../src/live/drift/explain-cluster.ts';
import { appliedObjects } from '../../bundle/gitops/applied-objects.ts';
import { DISTURBANCES } from './disturbances.ts';
import { type Edit, edited, isOf, without } from './edits.ts';
import { liveCluster } from './explained.ts';
import { type Item, type RecordedFleet, recordedFleet } from './recorded-fleet.ts';

/*
 * Hints of drift are followed on the dumps: what a person does to a cluster or in git, what Liqo then makes of it, and
 * what was reported is gone.
 */

/** The acts of a person; Liqo then brings the objects that it derives to rest. */
interface Act {
  readonly live?: Edit;
  /** The clusters to which the bundle is applied afterwards. */
  readonly apply?: readonly string[];
  readonly git?: (topology: string) => string;
}

type Row = readonly [code: Code, disturbance: string, says: string, act: Act];

const TENANT = 'liqo-tenant-milan';
const inNamespace =
  (name: string) =>
  (it: Item): boolean =>
    it.metadata.namespace === name || isOf('Namespace', name)(it);

const ROWS: readonly Row[] = [
  ['drift/peer-missing', 'peer-removed', 'apply the bundle', { apply: ['rome'] }],
  [
    'drift/peer-missing',
    'peer-removed',
    'remove the peering from the topology',
    { git: (it) => it.replace(/shortcuts:\n.*\n/, '') },
  ],
  [
    'drift/extra-peer',
    'extra-peer',
    'delete its gateways, then its Configuration, then its namespace',
    { live: without('rome', (it) => JSON.stringify(it).includes('paris')) },
  ],
  [
    'drift/namespace',
    'namespace-renamed',
    'set the name of the namespace in the topology',
    {
      git: (it) =>
        it.replace(
          '- [rome, milan]',
          '- { between: [rome, milan], names: { rome: { namespace: peering-with-milan } } }',
        ),
    },
  ],
  [
    'drift/namespace',
    'namespace-renamed',
    'apply the bundle and delete the other one',
    { live: without('rome', inNamespace('peering-with-milan')), apply: ['rome'] },
  ],
  [
    'drift/second-namespace',
    'second-namespace',
    'remove the label "liqo.io/tenant-namespace" from the one that git does not have',
    {
      live: (dumps) =>
        delete dumps['rome']?.find(isOf('Namespace', 'milan-again'))?.metadata.labels?.['liqo.io/tenant-namespace'],
    },
  ],
  [
    'drift/being-deleted',
    'configuration-being-deleted',
    'once it is gone, apply the bundle',
    { live: without('rome', isOf('Configuration', 'milan')), apply: ['rome'] },
  ],
  ['drift/label', 'label-missing', 'apply the bundle again', { apply: ['rome'] }],
  [
    'drift/gateway-role',
    'gateway-of-the-other-role',
    'delete this gateway, wait until it is gone, and apply the bundle',
    { live: without('rome', isOf('GatewayServer', 'milan')), apply: ['rome'] },
  ],
  [
    'drift/second-gateway',
    'second-gateway',
    'delete the one that git does not have',
    { live: without('rome', (it) => it.metadata.name.endsWith('milan-by-hand')) },
  ],
  [
    'drift/second-configuration',
    'second-configuration',
    'delete the one that git does not have',
    { live: without('rome', isOf('Configuration', 'by-hand')) },
  ],
  [
    'drift/half-upgrade',
    'half-an-upgrade',
    'let the upgrade of Liqo end',
    { live: without('rome', isOf('Network', 'milan-pod')) },
  ],
  [
    'drift/remote-cidr',
    'remote-cidr-edited',
    'otherwise apply the bundle again',
    { live: without('rome', isOf('Network', 'milan-pod-10-99-0-0-16')), apply: ['rome'] },
  ],
  [
    'drift/stale-local',
    'local-cidr-is-stale',
    'correct "spec.local"',
    { live: edited('rome', 'Configuration', 'milan', 'spec/local/cidr/pod', ['10.202.0.0/16']) },
  ],
  ['drift/stale-generation', 'conditions-dropped-by-old-crds', 'apply the CRDs of the release that runs', {}],
  ['drift/stale-generation', 'generation-not-observed', 'wait', {}],
  [
    'drift/other-view',
    'views-of-two-peers-are-exchanged',
    'delete the Configuration, and Liqo asks its IPAM again',
    { live: without('hub', (it) => it.kind === 'Configuration' && /^[ad]$/.test(it.metadata.name)), apply: ['hub'] },
  ],
  ['drift/key', 'key-rotated-on-one-side', 'otherwise apply the bundle again', { apply: ['rome'] }],
  ['drift/key', 'public-key-missing', 'apply the bundle', { apply: ['rome'] }],
  ['drift/key-secret', 'secret-missing', 'bring the Secret there with your secret manager', {}],
  [
    'drift/key-secret',
    'secret-with-the-label-of-another-cluster',
    'set its label liqo.io/remote-cluster-id to "milan"',
    {
      live: (dumps) => {
        const secret = dumps['rome']?.find((it) => it.kind === 'Secret' && it.metadata.namespace === TENANT);
        Object.assign(secret?.metadata.labels ?? {}, { 'liqo.io/remote-cluster-id': 'milan' });
      },
    },
  ],
  [
    'drift/second-key',
    'second-secret',
    'remove the labels from all but one',
    { live: edited('rome', 'Secret', 'gw-keys-2', 'metadata/labels', {}) },
  ],
  [
    'drift/second-key',
    'second-public-key',
    'delete the one that git does not have',
    { live: without('rome', isOf('PublicKey', 'milan-old')) },
  ],
  ['drift/mtu', 'mtu-at-one-end', 'apply the bundle again', { apply: ['rome'] }],
  ['drift/port', 'node-port-changed', 'otherwise apply the bundle again', { apply: ['milan'] }],
  ['drift/port', 'service-type-changed', 'otherwise apply the bundle again', { apply: ['milan'] }],
  ['drift/gateway', 'gateway-template-replaced', 'apply the bundle again', { apply: ['rome'] }],
  ['drift/template', 'gateway-template-edited', 'apply the bundle again', { apply: ['hub'] }],
  ['drift/not-there-yet', 'rollout-waits-for-the-second-configuration', 'wait for the rollout', { apply: ['rome'] }],
  ['drift/missing', 'gateway-deleted', 'apply the bundle', { apply: ['rome'] }],
  ['drift/missing', 'configuration-deleted', 'apply the bundle', { apply: ['rome'] }],
  [
    'drift/extra',
    'extra-network-of-a-peer',
    'delete it if nothing uses it',
    { live: without('rome', isOf('Network', 'by-hand')) },
  ],
  ['drift/other-spec', 'network-edited', 'apply the bundle again', { apply: ['rome'] }],
  ['drift/tenant-condition', 'tenant-cordoned', 'otherwise apply the bundle again', { apply: ['edge1'] }],
  [
    'drift/tenant-condition',
    'tenant-cordoned',
    'set `condition` of the loan in the topology',
    {
      git: (it) =>
        it.replace(
          /( {2}- \{ consumer: core, provider: )\{ tier: edge \}(.*)\}\n/,
          '$1edge1$2, condition: Cordoned }\n$1edge2$2}\n',
        ),
    },
  ],
  ['drift/offloading', 'offloading-deleted', 'apply the bundle again', { apply: ['core'] }],
  [
    'drift/offloading',
    'offloading-deleted',
    'change `offloading` in the topology',
    { git: (it) => it.replace(/.*namespace: lab.*\n/, '') },
  ],
  ['drift/nat-rules', 'remap-rules-missing', 'touch the Configuration of the peer', {}],
  ['drift/routes', 'routes-edited', 'touch the Configuration of the peer', {}],
  [
    'drift/release',
    'release-differs',
    'set "liqo.version" of the cluster to what runs',
    { git: (it) => it.replace('rome:   {', 'rome:   { liqo: { version: "1.1" },') },
  ],
  [
    'drift/patch',
    'patch-differs',
    'set "liqo.version" of the cluster to what runs',
    { git: (it) => it.replace('rome:   {', 'rome:   { liqo: { version: "1.2.7" },') },
  ],
  [
    'drift/own-network',
    'pods-of-another-helm-value',
    'shows "ipam.podCIDR" of the installation: write it into the topology, or install Liqo again with helm-values.yaml',
    { git: (it) => it.replace('rome:   { podCIDR: 10.202.0.0/16', 'rome:   { podCIDR: 10.244.0.0/16') },
  ],
  [
    'drift/pools',
    'pools-of-another-helm-value',
    'set "ipam.pools" of the cluster to these',
    { git: (it) => it.replace('rome:   {', 'rome:   { ipam: { pools: [10.0.0.0/8] },') },
  ],
  [
    'drift/chosen-already',
    'gateway-made-by-liqoctl',
    'apply the bundle when you take the objects over',
    { apply: ['rome'] },
  ],
];

/** Hints after which a person looks for a cause elsewhere, or nothing is changed. */
const BY_HAND: Readonly<Partial<Record<Code, string>>> = {
  'drift/not-connected': 'the cause is in gateways and firewalls, which no dump shows',
  'drift/other-status': 'the cause is in events',
  'drift/tool-annotation': 'nothing reads them but the tool',
  'drift/not-of-fleet': 'the object is left',
};

/** Kinds that Liqo makes of others, which are at rest again once these are. */
const DERIVED = /^(Connection|Network|FirewallConfiguration|RouteConfiguration|Secret|InternalFabric)$/;

const keyOf = ({ kind, metadata: { name, namespace = '' } }: Pick<Item, 'kind' | 'metadata'>): string =>
  `${kind} ${namespace}/${name}`;

/** Makes and changes objects like `kubectl apply`, and deletes none. */
function applyTo(items: Item[], compiled: Compiled, cluster: string): void {
  for (const { object } of appliedObjects(compiled, cluster)) {
    const applied = structuredClone(object) as unknown as Item;
    const found = items.find((it) => keyOf(it) === keyOf(applied));
    if (found === undefined) items.push(applied);
    else {
      const { labels, annotations } = applied.metadata;
      Object.assign(found.metadata, { labels: { ...found.metadata.labels, ...labels } });
      Object.assign(found.metadata, { annotations: { ...found.metadata.annotations, ...annotations } });
      if (applied['spec'] !== undefined)
        found['spec'] = { ...(found['spec'] as object), ...(applied['spec'] as object) };
    }
  }
}

/** Brings objects to rest: what Liqo makes of those that a person applied, and their states. It keeps objects of `rest`. */
function settle(items: Item[], rest: readonly Item[]): void {
  const namespaces = new Set(items.filter((it) => it.kind === 'Namespace').map((it) => it.metadata.name));
  for (const it of rest) {
    const at = items.findIndex((one) => keyOf(one) === keyOf(it));
    const found = items[at];
    const isDerived = DERIVED.test(it.kind) && !isOfChart(it);
    if (found === undefined) {
      if (isDerived && namespaces.has(it.metadata.namespace ?? '')) items.push(it);
    } else if (isDerived && it.kind !== 'Secret') items[at] = it;
    else if (it['status'] !== undefined) {
      // Liqo writes `spec.local` once.
      found['spec'] = { local: (it['spec'] as { readonly local?: unknown }).local, ...(found['spec'] as object) };
      found['status'] = it['status'];
      found.metadata['generation'] = it.metadata['generation'];
    }
  }
}

/** The chart's own Networks are what it was installed with. */
const isOfChart = (it: Item): boolean => it.kind === 'Network' && it.metadata.namespace === 'liqo';

const compiledBefore = new Map<string, Compiled>();

/** A fleet with another topology beside its keys and its lock; each is compiled once. */
function compiledOf(fleet: string, { files }: RecordedFleet, topology: string): Compiled {
  const id = `${fleet}\n${topology}`;
  const known = compiledBefore.get(id) ?? compiledWith(files, topology);
  compiledBefore.set(id, known);
  return known;
}

function compiledWith(files: RecordedFleet['files'], topology: string): Compiled {
  const source = (path: string) => {
    const text = files[`topologies/${path}`];
    return text === undefined ? undefined : { path, text };
  };
  const sources = {
    topology: { path: 'topology.yaml', text: topology },
    keys: source('topology.keys.yaml'),
    identities: source('topology.identities.yaml'),
    lock: source('topology.lock.yaml'),
  };
  const outcome = compile(sources, { relock: [], only: null });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('; '));
  return outcome.value;
}

const reported = (compiled: Compiled, { dumps }: RecordedFleet, only: readonly string[] | undefined) =>
  explainFleet(
    Object.entries(dumps)
      .filter(([it]) => only === undefined || only.includes(it))
      .map(([name, items]) => explainLive(compiled, 'out', liveCluster(name, items))),
  ).flatMap(({ problems }) => problems.map((it) => it.diagnostic));

describe('a hint of drift that is followed', () => {
  it('exists for every code', () => {
    const codes = (Object.keys(CODES) as readonly Code[]).filter((it) => it.startsWith('drift/'));
    const followed = new Set([...ROWS.map(([code]) => code), ...(Object.keys(BY_HAND) as readonly Code[])]);
    expect([...followed].sort()).toEqual([...codes].sort());
  });

  it.each(ROWS)('resolves %s of %s: %s', (code, name, says, { live, apply = [], git = (it) => it }) => {
    const disturbance = DISTURBANCES.find((it) => it.name === name);
    if (disturbance === undefined) throw new Error(`there is no disturbance ${name}`);
    const recorded = recordedFleet(disturbance.fleet, disturbance.after);
    const rest = recordedFleet(disturbance.fleet, disturbance.after).dumps;
    disturbance.edit?.(recorded.dumps);
    const topology = recorded.files['topologies/topology.yaml'] ?? '';
    const before = reported(compiledOf(disturbance.fleet, recorded, topology), recorded, disturbance.only);
    const hints = before.filter((it) => it.code === code).map((it) => it.hint);
    expect(hints.join('\n')).toContain(says);
    live?.(recorded.dumps);
    const edited = git(topology);
    const compiled = compiledOf(disturbance.fleet, recorded, edited);
    for (const cluster of apply) applyTo(recorded.dumps[cluster] ?? [], compiled, cluster);
    if (edited === topology)
      for (const [cluster, items] of Object.entries(recorded.dumps)) settle(items, rest[cluster] ?? []);
    const after = reported(compiled, recorded, disturbance.only);
    expect(after.filter((it) => it.code === code).map((it) => it.message)).toEqual([]);
    if (edited === topology) expect(after.map((it) => it.message)).toEqual([]);
  });
});
