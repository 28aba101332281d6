import fc from 'fast-check';
import { contains, overlaps } from '../../src/base/net/prefix.ts';
import { prefixOf } from '../../src/base/net/text.ts';
import { RELEASE_LINES } from '../../src/base/releases/release.ts';
import { sharingGenes, withoutLostLoans, withSharing } from './arbitrary-sharing.ts';
import {
  type BoundarySpec,
  type ClusterSpec,
  fleetHubs,
  type GatewaySpec,
  hubPairs,
  hubsOf,
  type LinkSpec,
  type NamesSpec,
  pairOf,
  podCIDRsOf,
  releaseOf,
  type TopologySpec,
} from './topology-spec.ts';

/** The address ranges of a fleet: few choices, so that clusters often collide. */
export interface Plan {
  readonly pools: readonly string[] | null;
  readonly pods: readonly string[];
  readonly services: readonly string[];
  readonly externals: readonly string[];
  readonly internals: readonly string[];
  readonly reserved: readonly string[];
  readonly carves: readonly ({ readonly from: string; readonly prefix: number } | null)[];
  /** True when Liqo's default external and internal CIDRs lie outside the pools. */
  readonly withoutDefaults: boolean;
}

const WIDE: Plan = {
  pools: null,
  pods: [
    '10.200.0.0/16',
    '10.200.0.0/16',
    '10.202.0.0/16',
    '10.200.0.0/17',
    '10.201.128.0/18',
    '10.244.0.0/16',
    '10.0.0.0/14',
    '10.4.0.0/22',
    '192.168.0.0/18',
    '172.16.0.0/14',
    '10.70.0.0/16',
    '10.71.0.0/16',
    '10.68.0.0/14',
  ],
  services: ['10.96.0.0/12', '10.80.0.0/12', '10.96.0.0/12', '172.20.0.0/16', '192.168.128.0/18', '10.61.0.0/16'],
  externals: ['10.70.0.0/16', '10.71.0.0/16', '10.60.0.0/16', '10.200.0.0/18', '192.168.64.0/18', '10.62.16.0/20'],
  internals: ['10.80.0.0/16', '10.81.0.0/16', '10.60.0.0/16', '10.62.16.0/20', '10.70.0.0/17'],
  reserved: ['10.10.0.0/24', '192.168.200.0/24', '10.69.0.0/16', '172.31.0.0/16', '10.96.16.0/20', '10.202.4.0/24'],
  carves: [null, null, { from: '10.128.0.0/16', prefix: 20 }, { from: '10.64.0.0/10', prefix: 16 }],
  withoutDefaults: false,
};

const NARROW: Plan = {
  pools: ['10.0.0.0/13', '192.168.0.0/17'],
  pods: ['10.0.0.0/17', '10.0.0.0/17', '10.0.0.0/18', '10.1.0.0/16', '10.2.128.0/18', '10.2.0.0/22', '10.1.64.0/19'],
  services: ['10.4.0.0/16', '10.5.0.0/17', '10.4.0.0/16'],
  externals: ['10.6.0.0/18', '10.6.64.0/18', '10.6.0.0/20', '10.1.0.0/20', '10.0.0.0/20'],
  internals: ['10.7.0.0/18', '10.7.64.0/20', '192.168.0.0/20', '10.6.0.0/20'],
  reserved: ['192.168.64.0/20', '10.3.0.0/20', '10.4.16.0/24', '10.2.64.0/22'],
  carves: [null, { from: '192.168.0.0/17', prefix: 22 }, { from: '10.7.0.0/16', prefix: 20 }],
  withoutDefaults: true,
};

/** Many small pools: a CIDR may be a whole pool, which the best-fit allocator treats in its own way. */
const POOLS_OF_ONE: Plan = {
  pools: ['10.0.0.0/16', '10.1.0.0/16', '10.2.0.0/15', '10.4.0.0/14', '172.16.0.0/13'],
  pods: ['10.0.0.0/16', '10.1.0.0/16', '10.2.0.0/16', '10.0.0.0/17', '10.3.128.0/17', '10.5.0.0/18', '172.16.0.0/16'],
  services: ['10.4.0.0/16', '172.17.0.0/16'],
  externals: ['10.6.0.0/18', '10.6.64.0/18', '10.1.0.0/20', '10.1.0.0/16'],
  internals: ['10.7.0.0/18', '10.7.64.0/20', '10.3.0.0/17'],
  reserved: ['10.7.128.0/20', '172.18.0.0/20'],
  carves: [null, { from: '10.4.0.0/14', prefix: 20 }],
  withoutDefaults: true,
};

