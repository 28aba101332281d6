import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { TOPOLOGY } from '../../host/cli/memory-host.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { objectsAtRest } from '../../support/objects-at-rest.ts';
import { liveCluster, livePlan } from './live-plan.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

function compiledFrom(edit: (text: string) => string = (text) => text) {
  const compiled = compile(
    {
      topology: { path: 'topology.yaml', text: edit(FILES['topologies/topology.yaml'] ?? '') },
      keys: { path: 'topology.keys.yaml', text: FILES['topologies/topology.keys.yaml'] ?? '' },
      lock: undefined,
    },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  return compiled.value;
}

const FLEET = compiledFrom();

const atRest = (cluster: string, { bundle } = FLEET): readonly KubernetesObject[] =>
  objectsAtRest(
    [...bundle].flatMap(([path, text]) =>
      path.startsWith(`${cluster}/`) ? [[path.slice(cluster.length + 1), text] as const] : [],
    ),
  ) as unknown as readonly KubernetesObject[];

type Edit = (it: KubernetesObject, cluster: string) => readonly KubernetesObject[];

const plainObject = (it: KubernetesObject) => JSON.parse(JSON.stringify(it)) as KubernetesObject & { spec: never };

/** The object with one text replaced everywhere. */
const replaced = (it: KubernetesObject, from: string, to: string): KubernetesObject =>
  JSON.parse(JSON.stringify(it).replaceAll(from, to)) as KubernetesObject;

/** The kinds of change from a disturbed fleet, with what they are about. */
function kindsAfter(edit: Edit, clusters: readonly string[] = ['europe', 'milan', 'rome']): readonly string[] {
  const live = clusters.map((name) =>
    liveCluster(
      name,
      atRest(name).flatMap((it) => edit(plainObject(it), name)),
    ),
  );
  const plan = livePlan(FLEET, live);
  expect(plan.files.filter((file) => file.explainedBy.length === 0)).toEqual([]);
  return plan.changes.map((it) => `${it.kind} ${it.clusters.join(' ')}`);
}

const isOf = (it: KubernetesObject, kind: string, peer: string): boolean =>
  it.kind === kind && it.metadata.labels?.['liqo.io/remote-cluster-id'] === peer;

const ALL: Edit = (it) => [it];

describe('the plan from live clusters', () => {
  it('is empty for a fleet at rest, whichever clusters were dumped', () => {
    expect(kindsAfter(ALL)).toEqual([]);
    expect(kindsAfter(ALL, ['rome'])).toEqual([]);
    expect(kindsAfter(ALL, [])).toEqual([]);
  });

  it('is a view that is another one', () => {
    const edit: Edit = (it, cluster) => [
      cluster === 'rome' && isOf(it, 'Configuration', 'milan') ? replaced(it, '10.81.0.0/16', '10.68.0.0/16') : it,
    ];
    expect(kindsAfter(edit)).toEqual(['view-moved milan rome']);
  });

  it('is a key that one end holds', () => {
    const edit: Edit = (it, cluster) => [
      cluster === 'rome' && isOf(it, 'PublicKey', 'milan')
        ? { ...it, spec: { publicKey: 'bXiKzgt9hD4i7F60VIDbC0EqYbNakCAJqYpv7MBqI1g=' } }
        : it,
    ];
    expect(kindsAfter(edit)).toEqual(['key-changed milan rome']);
  });

  it('is a key that one end does not hold', () => {
    const edit: Edit = (it, cluster) => (cluster === 'rome' && isOf(it, 'PublicKey', 'milan') ? [] : [it]);
    expect(kindsAfter(edit)).toEqual(['key-added milan rome']);
  });

  it.each([['rome'], ['milan'], ['both']])('is an MTU by hand: %s', (where) => {
    const peers: Readonly<Record<string, string>> = { rome: 'milan', milan: 'rome' };
    const edit: Edit = (it, cluster) => [
      (where === 'both' || where === cluster) && /^Gateway/.test(it.kind) && isOf(it, it.kind, peers[cluster] ?? '')
        ? { ...it, spec: { ...(it['spec'] as object), mtu: 1400 } }
        : it,
    ];
    expect(kindsAfter(edit)).toEqual(['mtu-changed milan rome']);
  });

  it.each([['rome'], ['both']])('is a link that %s does not have', (where) => {
    const edit: Edit = (it, cluster) => {
      const peer = { rome: 'milan', milan: 'rome' }[cluster] ?? '';
      return (where === 'both' || where === cluster) && isOf(it, it.kind, peer) ? [] : [it];
    };
    // Both of them see only each other remapped: with the link they need an order.
    expect(kindsAfter(edit)).toEqual(['link-added milan rome', 'order-changed milan', 'order-changed rome']);
  });

  it('is a port, of the server and of what the client dials', () => {
    const port = String(FLEET.model.clusters.get('rome')?.peers.get('milan')?.link.endpoint.port);
    const edit: Edit = (it, cluster) => [
      (cluster === 'milan' && isOf(it, 'GatewayServer', 'rome')) || isOf(it, 'GatewayClient', 'milan')
        ? replaced(it, port, '31999')
        : it,
    ];
    expect(kindsAfter(edit)).toEqual(['port-changed milan rome']);
  });

  it('is a link that git does not have', () => {
    const edit: Edit = (it, cluster) =>
      cluster === 'rome' && isOf(it, it.kind, 'milan') ? [it, replaced(it, 'milan', 'naples')] : [it];
    expect(kindsAfter(edit)).toEqual(['link-removed naples rome']);
  });

  it('is a cluster that git does not have any more', () => {
    const plan = livePlan(FLEET, [
      ...['europe', 'milan', 'rome'].map((it) => liveCluster(it, atRest(it))),
      liveCluster(
        'naples',
        atRest('rome').map((it) => replaced(it, 'rome', 'naples')),
      ),
    ]);
    expect(plan.changes.map((it) => it.kind)).toContain('cluster-removed');
  });

  it('is an own network that is another one', () => {
    const edit: Edit = (it, cluster) => [
      cluster === 'rome' && it.metadata.name === 'external-cidr' ? replaced(it, '10.254', '10.253') : it,
    ];
    expect(kindsAfter(edit)).toEqual(['own-cidr-changed rome']);
  });

  it.each([['""'], ['"not a network"'], ['"::/0"'], ['"10.0.0.1/8"']])(
    'can be made where an object has %s for a network',
    (text) => {
      const edit: Edit = (it) => [replaced(it, '"10.81.0.0/16"', text)];
      expect(kindsAfter(edit).every((kind) => /^(view-moved|files-changed|announced-changed)/.test(kind))).toBe(true);
      const everywhere: Edit = (it) => [it.kind === 'Configuration' ? replaced(it, '"10.202.0.0/16"', text) : it];
      expect(() => kindsAfter(everywhere)).not.toThrow();
    },
  );

  it.each([['-1'], ['1.5'], ['70000'], ['"x"'], ['null']])(
    'can be made where an object has %s for a number',
    (text) => {
      const edit: Edit = (it) => [
        JSON.parse(JSON.stringify(it).replace(/"(port|nodePort|mtu)":\d+/g, `"$1":${text}`)) as KubernetesObject,
      ];
      expect(() => kindsAfter(edit)).not.toThrow();
    },
  );

  it('can be made where a label is no name of a cluster', () => {
    const edit: Edit = (it, cluster) =>
      cluster === 'rome' && isOf(it, it.kind, 'milan')
        ? [it, replaced(it, '"milan"', '"../Milan"'), replaced(it, '"milan"', '"rome"')]
        : [it];
    expect(() => kindsAfter(edit)).not.toThrow();
  });

  it('does not show what no dump shows', () => {
    const edit: Edit = (it) => [{ ...it, metadata: { ...it.metadata, annotations: {} } }];
    expect(kindsAfter(edit)).toEqual([]);
    const monitored = compiledFrom((text) =>
      text.replace('rome:   {', 'rome:   { labels: { tier: leaf }, monitoring: { prometheusRules: true },'),
    );
    const live = ['europe', 'milan', 'rome'].map((it) => liveCluster(it, atRest(it)));
    expect(livePlan(monitored, live).changes).toEqual([]);
  });
});
