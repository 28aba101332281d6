import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { BoundaryEntry, Topology } from '../../../src/base/schema-types/topology.ts';
import { compile } from '../../../src/compile.ts';
import { compileLive } from '../../../src/host/app/compile-live.ts';
import { filesOf } from '../../../src/host/app/find-topology.ts';
import { withoutRemoteNamespaces } from '../../../src/live/import/boundary-entries.ts';
import { driftLines } from '../simulated/drift-lines.ts';
import { liveClusterOf } from '../simulated/live-cluster-of.ts';
import type { KubernetesList } from '../simulated/objects.ts';
import { simulateFleet } from '../simulated/simulate-fleet.ts';

const FLEET = `
version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.20 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  turin: { podCIDR: [10.204.0.0/16, 10.205.0.0/16], gateway: 203.0.113.40 }
shortcuts:
  - [rome, milan]
`;

type Dumps = ReadonlyMap<string, KubernetesList>;

/** The clusters of the fleet with some keys more, by path. */
function dumpsOf(keys: Readonly<Record<string, unknown>>): Dumps {
  const topology = parse(FLEET) as Record<string, unknown>;
  for (const [path, value] of Object.entries(keys)) {
    const steps = path.split('/');
    const last = steps.pop() ?? '';
    const at = steps.reduce<Record<string, unknown>>((it, step) => it[step] as Record<string, unknown>, topology);
    at[last] = value;
  }
  const compiled = compile(
    { topology: { path: 'topology.yaml', text: JSON.stringify(topology) }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  return simulateFleet(compiled.value.bundle);
}

/** The keys about boundaries in the topology that an import writes, what it remarks, and what compiling it changes. */
function importOf(dumps: Dumps) {
  const live = [...dumps].map(([id, list]) => liveClusterOf(id, list));
  const outcome = compileLive(live, { name: 'europe', files: filesOf('topology.yaml', undefined, false) });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('\n'));
  const { text } = outcome.value.sources.topology;
  const topology = parse(text) as Record<string, Record<string, { boundary?: string }>>;
  const ofClusters = Object.entries(topology['clusters'] ?? {}).flatMap(([name, { boundary }]) =>
    boundary === undefined ? [] : [`${name}: ${boundary}`],
  );
  return {
    boundary: [
      ...(topology['defaults']?.['boundary'] === undefined
        ? []
        : [`defaults: ${String(topology['defaults']['boundary'])}`]),
      ...ofClusters,
      ...text.split('\n').filter((it) => /^ {2}- \{ between.*boundary/.test(it)),
    ],
    entries: (text.split('boundaries:\n')[1] ?? '').split('\n').filter((it) => it !== ''),
    remarks: outcome.diagnostics.filter((it) => it.code === 'import/not-expressible').map((it) => it.message),
    changes: driftLines(outcome.value.compiled, dumps).filter((it) => / weft-|weft-(fence|boundaries)/.test(it)),
  };
}

const WEB = { from: 'rome', fromNamespace: 'web', to: 'milan', toNamespace: 'shop', ports: [443, '8000-8100'] };

describe('an import of fences and policies', () => {
  it.each([
    ['a fleet without any', {}, [], []],
    ['clusters that are closed to all', { 'defaults/boundary': 'closed' }, ['defaults: closed'], []],
    ['one closed cluster', { 'clusters/milan/boundary': 'closed' }, ['milan: closed'], []],
    [
      'a link that is open to a closed cluster',
      { 'clusters/milan/boundary': 'closed', shortcuts: [{ between: ['rome', 'milan'], boundary: 'open' }] },
      ['milan: closed', '  - { between: [milan, rome], boundary: open }'],
      [],
    ],
    [
      'a closed link of the hub alone',
      { peerings: [{ between: ['europe', 'turin'], boundary: 'closed' }] },
      ['  - { between: [europe, turin], boundary: closed }'],
      [],
    ],
    [
      'namespaces at both ends',
      { 'clusters/milan/boundary': 'closed', boundaries: [WEB] },
      ['milan: closed'],
      ['{ from: rome, fromNamespace: web, to: milan, toNamespace: shop, ports: [443, "8000-8100"] }'],
    ],
    [
      'parts of pod networks, and what is masqueraded',
      {
        'clusters/milan/boundary': 'closed',
        boundaries: [
          { from: 'rome', fromCIDR: '10.202.3.0/24', to: 'milan', toCIDR: '10.202.7.0/24', protocol: 'UDP' },
          { from: 'europe', masqueraded: true, to: 'milan', ports: 443 },
        ],
      },
      ['milan: closed'],
      [
        '{ from: europe, masqueraded: true, to: milan, ports: 443 }',
        '{ from: rome, fromCIDR: 10.202.3.0/24, to: milan, toCIDR: 10.202.7.0/24, protocol: UDP }',
      ],
    ],
    [
      'every sender, and every receiver',
      {
        'defaults/boundary': 'closed',
        boundaries: [
          { from: {}, to: {}, ports: [53, '5000-5010'], protocol: 'UDP' },
          { from: {}, to: 'europe', ports: 443 },
          { from: 'europe', to: {}, ports: 22 },
        ],
      },
      ['defaults: closed'],
      [
        '{ from: {}, to: {}, protocol: UDP, ports: [53, "5000-5010"] }',
        '{ from: europe, to: {}, ports: 22 }',
        '{ from: {}, to: europe, ports: 443 }',
      ],
    ],
    [
      'what several namespaces have in common',
      {
        'clusters/milan/boundary': 'closed',
        boundaries: [
          { from: 'rome', to: 'milan', ports: 80 },
          { from: 'rome', to: 'milan', toNamespace: 'shop', ports: 5432 },
          { from: 'europe', to: 'milan', toNamespace: 'web', ports: 8080 },
        ],
      },
      ['milan: closed'],
      [
        '{ from: europe, to: milan, toNamespace: web, ports: 8080 }',
        '{ from: rome, to: milan, ports: 80 }',
        '{ from: rome, to: milan, toNamespace: shop, ports: 5432 }',
      ],
    ],
    [
      'some pods of a namespace, beside what all namespaces have in common',
      {
        'clusters/milan/boundary': 'closed',
        boundaries: [
          { from: 'rome', to: 'milan', ports: 80 },
          { from: 'rome', to: 'milan', toNamespace: 'shop', toPods: { tier: 'front', app: 'true' }, ports: 80 },
          { from: {}, to: 'milan', toNamespace: 'web', toPods: { app: 'web' }, ports: 443 },
          { from: 'rome', to: 'milan', toNamespace: 'web', toPods: { app: 'api' }, ports: 443 },
        ],
      },
      ['milan: closed'],
      [
        '{ from: {}, to: {}, toNamespace: web, toPods: { app: web }, ports: 443 }',
        '{ from: rome, to: milan, ports: 80 }',
        '{ from: rome, to: milan, toNamespace: shop, toPods: { app: "true", tier: front }, ports: 80 }',
        '{ from: rome, to: milan, toNamespace: web, toPods: { app: api }, ports: 443 }',
      ],
    ],
  ] as const)('finds %s', (_, keys, boundary, entries) => {
    const found = importOf(dumpsOf(keys));
    expect(found.boundary).toEqual(boundary);
    expect(found.entries).toEqual(entries.map((it) => `  - ${it}`));
    expect(found).toMatchObject({ remarks: [], changes: [] });
  });

  interface Fence {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly table: { readonly chains: { readonly rules: { natRules: object[] } }[] } };
  }

  interface Policy {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    spec: { readonly podSelector: { matchLabels?: object }; readonly ingress: unknown };
  }

  /** The policy of some pods in milan, edited. */
  function withPolicy(edit: (spec: Policy['spec']) => object): Dumps {
    const boundaries = [
      { from: 'rome', to: 'milan', toNamespace: 'shop', ports: 80 },
      { from: 'rome', to: 'milan', toNamespace: 'shop', toPods: { app: 'shop' }, ports: 80 },
    ];
    const dumps = dumpsOf({ 'clusters/milan/boundary': 'closed', boundaries });
    const its = (dumps.get('milan')?.items ?? []) as unknown as Policy[];
    const policy = its.find((it) => it.kind === 'NetworkPolicy' && it.spec.podSelector.matchLabels !== undefined);
    if (policy === undefined) throw new Error('milan has no policy of some pods');
    policy.spec = { ...policy.spec, ...edit(policy.spec) };
    return dumps;
  }
  const BY_EXPRESSION = { matchExpressions: [{ key: 'app', operator: 'In', values: ['shop', 'web'] }] };

  /** The rules that let connections from rome into milan, edited. */
  function edited(edit: (rules: readonly object[]) => object[]): Dumps {
    const dumps = dumpsOf({ 'clusters/milan/boundary': 'closed', boundaries: [WEB] });
    const its = (dumps.get('milan')?.items ?? []) as unknown as Fence[];
    const rules = its.find((it) => it.metadata.name === 'weft-fence-rome')?.spec.table.chains[0]?.rules;
    if (rules === undefined) throw new Error('milan has no fence');
    rules.natRules = edit(rules.natRules);
    return dumps;
  }
  const isOf443 = (it: object): boolean => JSON.stringify(it).includes('"443"');

  it.each([
    [
      'a port that the fence lets in, and no policy',
      edited((them) => [
        ...them,
        ...them.filter(isOf443).map((it) => JSON.parse(JSON.stringify(it).replaceAll('443', '22')) as object),
      ]),
      1,
    ],
    ['what a policy lets in, and the fence refuses', edited((them) => them.filter((it) => !isOf443(it))), 3],
    [
      'a policy of pods that no labels select',
      withPolicy((it) => ({ podSelector: { ...it.podSelector, ...BY_EXPRESSION } })),
      1,
    ],
  ])('remarks %s', (_, dumps, rules) => {
    const { remarks, changes } = importOf(dumps);
    expect(remarks).toEqual([expect.stringMatching(new RegExp(`says ${rules} rules? of .* from "rome" to "milan"$`))]);
    expect(changes).not.toEqual([]);
  });
});

describe('entries about an offloaded namespace', () => {
  const TOPOLOGY = {
    sharing: [
      { consumer: 'rome', provider: 'milan' },
      { consumer: 'rome', provider: 'turin' },
    ],
    offloading: [{ cluster: 'rome', namespace: 'shop' }],
  } as unknown as Topology;
  const into = (to: string, toNamespace: string): BoundaryEntry => ({ from: 'europe', to, toNamespace, ports: 443 });
  const outOf = (from: string, fromNamespace: string): BoundaryEntry => ({ from, fromNamespace, to: 'europe' });

  it.each([
    ['one into a provider follows', [into('rome', 'shop'), into('milan', 'shop-rome'), into('turin', 'shop-rome')], 1],
    ['one out of a provider follows', [outOf('rome', 'shop'), outOf('milan', 'shop-rome')], 1],
    ['one with other ports stays', [into('rome', 'shop'), { ...into('milan', 'shop-rome'), ports: 80 }], 2],
    ['one about another namespace stays', [into('rome', 'shop'), into('milan', 'shop')], 2],
    [
      'one about a part of the pods stays',
      [into('rome', 'shop'), { ...into('milan', 'shop-rome'), toCIDR: '10.1.0.0/24' }],
      2,
    ],
    ['one alone stays', [into('milan', 'shop-rome')], 1],
  ] as const)('%s', (_, entries, left) => {
    expect(withoutRemoteNamespaces(entries, TOPOLOGY)).toEqual(entries.slice(0, left));
  });
});