/** Hardly room for all, in sizes that do not fit together: what a rebuild would give may be nothing. */
const CRAMPED: Plan = {
  pools: ['10.0.0.0/13'],
  pods: ['10.0.0.0/16', '10.0.0.0/16', '10.0.0.0/15', '10.0.0.0/17', '10.1.0.0/18', '10.2.0.0/15', '10.4.0.0/16'],
  services: ['10.7.0.0/20', '10.5.0.0/20'],
  externals: ['10.7.16.0/20', '10.7.32.0/20', '10.0.0.0/22'],
  internals: ['10.7.64.0/20', '10.7.80.0/20'],
  reserved: ['10.7.96.0/22', '10.6.0.0/20'],
  carves: [{ from: '10.7.128.0/17', prefix: 22 }],
  withoutDefaults: true,
};

/** Some names begin like others, and some are words of the lock. */
const NAMES = [
  'rome',
  'rome-2',
  'milan',
  'oslo',
  'a',
  'a-b',
  'external',
  'view',
  'zurich',
  'europe',
  'c1',
  'pod',
  'join',
  '1a',
  'port',
  'internal',
] as const;

/** The random choices about a cluster; numbers are choices in a list. */
interface ClusterGenes {
  readonly pods: readonly number[];
  readonly service: number;
  readonly external: number;
  readonly internal: number;
  readonly reserved: readonly number[];
  readonly release: number;
  readonly gateway: number;
  readonly gatewayDetail: number;
  readonly hub: number;
  readonly retired: number;
}

interface LinkGenes {
  readonly pair: number;
  readonly options: number;
  readonly detail: number;
}

const byte = fc.nat({ max: 255 });
const choice = fc.nat({ max: 1_000 });

const clusterGenes: fc.Arbitrary<ClusterGenes> = fc.record({
  pods: fc.array(choice, { minLength: 1, maxLength: 3 }),
  service: choice,
  external: choice,
  internal: choice,
  reserved: fc.array(choice, { maxLength: 3 }),
  release: byte,
  gateway: byte,
  gatewayDetail: choice,
  hub: byte,
  retired: byte,
});

const linkGenes: fc.Arbitrary<LinkGenes> = fc.record({ pair: choice, options: byte, detail: choice });

/** A topology together with the plan behind it, which later edits follow. */
export interface Fleet {
  readonly spec: TopologySpec;
  readonly plan: Plan;
  readonly releases: 'mixed' | '1.0' | '1.1' | '1.2' | 'best-fit';
}

const pick = <T>(list: readonly T[], gene: number): T => list[gene % list.length] as T;

const RELEASES: readonly Fleet['releases'][] = ['mixed', 'mixed', '1.0', '1.1', '1.2', '1.2', 'best-fit', 'best-fit'];

export interface FleetLimits {
  readonly minClusters?: number;
  readonly maxClusters?: number;
}

