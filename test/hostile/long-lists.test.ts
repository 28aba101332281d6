import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inFolders } from '../../src/base/core/folder-files.ts';
import { compile } from '../../src/compile.ts';
import { listChange } from '../../src/plan/changes/networks.ts';
import { planChanges } from '../../src/plan/plan-changes.ts';
import { type PlanState, readPlanState } from '../../src/plan/plan-state.ts';
import { compileText } from '../support/compile-text.ts';
import { drawn, RUNS_ALL } from '../support/drawn.ts';

/**
 * Loops over a list within a loop over it would take minutes with so many, at night; what doubles with every entry would
 * never end with a few of them. `test/growth/` counts the work of the usual lists on every push.
 */
const COUNT = RUNS_ALL ? 6000 : 1500;

const list = (of: (i: number) => string, count = COUNT): string =>
  `[${Array.from({ length: count }, (_, i) => of(i)).join(', ')}]`;
const map = (of: (i: number) => string): string => list(of).replace(/^\[(.*)\]$/s, '{ $1 }');
const network = (i: number): string => `172.${16 + (i >> 12)}.${(i >> 4) & 255}.${(i & 15) * 16}/28`;
const pod = (i: number): string => `10.${128 + (i >> 10)}.${(i >> 2) & 255}.${(i & 3) * 64}/26`;

interface Parts {
  /** Keys of the topology. */
  readonly top?: string;
  /** Keys of the hub, of its gateway, and of the other cluster. */
  readonly hub?: string;
  readonly gateway?: string;
  readonly leaf?: string;
  readonly more?: string;
}

const topology = ({ top = '', hub = '', gateway = '', leaf = 'podCIDR: 10.81.0.0/16', more = '' }: Parts): string =>
  `version: 1
name: fleet
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
${top.includes('hub:') ? '' : 'hub: h'}
${top}
clusters:
  h: { podCIDR: 10.80.0.0/16${hub}, gateway: { addresses: [203.0.113.10]${gateway} } }
  a: { ${leaf} }
${more}`;

const many = (of: (i: number) => string, count = COUNT): string =>
  Array.from({ length: count }, (_, i) => `  c${i}: { podCIDR: ${pod(i)}${of(i)} }\n`).join('');

/** A loan of the other cluster to the hub. */
const loan = (more: string): Parts => ({ top: `sharing: [{ consumer: h, provider: a, ${more} }]` });

