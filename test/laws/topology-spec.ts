import { stringify } from 'yaml';
import type { Source } from '../../src/base/source/source.ts';

/** A topology as a user would write it, before it is printed. */
export interface TopologySpec {
  readonly version: 1;
  readonly name: string;
  readonly liqo?: { readonly version?: string; readonly shortcutOperator?: boolean };
  readonly ipam?: {
    readonly allocator?: 'best-fit';
    readonly pools?: readonly string[];
    readonly carve?: { readonly from: string; readonly prefix: number };
  };
  readonly hub?: string | readonly string[];
  readonly conformance?: boolean;
  readonly boundaries?: readonly BoundarySpec[];
  readonly gitops?: { readonly repository: string };
  readonly defaults?: Partial<ClusterSpec>;
  readonly clusters: Readonly<Record<string, ClusterSpec>>;
  readonly peerings?: readonly LinkSpec[];
  readonly shortcuts?: readonly LinkSpec[];
  readonly order?: readonly string[];
  readonly sharing?: readonly LoanSpec[];
  readonly offloading?: readonly OffloadingSpec[];
}

export interface BoundarySpec {
  readonly from: string | object;
  readonly to: string | object;
  readonly fromNamespace?: string;
  readonly toNamespace?: string;
  readonly toPods?: Readonly<Record<string, string>>;
  readonly masqueraded?: boolean;
  readonly protocol?: 'TCP' | 'UDP';
  readonly ports?: readonly (number | string)[];
}

export interface ClusterSpec {
  readonly boundary?: 'open' | 'closed';
  readonly podCIDR: string | readonly string[];
  readonly serviceCIDR?: string;
  readonly externalCIDR?: string;
  readonly internalCIDR?: string;
  readonly reserved?: readonly string[];
  readonly hub?: string | readonly string[];
  readonly gateway?: GatewaySpec;
  readonly platform?: string;
  readonly cni?: string;
  readonly liqo?: { readonly version: string };
  readonly ipam?: { readonly pools: readonly string[] };
  readonly retired?: boolean;
}

export interface GatewaySpec {
  readonly addresses?: readonly string[];
  readonly service?: 'NodePort' | 'LoadBalancer' | 'ClusterIP';
  readonly ports?: string;
  readonly nodePorts?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerClass?: string;
  readonly externalTrafficPolicy?: 'Cluster' | 'Local';
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly serviceAnnotations?: Readonly<Record<string, string>>;
  readonly mtu?: number;
  readonly dial?: { readonly address?: string; readonly port?: number };
  readonly server?: 'never' | 'prefer';
}

export interface LinkSpec {
  readonly between: readonly [string, string];
  readonly server?: string;
  readonly boundary?: 'open' | 'closed';
  readonly mtu?: number;
  readonly nodePort?: number;
  readonly address?: string;
  readonly port?: number;
  readonly serviceAnnotations?: Readonly<Record<string, string>>;
  readonly service?: NonNullable<GatewaySpec['service']>;
  readonly servicePort?: number;
  readonly loadBalancerIP?: string;
  /** By the cluster that has the objects. */
  readonly names?: Readonly<Record<string, NamesSpec>>;
}

export interface NamesSpec {
  readonly namespace?: string;
  readonly configuration?: string;
  readonly gateway?: string;
  readonly publicKey?: string;
}

interface SliceSpec {
  readonly name?: string;
  readonly resources?: Readonly<Record<string, string | number>>;
}

/** The lenders and borrowers, always by name. */
export interface LoanSpec extends SliceSpec {
  readonly consumer: string;
  readonly provider: string;
  readonly slices?: readonly SliceSpec[];
  readonly condition?: 'Active' | 'Cordoned' | 'Drained';
  readonly auth?: 'handshake' | 'credentials';
}

export interface OffloadingSpec {
  readonly cluster: string;
  readonly namespace: string;
  readonly to?: string | readonly string[];
  readonly pods?: 'Local' | 'Remote' | 'LocalAndRemote';
  readonly remoteName?: string;
  readonly createNamespace?: boolean;
}

/** A link without options is written short, as people do. */
const written = (link: LinkSpec): LinkSpec | readonly string[] =>
  Object.keys(link).length === 1 ? link.between : link;

export function topologySource(spec: TopologySpec): Source {
  const plain = {
    ...spec,
    ...(spec.peerings ? { peerings: spec.peerings.map(written) } : {}),
    ...(spec.shortcuts ? { shortcuts: spec.shortcuts.map(written) } : {}),
  };
  return { path: 'topologies/topology.yaml', text: stringify(plain, { aliasDuplicateObjects: false, lineWidth: 0 }) };
}

export const lockSource = (text: string): Source => ({ path: 'topologies/topology.lock.yaml', text });

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

export const podCIDRsOf = ({ podCIDR }: ClusterSpec): readonly string[] => listOf(podCIDR);

/** The hubs of a cluster, as in DESIGN: its own setting, else the fleet's hubs unless it is one of them. */
export function hubsOf(spec: TopologySpec, name: string): readonly string[] {
  const own = spec.clusters[name]?.hub;
  const fleet = listOf(spec.hub);
  const named = own === undefined ? (fleet.includes(name) ? [] : fleet) : listOf(own);
  return named.filter((it) => it !== name && spec.clusters[it] && !spec.clusters[it]?.retired);
}

export const pairOf = (a: string, b: string): string => [a, b].sort().join('/');

/** Every pair that some hub links. */
export function hubPairs(spec: TopologySpec): ReadonlySet<string> {
  return new Set(Object.keys(spec.clusters).flatMap((name) => hubsOf(spec, name).map((hub) => pairOf(name, hub))));
}

/** Every pair of clusters with a link, whatever declares it. */
export function linkedPairs(spec: TopologySpec): ReadonlySet<string> {
  const entries = [...(spec.peerings ?? []), ...(spec.shortcuts ?? [])].map((it) => pairOf(...it.between));
  return new Set([...hubPairs(spec), ...entries]);
}

export function releaseOf(spec: TopologySpec, name: string): string {
  return (spec.clusters[name]?.liqo?.version ?? spec.liqo?.version ?? '1.2').slice(0, 3);
}

export const fleetHubs = (spec: TopologySpec): readonly string[] => listOf(spec.hub);