export function arbitraryFleet({ minClusters = 2, maxClusters = 10 }: FleetLimits = {}): fc.Arbitrary<Fleet> {
  return fc
    .record({
      plan: byte,
      releases: byte,
      carve: byte,
      hubs: byte,
      order: fc.array(choice, { maxLength: 3 }),
      operator: byte,
      defaults: byte,
      gitops: fc.boolean(),
      names: fc.shuffledSubarray([...NAMES], { minLength: minClusters, maxLength: maxClusters }),
      clusters: fc.array(clusterGenes, { minLength: maxClusters, maxLength: maxClusters }),
      peerings: fc.array(linkGenes, { maxLength: 4 }),
      shortcuts: fc.array(linkGenes, { maxLength: 6 }),
      sharing: sharingGenes,
    })
    .map((genes) => {
      const plan = pick([WIDE, WIDE, WIDE, NARROW, POOLS_OF_ONE, CRAMPED], genes.plan);
      const releases = pick(RELEASES, genes.releases);
      const carve = pick(plan.carves, genes.carve);
      const hubs = genes.names.slice(0, Math.min(pick([1, 1, 1, 2, 3, 0], genes.hubs), genes.names.length - 1));
      const base: TopologySpec = {
        version: 1,
        name: 'fleet',
        ...(releases === 'mixed' ? {} : { liqo: { version: releases === 'best-fit' ? '1.0.0-rc.2' : releases } }),
        ...(hubs.length > 0 ? { hub: hubs.length === 1 ? (hubs[0] as string) : hubs } : {}),
        ...ipamOf(plan, releases, carve),
        ...(genes.gitops ? { gitops: { repository: 'https://example.com/network.git' } } : {}),
        ...pick([{}, {}, { defaults: { serviceCIDR: pick(plan.services, genes.defaults) } }], genes.defaults),
        clusters: {},
      };
      let fleet: Fleet = { spec: base, plan, releases };
      for (const [i, name] of genes.names.entries()) {
        fleet = withCluster(fleet, name, genes.clusters[i] as ClusterGenes);
      }
      for (const it of genes.peerings) fleet = withPeering(fleet, it, it.options % 3 === 0 ? 'options' : 'any');
      for (const it of genes.shortcuts) fleet = withShortcut(fleet, it);
      fleet = { ...fleet, spec: withSharing(fleet.spec, genes.sharing) };
      const order = [...new Set(genes.order.map((it) => pick(genes.names, it)))];
      const old = releases === '1.0' || releases === '1.1';
      return {
        ...fleet,
        spec: {
          ...fleet.spec,
          ...(order.length > 0 ? { order } : {}),
          ...(genes.operator % 4 === 1 ? { conformance: true } : {}),
          ...boundariesOf(fleet.spec, genes.operator),
          ...(old && genes.operator < 128 ? { liqo: { ...fleet.spec.liqo, shortcutOperator: true } } : {}),
        },
      };
    });
}

/** Closed clusters in a third of the fleets, and entries about a link that exists. */
function boundariesOf(spec: TopologySpec, gene: number): Partial<TopologySpec> {
  if (gene % 3 !== 1) return {};
  const [a, b] = spec.peerings?.[0]?.between ?? [];
  const closed = Object.entries(spec.clusters).map(([name, it], i) => {
    const boundary = pick(['closed', 'closed', 'open', undefined] as const, gene + i);
    return [name, boundary === undefined ? it : { ...it, boundary }] as const;
  });
  const clusters = Object.fromEntries(closed);
  if (a === undefined || b === undefined) return { clusters };
  const entries: readonly BoundarySpec[] = [
    { from: a, fromNamespace: 'web', to: b, toNamespace: 'shop', ports: [443, '8000-8100'] },
    { from: b, to: a, masqueraded: true, toNamespace: 'shop', protocol: 'UDP' },
    { from: b, to: a, toNamespace: 'shop', toPods: { tier: 'front', app: 'shop' }, ports: [443] },
    { from: {}, to: {}, protocol: 'TCP' },
    { from: {}, to: b, toNamespace: 'web', toPods: { app: 'web' }, ports: [80, 443] },
    { from: a, to: b, toNamespace: 'shop', toPods: { app: 'web' }, protocol: 'UDP' },
    { from: a, to: b, toNamespace: 'web', ports: [80] },
    { from: {}, to: b, ports: [53, '5000-5010'], protocol: 'UDP' },
  ];
  const [first, ...others] = spec.peerings ?? [];
  const boundary = pick(['closed', 'open'] as const, gene >> 5);
  return {
    clusters,
    ...(first !== undefined && gene % 2 === 1 ? { peerings: [{ ...first, boundary }, ...others] } : {}),
    boundaries: entries.slice((gene >> 4) % 6).slice(0, 1 + (gene % 4)),
  };
}

function ipamOf(plan: Plan, releases: Fleet['releases'], carve: Plan['carves'][number]): Pick<TopologySpec, 'ipam'> {
  const ipam = {
    ...(releases === 'best-fit' ? { allocator: 'best-fit' as const } : {}),
    ...(plan.pools ? { pools: plan.pools } : {}),
    ...(carve ? { carve } : {}),
  };
  return Object.keys(ipam).length > 0 ? { ipam } : {};
}

const collides = (cidr: string, own: readonly string[]): boolean =>
  own.some((it) => overlaps(prefixOf(it), prefixOf(cidr)));

/** The networks that collide with none before them. */
function disjoint(cidrs: readonly string[], own: readonly string[] = []): readonly string[] {
  const kept: string[] = [];
  for (const it of cidrs) if (!collides(it, [...own, ...kept])) kept.push(it);
  return kept;
}