/** For each list and map of the schema, by its path: topologies in which it is long. */
const LONG: Readonly<Record<string, readonly Parts[]>> = {
  hub: [{ top: `hub: ${list(() => 'h')}` }, { top: `hub: ${list((i) => `x${i}`)}` }],
  peerings: [{ top: `peerings: ${list(() => '[h, a]')}` }, { top: `peerings: ${list((i) => `[h, x${i}]`)}` }],
  'peerings.between': [{ top: `peerings: [${list(() => 'a')}]` }],
  shortcuts: [{ top: `shortcuts: ${list((i) => `[x${i}, y${i}]`)}`, more: many(() => '', 2000) }],
  'shortcuts.between': [{ top: `shortcuts: [${list(() => 'a')}]` }],
  order: [{ top: `order: ${list(() => 'a')}` }, { top: `order: ${list((i) => `x${i}`)}`, more: many(() => '', 2000) }],
  clusters: [
    { more: many(() => '', 1500) },
    { more: many(() => ', gateway: 203.0.113.77', 1500) },
    { more: many(() => ', gateway: { addresses: [10.80.0.7], server: prefer }', 1500) },
    { more: many((i) => `, renamedFrom: c${i + 1}`) },
    { more: many(() => ', podCIDR: 10.81.0.0/16') },
  ],
  boundaries: [
    { top: `boundaries: ${list((i) => `{ from: a, to: h, ports: ${i + 1} }`, 1500)}`, hub: ', boundary: closed' },
    { top: 'boundaries: [{ from: {}, to: {} }]', more: many(() => ', boundary: closed', 1500) },
  ],
  'boundaries.from': [{ top: `boundaries: [{ from: ${map((i) => `k${i}: v`)}, to: h }]` }],
  'boundaries.to': [{ top: `boundaries: [{ from: h, to: ${map((i) => `k${i}: v`)} }]` }],
  'boundaries.toPods': [
    {
      top: `boundaries: [{ from: a, to: h, toNamespace: shop, toPods: ${map((i) => `k${i}: v`)} }]`,
      hub: ', boundary: closed',
    },
  ],
  'boundaries.ports': [
    { top: `boundaries: [{ from: a, to: h, ports: ${list((i) => String(i + 1))} }]`, hub: ', boundary: closed' },
  ],
  assertions: [{ top: `assertions: ${list(() => '{ from: a, to: h, expect: unreachable }', 1500)}` }],
  'assertions.from': [{ top: `assertions: [{ from: ${map((i) => `k${i}: v`)}, to: h, expect: reachable }]` }],
  'assertions.to': [{ top: `assertions: [{ from: h, to: ${map((i) => `k${i}: v`)}, expect: reachable }]` }],
  accept: [
    { top: `accept: ${list((i) => `{ code: ipam/block-tight, cluster: x${i}, reason: small }`)}` },
    { top: `accept: ${list(() => '{ code: ipam/block-tight, cluster: h, reason: small }')}` },
    {
      top: `accept: ${list((i) => `{ code: ipam/block-tight, cluster: c${i}, reason: small }`, 1500)}`,
      more: many(() => '', 1500),
    },
  ],
  'accept.link': [{ top: `accept: [{ code: link/mtu-differs, link: ${list(() => 'a')}, reason: equal }]` }],
  include: [{ top: `include: ${list((i) => `regions/f${i}.yaml`)}` }, { top: `include: ${list(() => 'regions/')}` }],
  'ipam.pools': [
    { top: `ipam: { pools: ${list(() => '10.0.0.0/8')} }`, more: many(() => '', 20) },
    { top: `ipam: { pools: [10.0.0.0/8, ${list(network).slice(1)} }`, more: many(() => '', 20) },
  ],
  'gitops.flux.dependsOn': [
    { top: `gitops: { repository: 'https://git.example/f', flux: { dependsOn: ${list((i) => `d${i}`)} } }` },
  ],
  'clusters.podCIDR': [{ leaf: `podCIDR: ${list(pod, 300)}` }, { leaf: `podCIDR: ${list(() => '10.81.0.0/16')}` }],
  'clusters.reserved': [
    { hub: `, reserved: ${list(network)}` },
    { hub: `, reserved: ${list(() => '172.20.0.0/24')}` },
    { hub: `, liqo: { version: 1.0.1 }, reserved: ${list((i) => `172.16.0.0/${12 + (i % 20)}`)}` },
  ],
  'clusters.labels': [{ hub: `, labels: ${map((i) => `k${i}: v`)}` }],
  'clusters.hub': [{ leaf: `podCIDR: 10.81.0.0/16, hub: ${list(() => 'h')}` }],
  'clusters.ipam.pools': [{ hub: `, ipam: { pools: ${list(() => '10.0.0.0/8')} }` }],
  'clusters.gateway.addresses': [
    { hub: `, labels: {}`, gateway: `, addresses: ${list((i) => `203.0.${i >> 8}.${i & 255}`)}` },
  ],
  'clusters.gateway.nodeSelector': [{ gateway: `, nodeSelector: ${map((i) => `k${i}: v`)}` }],
  'clusters.gateway.tolerations': [{ gateway: `, tolerations: ${list((i) => `{ key: k${i}, operator: Exists }`)}` }],
  'peerings.names': [{ top: `peerings: [{ between: [h, a], names: ${map((i) => `k${i}: {}`)} }]` }],
  'shortcuts.names': [
    {
      top: `shortcuts: [{ between: [c0, c1], server: c0, address: gw.example.net, names: ${map((i) => `k${i}: {}`)} }]`,
      more: many(() => '', 2),
    },
  ],
  'peerings.serviceAnnotations': [
    { top: `peerings: [{ between: [h, a], serviceAnnotations: ${map((i) => `k${i}: v`)} }]` },
  ],
  'shortcuts.serviceAnnotations': [
    {
      top: `shortcuts: [{ between: [c0, c1], server: c0, address: gw.example.net, serviceAnnotations: ${map((i) => `k${i}: v`)} }]`,
      more: many(() => '', 2),
    },
  ],
  'clusters.monitoring.labels': [{ hub: `, monitoring: { prometheusRules: true, labels: ${map((i) => `k${i}: v`)} }` }],
  'clusters.helmValues': [
    { hub: `, helmValues: { discovery: { config: { clusterLabels: ${map((i) => `k${i}: v`)} } } }` },
    { hub: `, helmValues: { offloading: { reflection: { skip: { labels: ${list((i) => `k${i}`)} } } } }` },
    { hub: `, helmValues: { offloading: { reflection: { skip: { annotations: ${list((i) => `k${i}`)} } } } }` },
    {
      hub: `, helmValues: { offloading: { reflection: { ingress: { ingressClasses: ${list((i) => `{ name: c${i} }`)} } } } }`,
    },
    { hub: `, helmValues: { virtualKubelet: { extra: { args: ${list((i) => `--a${i}=b`)} } } }` },
    { hub: `, helmValues: { virtualKubelet: { extra: { annotations: ${map((i) => `k${i}: v`)} } } }` },
    { hub: `, helmValues: { common: { affinity: ${map((i) => `k${i}: { a: [v] }`)} } }` },
    { hub: `, helmValues: { common: { tolerations: ${list((i) => `{ key: k${i}, operator: Exists }`)} } }` },
    { hub: `, helmValues: ${map((i) => `k${i}: v`)}` },
  ],
  sharing: [
    { top: `sharing: ${list(() => '{ consumer: h, provider: a }')}` },
    { top: `sharing: ${list((i) => `{ consumer: h, provider: c${i} }`, 1500)}`, more: many(() => '', 1500) },
    // Every cluster with every other one.
    { top: 'sharing: [{ consumer: {}, provider: {} }]', more: many(() => '', 1500) },
  ],
  'sharing.consumer': [{ top: `sharing: [{ consumer: ${map((i) => `k${i}: v`)}, provider: a }]` }],
  'sharing.provider': [{ top: `sharing: [{ consumer: h, provider: ${map((i) => `k${i}: v`)} }]` }],
  'sharing.resources': [
    { top: `sharing: [{ consumer: h, provider: a, resources: ${map((i) => `example.com/k${i}: 1`)} }]` },
  ],
  'sharing.virtualNode.labels': [loan(`virtualNode: { labels: ${map((i) => `k${i}: v`)} }`)],
  'sharing.virtualNode.annotations': [loan(`virtualNode: { annotations: ${map((i) => `k${i}: v`)} }`)],
  'sharing.virtualNode.taints': [loan(`virtualNode: { taints: ${list((i) => `{ key: k${i}, effect: NoSchedule }`)} }`)],
  'sharing.slices': [
    loan(`slices: ${list((i) => `{ name: s${i} }`)}`),
    loan(`slices: ${list(() => '{ name: s }')}`),
    loan(`slices: ${list(() => '{}')}`),
  ],
  'sharing.slices.resources': [loan(`slices: [{ name: s, resources: ${map((i) => `example.com/k${i}: 1`)} }]`)],
  'sharing.slices.virtualNode.labels': [loan(`slices: [{ virtualNode: { labels: ${map((i) => `k${i}: v`)} } }]`)],
  'sharing.slices.virtualNode.annotations': [
    loan(`slices: [{ virtualNode: { annotations: ${map((i) => `k${i}: v`)} } }]`),
  ],
  'sharing.slices.virtualNode.taints': [
    loan(`slices: [{ virtualNode: { taints: ${list((i) => `{ key: k${i}, effect: NoSchedule }`)} } }]`),
  ],
  offloading: [
    { top: `offloading: ${list((i) => `{ cluster: h, namespace: n${i} }`)}` },
    { top: `offloading: ${list(() => '{ cluster: h, namespace: n }')}` },
    {
      top: `sharing: [{ consumer: h, provider: {} }]\noffloading: ${list((i) => `{ cluster: h, namespace: n${i} }`, 100)}`,
      more: many(() => '', 100),
    },
  ],
  'offloading.to': [
    { top: `offloading: [{ cluster: h, namespace: n, to: ${list(() => 'a')} }]` },
    { top: `offloading: [{ cluster: h, namespace: n, to: ${map((i) => `k${i}: v`)} }]` },
  ],
  'clusters.gateway.serviceAnnotations': [{ gateway: `, serviceAnnotations: ${map((i) => `k${i}: v`)}` }],
};

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
}