/** About one cluster in forty is written without care, so that mistakes and refusals are seen, too. */
const isCareless = (gene: number): boolean => gene % 40 === 39;

function withCluster(fleet: Fleet, name: string, genes: ClusterGenes): Fleet {
  const { plan, releases } = fleet;
  const line = releases === 'mixed' ? pick(RELEASE_LINES, genes.release) : releases;
  const old = line !== '1.2';
  const careless = isCareless(genes.service);
  const defaultService = fleet.spec.defaults?.serviceCIDR;
  const service = defaultService && genes.service % 2 === 0 ? defaultService : pick(plan.services, genes.service);
  const requested = genes.pods.map((it) => pick(plan.pods, it));
  // Outside every pool: legal for 1.2, whose viewers remap it; older ones refuse such a peer.
  const outside = releases === '1.2' || releases === 'best-fit' ? ['100.64.0.0/17'] : [];
  const all = genes.release % 10 === 0 ? [...outside, ...requested] : requested;
  const possible = careless ? [...new Set(all)] : disjoint(all, [service]);
  const pods = possible.length > 0 ? possible : [plan.pods.find((it) => !collides(it, [service])) ?? '10.200.0.0/16'];
  // A peer before 1.2 reads the first pod CIDR only, so lists belong to fleets of 1.2.
  const mayList = releases === '1.2' || (releases === 'mixed' && !old && careless);
  const podCIDR = mayList && pods.length > 1 && genes.release % 3 === 0 ? pods : (pods[0] as string);
  const fixed = [...podCIDRsOf({ podCIDR }), service];
  const external = wishOf(plan.externals, genes.external, { fixed, old, careless, plan });
  const taken = external && external !== 'auto' ? [...fixed, external] : fixed;
  const internal = wishOf(plan.internals, genes.internal, { fixed: taken, old, careless, plan });
  const explicit = [external, internal].filter((it) => it !== undefined && it !== 'auto') as readonly string[];
  const reserved = reservedOf(
    genes.reserved.map((it) => pick(plan.reserved, it)),
    { fixed, explicit, old, careless },
  );
  const gateway = gatewayOf(fleet.spec, name, genes);
  const cluster: ClusterSpec = {
    podCIDR,
    ...(service === defaultService ? {} : { serviceCIDR: service }),
    ...(external ? { externalCIDR: external } : {}),
    ...(internal ? { internalCIDR: internal } : {}),
    ...(reserved.length > 0 ? { reserved } : {}),
    ...(releases === 'mixed' ? { liqo: { version: line } } : {}),
    ...hubOf(fleet.spec, name, genes.hub),
    ...gateway,
    ...platformOf(gateway, genes),
    ...(genes.retired < 12 && !fleetHubs(fleet.spec).includes(name) ? { retired: true } : {}),
  };
  return { ...fleet, spec: { ...fleet.spec, clusters: { ...fleet.spec.clusters, [name]: cluster } } };
}

interface Own {
  readonly fixed: readonly string[];
  readonly old: boolean;
  readonly careless: boolean;
}

function wishOf(
  choices: readonly string[],
  gene: number,
  { fixed, old, careless, plan }: Own & { readonly plan: Plan },
): string | undefined {
  const kind = pick(['none', 'explicit', 'auto', 'explicit', 'none'] as const, gene);
  const request = pick(choices, Math.floor(gene / 5));
  if (careless) return kind === 'none' ? undefined : request;
  if (kind === 'auto') return 'auto';
  if (kind === 'none') return plan.withoutDefaults && old ? 'auto' : undefined;
  // Up to 1.1 a collision moves it, unless it is the very same network in two roles; later it is refused.
  if (old ? fixed.includes(request) : collides(request, fixed)) return 'auto';
  return request;
}

function reservedOf(
  requested: readonly string[],
  { fixed, explicit, old, careless }: Own & { readonly explicit: readonly string[] },
): readonly string[] {
  const several = [...new Set(requested)];
  if (careless) return several;
  if (old) return disjoint(several, fixed);
  return several.filter((it) => !collides(it, explicit));
}

/** Another hub than the fleet's: a cluster that was there before, so that hubs form tiers and no ring; or none. */
function hubOf(spec: TopologySpec, name: string, gene: number): Pick<ClusterSpec, 'hub'> {
  const earlier = Object.keys(spec.clusters).filter((it) => !spec.clusters[it]?.retired);
  if (gene < 24 && earlier.length > 0 && !fleetHubs(spec).includes(name)) return { hub: pick(earlier, gene) };
  if (gene < 36 && earlier.length > 1 && !fleetHubs(spec).includes(name)) {
    return { hub: [...new Set([pick(earlier, gene), pick(earlier, gene + 1)])] };
  }
  return gene < 46 ? { hub: [] } : {};
}

const ANYWHERE = [
  {},
  {},
  {},
  {},
  { platform: 'k3s' },
  { platform: 'kind' },
  { platform: 'openshift' },
  { cni: 'aws-vpc' },
  { cni: 'kindnet', platform: 'rke2' },
  { cni: 'cilium' },
] as const;

/** The gateways of these are load balancers unless the cluster sets another type. */
const CLOUDS = [{}, { platform: 'eks' }, { platform: 'aks-overlay' }, { platform: 'aks-cni' }] as const;

/** About half of the clusters have a platform or a network plugin that changes something. */
function platformOf(
  { gateway }: Pick<ClusterSpec, 'gateway'>,
  { internal }: ClusterGenes,
): Pick<ClusterSpec, 'platform' | 'cni'> {
  const gene = Math.floor(internal / 7);
  const isBalanced = gateway === undefined || gateway.service === 'LoadBalancer';
  return isBalanced && gene % 2 === 0 ? pick(CLOUDS, gene / 2) : pick(ANYWHERE, gene);
}

const LAST_BYTE: ReadonlyMap<string, number> = new Map(NAMES.map((it, i) => [it as string, 10 + i]));

const addressOf = (name: string): string => `203.0.113.${LAST_BYTE.get(name) ?? 9}`;

function gatewayOf(spec: TopologySpec, name: string, genes: ClusterGenes): Pick<ClusterSpec, 'gateway'> {
  const gateway = gatewaySpec(name, genes);
  const serves = fleetHubs(spec).includes(name) || Object.keys(spec.clusters).length === 0;
  const mustServe = serves && (gateway === undefined || gateway.server === 'never');
  if (mustServe) return { gateway: { addresses: [addressOf(name)] } };
  return gateway ? { gateway } : {};
}

function gatewaySpec(name: string, { gateway, gatewayDetail }: ClusterGenes): GatewaySpec | undefined {
  const address = addressOf(name);
  const mtu = gatewayDetail % 4 === 0 ? { mtu: pick([1340, 1400, 1280, 8900], Math.floor(gatewayDetail / 4)) } : {};
  const prefer = gatewayDetail % 7 === 0 ? { server: 'prefer' as const } : {};
  switch (pick(['none', 'node', 'node-small', 'balanced', 'shared', 'inner', 'nat', 'never', 'node'], gateway)) {
    case 'node':
      return { addresses: [address], ...mtu, ...prefer, ...serviceOf(gatewayDetail, 'NodePort') };
    case 'node-small':
      return { addresses: [address], nodePorts: '30000-30019', ...mtu };
    case 'balanced':
      return {
        addresses: [address],
        service: 'LoadBalancer',
        ports: '51840-51859',
        loadBalancerIP: address,
        ...mtu,
        ...serviceOf(gatewayDetail, 'LoadBalancer'),
      };
    case 'shared':
      return { service: 'LoadBalancer', loadBalancerIP: '203.0.113.200', ports: '51840-51879', ...prefer };
    case 'inner':
      return { addresses: [`${name}.example.com`], service: 'ClusterIP', ...mtu };
    case 'nat':
      return { dial: { address: '198.51.100.7' }, nodePorts: '31000-31039' };
    case 'never':
      return { addresses: [address], server: 'never', ...mtu };
    default:
      return undefined;
  }
}

/** Settings of the Service that need a template of weft's own, in some releases or in all. */
function serviceOf(gene: number, service: 'NodePort' | 'LoadBalancer'): GatewaySpec {
  const local = gene % 5 === 0 ? { externalTrafficPolicy: 'Local' as const } : {};
  const annotated = gene % 3 === 0 ? { serviceAnnotations: { 'example.com/scheme': 'internal' } } : {};
  if (service === 'NodePort') return { ...local, ...annotated };
  return {
    ...local,
    ...annotated,
    ...(gene % 2 === 0 ? { loadBalancerClass: 'example.com/fast' } : {}),
    ...(gene % 11 === 0 ? { allocateLoadBalancerNodePorts: false } : {}),
  };
}