const root = JSON.parse(
  readFileSync(new URL('../../schemas/topology.schema.json', import.meta.url), 'utf8'),
) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** The paths of lists, and of maps with names of the user's own; a cluster is described once, below `clusters`. */
function longPlaces(schema: Schema, path: readonly string[]): readonly string[] {
  if (schema.$ref !== undefined) return longPlaces(root.$defs[schema.$ref.replace('#/$defs/', '')] ?? {}, path);
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((it) => longPlaces(it, path));
  const types = [schema.type ?? []].flat();
  const isMap = typeof schema.additionalProperties === 'object';
  return [
    ...(types.includes('array') && !path.includes('defaults') ? [path.join('.')] : []),
    ...(isMap ? [path.join('.')] : []),
    ...(isMap ? longPlaces(schema.additionalProperties as Schema, path) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, it]) =>
      key === 'defaults' ? [] : longPlaces(it, [...path, key]),
    ),
    ...(schema.items ? longPlaces(schema.items, path) : []),
  ];
}

describe('a list of thousands', () => {
  it('is tested for each list and map of the schema', () => {
    // Lists and maps in values of Liqo's chart are in no schema of weft.
    const places = [...longPlaces(root, []), 'clusters.helmValues'];
    expect([...new Set(places)].sort()).toEqual(Object.keys(LONG).sort());
  });

  it.each(drawn(Object.entries(LONG).flatMap(([path, all]) => all.map((it, i) => [path, i, it] as const))))(
    'as %s (%i) is compiled or refused, with no more diagnostics than entries',
    (_path, _i, parts) => {
      const { diagnostics } = compileText(topology(parts));
      expect(diagnostics.length).toBeLessThanOrEqual(2 * COUNT + 10);
    },
  );
});

describe('a plan', () => {
  it('of tens of thousands of files that nothing explains asks each of them once', () => {
    const state = (text: string): PlanState => {
      const rows = Array.from({ length: 30_000 }, (_, i) => [`a/mine-${i}.yaml`, text] as const);
      const source = { path: 'topology.yaml', text: topology({}) };
      const compiled = compile({ topology: source, keys: undefined, lock: undefined }, { relock: [], only: null });
      const of = compiled.ok
        ? readPlanState({ files: compiled.value.bundle, lock: compiled.value.lock, known: null })
        : undefined;
      if (of === undefined) throw new Error('the state cannot be read');
      return { ...of, files: inFolders(new Map([...of.files, ...rows])) };
    };
    const plan = planChanges(state('a\n'), state('b\n'));
    expect(plan.files).toHaveLength(30_000);
    expect(plan.changes.map((it) => it.kind)).toEqual(['files-changed']);
  });

  it('of lists with thousands of networks finds what is added and removed', () => {
    const texts = (first: number) => Array.from({ length: 60_000 }, (_, i) => `10.0.0.0/${first + i}`);
    expect([listChange(texts(0), texts(0)), listChange(texts(0), texts(1))]).toEqual(['reordered', 'replaced']);
  });
});