const canServe = ({ gateway }: ClusterSpec): boolean =>
  gateway !== undefined &&
  gateway.server !== 'never' &&
  (gateway.addresses !== undefined || gateway.dial?.address !== undefined || gateway.loadBalancerIP !== undefined);

const pairs = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));

const listed = (spec: TopologySpec): ReadonlySet<string> =>
  new Set([...(spec.peerings ?? []), ...(spec.shortcuts ?? [])].map((it) => pairOf(...it.between)));

/** A peering of its own, or options for a hub link. */
export function withPeering(
  fleet: Fleet,
  genes: LinkGenes,
  kind: 'new' | 'options' | 'any' = 'any',
  ends = Object.keys(fleet.spec.clusters),
): Fleet {
  const { spec } = fleet;
  const known = listed(spec);
  const hubs = hubPairs(spec);
  const candidates = pairs(ends).filter(([a, b]) => {
    const ofHub = hubs.has(pairOf(a, b));
    return !known.has(pairOf(a, b)) && (kind === 'any' || ofHub === (kind === 'options'));
  });
  const pair = candidates[genes.pair % Math.max(1, candidates.length)];
  const link = pair && linkOf(spec, pair, genes);
  return link ? { ...fleet, spec: { ...spec, peerings: [...(spec.peerings ?? []), link] } } : fleet;
}

export function withShortcut(fleet: Fleet, genes: LinkGenes, ends = Object.keys(fleet.spec.clusters)): Fleet {
  const { spec } = fleet;
  const taken = new Set([...listed(spec), ...hubPairs(spec)]);
  const candidates = pairs(ends).filter(
    ([a, b]) => !taken.has(pairOf(a, b)) && hubsOf(spec, a).some((hub) => hubsOf(spec, b).includes(hub)),
  );
  const pair = candidates[genes.pair % Math.max(1, candidates.length)];
  const link = pair && linkOf(spec, pair, genes);
  return link ? { ...fleet, spec: { ...spec, shortcuts: [...(spec.shortcuts ?? []), link] } } : fleet;
}

/** A link with options that fit its ends; nothing when neither end can be dialled. */
function linkOf(
  spec: TopologySpec,
  pair: readonly [string, string],
  { options, detail }: LinkGenes,
): LinkSpec | undefined {
  const between = detail % 2 === 0 ? pair : ([pair[1], pair[0]] as const);
  const able = pair.filter((it) => canServe(spec.clusters[it] as ClusterSpec));
  const server = able[detail % Math.max(1, able.length)];
  const gateway = server === undefined ? undefined : spec.clusters[server]?.gateway;
  if (server === undefined) {
    const end = pair.find((it) => spec.clusters[it]?.gateway?.server !== 'never');
    return end && options < 128 ? { between, server: end, address: `${pair.join('-')}.example.com` } : undefined;
  }
  switch (pick(['plain', 'mtu', 'server', 'port', 'plain', 'address', 'dialled', 'service', 'names'], options)) {
    case 'mtu':
      return { between, mtu: pick([1300, 576, 9000], detail) };
    case 'server':
      return detail % 3 === 0 ? { between, server, ...annotationsOf(detail) } : { between, server };
    case 'port': {
      const isNodePort = (gateway?.service ?? 'NodePort') === 'NodePort';
      const first = Number(gateway?.nodePorts?.slice(0, 5) ?? 30_000);
      if (isNodePort) return { between, server, nodePort: first + (detail % 20) };
      return { between, server, port: 51_840 + (detail % 20) };
    }
    case 'address':
      return { between, server, address: `${between.join('.')}.example.com`, ...annotationsOf(detail) };
    case 'dialled':
      return { between, server, port: 30_000 + (detail % 20) };
    case 'service':
      return { between, server, ...ownServiceOf(between, detail) };
    case 'names':
      return { between, names: namesOf(between, detail) };
    default:
      return { between };
  }
}

/** A Service of any type; those that have an address have one of their own. */
function ownServiceOf(between: readonly string[], gene: number): Omit<LinkSpec, 'between'> {
  const port = { servicePort: 51_840 + (gene % 3) };
  const address = `${between.join('-')}.example.com`;
  return pick(
    [
      { service: 'NodePort' },
      { service: 'NodePort', ...port },
      { service: 'LoadBalancer', loadBalancerIP: `198.51.100.${gene % 250}`, ...port },
      { service: 'LoadBalancer', address, ...port, port: 443 },
      { service: 'ClusterIP', address },
    ] as const,
    gene,
  );
}

/** The settings of one end or both. */
function namesOf([a, b]: readonly [string, string], gene: number): NonNullable<LinkSpec['names']> {
  const names: NamesSpec = pick(
    [
      { namespace: `of-${a}-${b}` },
      { configuration: `${b}.of.${a}` },
      { gateway: 'gateway', publicKey: 'key' },
      { namespace: `of-${a}-${b}`, configuration: `${a}-${b}`, gateway: `to-${b}`, publicKey: 'key' },
    ],
    gene,
  );
  return gene % 3 === 0 ? { [a]: names, [b]: names } : { [pick([a, b], gene)]: names };
}

/** None, the cluster's, other ones, or one more. */
const annotationsOf = (gene: number): Pick<LinkSpec, 'serviceAnnotations'> =>
  pick(
    [
      {},
      { serviceAnnotations: { 'example.com/scheme': 'internal' } },
      { serviceAnnotations: { 'example.com/scheme': 'internet-facing' } },
      { serviceAnnotations: { 'example.com/hostname': 'gw.example.com' } },
    ],
    Math.floor(gene / 3),
  );

/** A change of a topology, as a pull request makes it. */
export interface Edit {
  readonly kind: EditKind;
  readonly genes: ClusterGenes;
  readonly links: readonly LinkGenes[];
  readonly which: number;
}

/** Additions and removals concern whole clusters and links; changes concern what one of them is. */
export const ADDITIONS = ['add-cluster', 'add-peering', 'add-shortcut'] as const;
export const REMOVALS = ['remove-cluster', 'retire-cluster', 'remove-peering', 'remove-shortcut'] as const;
export const CHANGES = ['renumber', 'other-gateway', 'other-release', 'other-options', 'other-order'] as const;

export type EditKind = (typeof ADDITIONS)[number] | (typeof REMOVALS)[number] | (typeof CHANGES)[number];

export function arbitraryEdit(kinds: readonly EditKind[]): fc.Arbitrary<Edit> {
  return fc.record({
    kind: fc.constantFrom(...kinds),
    genes: clusterGenes,
    links: fc.array(linkGenes, { minLength: 1, maxLength: 3 }),
    which: choice,
  });
}

export const unusedName = ({ spec }: Fleet, gene: number): string =>
  pick(
    [...NAMES, 'lima', 'bonn', 'kiev', 'nice'].filter((it) => !spec.clusters[it]),
    gene,
  );

/** The fleet after an edit; the same fleet when there is nothing to edit in this way. */
export function applyEdit(fleet: Fleet, edit: Edit): Fleet {
  const edited = applied(fleet, edit);
  return { ...edited, spec: withoutLostLoans(edited.spec) };
}

function applied(fleet: Fleet, edit: Edit): Fleet {
  const { spec } = fleet;
  const names = Object.keys(spec.clusters);
  if (names.length < 2 && edit.kind !== 'add-cluster') return fleet;
  switch (edit.kind) {
    case 'add-cluster':
      return addCluster(fleet, unusedName(fleet, edit.which), edit);
    case 'add-peering':
      return edit.links.reduce((it, link) => withPeering(it, link, 'new'), fleet);
    case 'add-shortcut':
      return edit.links.reduce((it, link) => withShortcut(it, link), fleet);
    case 'remove-cluster':
      return { ...fleet, spec: withoutCluster(spec, pick(names, edit.which)) };
    case 'retire-cluster':
      return { ...fleet, spec: updated(spec, pick(names, edit.which), (it) => ({ ...it, retired: true })) };
    case 'remove-peering':
      return { ...fleet, spec: withoutPeering(spec, edit.which) };
    case 'remove-shortcut':
      return {
        ...fleet,
        spec: { ...spec, ...(spec.shortcuts ? { shortcuts: dropOne(spec.shortcuts, edit.which) } : {}) },
      };
    default:
      return changed(fleet, edit);
  }
}

/** A new cluster with links of its own to clusters that are there. */
export function addCluster(fleet: Fleet, name: string, { genes, links }: Pick<Edit, 'genes' | 'links'>): Fleet {
  const before = Object.keys(fleet.spec.clusters);
  let next = withCluster(fleet, name, { ...genes, retired: 255 });
  for (const [i, link] of links.entries()) {
    const other = pick(before, link.pair);
    next = i % 2 === 0 ? withShortcut(next, link, [name, other]) : withPeering(next, link, 'any', [name, other]);
  }
  return next;
}

function changed(fleet: Fleet, { kind, genes, which, links }: Edit): Fleet {
  const { spec } = fleet;
  const name = pick(Object.keys(spec.clusters), which);
  const renewed = withCluster(fleet, name, genes).spec.clusters[name] as ClusterSpec;
  const update = (change: (it: ClusterSpec) => ClusterSpec): Fleet => ({
    ...fleet,
    spec: updated(spec, name, change),
  });
  switch (kind) {
    case 'renumber':
      return update(({ gateway, hub, retired }) => ({
        ...without(renewed, ['gateway', 'hub', 'retired']),
        ...(gateway ? { gateway } : {}),
        ...(hub === undefined ? {} : { hub }),
        ...(retired ? { retired } : {}),
      }));
    case 'other-gateway':
      return update((it) => ({ ...it, ...(renewed.gateway ? { gateway: renewed.gateway } : {}) }));
    case 'other-release':
      return fleet.releases === 'mixed'
        ? update((it) => ({ ...it, liqo: { version: pick(RELEASE_LINES, genes.release) } }))
        : fleet;
    case 'other-options': {
      const at = which % Math.max(1, spec.peerings?.length ?? 0);
      const peerings = (spec.peerings ?? []).map((it, i) => {
        const link = i === at ? linkOf(spec, it.between, links[0] as LinkGenes) : undefined;
        return link ?? it;
      });
      return spec.peerings ? { ...fleet, spec: { ...spec, peerings } } : fleet;
    }
    default:
      return { ...fleet, spec: { ...spec, order: [name] } };
  }
}

function without<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;
}

const updated = (spec: TopologySpec, name: string, change: (it: ClusterSpec) => ClusterSpec): TopologySpec => ({
  ...spec,
  clusters: { ...spec.clusters, [name]: change(spec.clusters[name] as ClusterSpec) },
});

const dropOne = <T>(list: readonly T[], gene: number): readonly T[] => list.filter((_, i) => i !== gene % list.length);

/** The topology without one of its peerings; options of hub links stay, which are no links of their own. */
function withoutPeering(spec: TopologySpec, gene: number): TopologySpec {
  const hubs = hubPairs(spec);
  const own = (spec.peerings ?? []).filter((it) => !hubs.has(pairOf(...it.between)));
  const dropped = own[gene % Math.max(1, own.length)];
  return dropped ? { ...spec, peerings: (spec.peerings ?? []).filter((it) => it !== dropped) } : spec;
}

/** The topology without a cluster and everything that names it. */
function withoutCluster(spec: TopologySpec, name: string): TopologySpec {
  const others = (value: string | readonly string[]): readonly string[] =>
    (typeof value === 'string' ? [value] : value).filter((it) => it !== name);
  const clusters = Object.entries(spec.clusters)
    .filter(([it]) => it !== name)
    .map(([it, cluster]) => [it, cluster.hub === undefined ? cluster : { ...cluster, hub: others(cluster.hub) }]);
  const isElsewhere = ({ between }: LinkSpec): boolean => !between.includes(name);
  return {
    ...spec,
    clusters: Object.fromEntries(clusters) as TopologySpec['clusters'],
    ...(spec.hub === undefined ? {} : { hub: others(spec.hub) }),
    ...(spec.peerings ? { peerings: spec.peerings.filter(isElsewhere) } : {}),
    ...(spec.shortcuts ? { shortcuts: spec.shortcuts.filter(isElsewhere) } : {}),
    ...(spec.order ? { order: others(spec.order) } : {}),
  };
}

/** True if a pool of a cluster's IPAM contains the network. */
export const inPools = (pools: readonly string[], cidr: string): boolean =>
  pools.some((it) => contains(prefixOf(it), prefixOf(cidr)));

export const isOld = (spec: TopologySpec, name: string): boolean => releaseOf(spec, name) < '1.2';
