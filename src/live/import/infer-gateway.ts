import { largest, mostCommon, smallest, valueAt } from '../../base/core/collections.ts';
import { NODE_PORTS } from '../../base/releases/gateways.ts';
import type { ClusterSpec, GatewaySpec, LinkEntry } from '../../base/schema-types/topology.ts';
import { GATEWAY_DEFAULTS, SERVICE_PORTS } from '../../fleet/topology/read-gateway.ts';
import type { Served } from '../facts/links.ts';

/** The long form of a gateway. */
export type GatewaySettings = Exclude<GatewaySpec, string>;
/** The long form of a link, without its clusters. */
export type LinkOptions = Partial<Exclude<LinkEntry, readonly string[]>>;

interface InferredGateway {
  readonly settings: GatewaySettings;
  /** Options of links that differ from the settings, by link ID. */
  readonly ofLinks: ReadonlyMap<string, LinkOptions>;
}

/** Infers the gateway settings of a server: the most common values, with exceptions for single links. */
export function inferGateway(links: readonly Served[]): InferredGateway {
  const service = mostCommon(links.map((it) => it.service))?.value ?? GATEWAY_DEFAULTS.service;
  const usual = links.filter((it) => it.service === service);
  const address = usualAddress(usual);
  const loadBalancerIP = service === 'LoadBalancer' ? usualBalancer(usual) : null;
  const annotations = inAll(links.map((it) => it.annotations));
  const offered = links.filter((it) => it.service !== 'NodePort').map((it) => it.offered);
  // Services with a node port have the first one of the range, too.
  const firstPort = smallest(offered, mostCommon(portsBesideNodePorts(links))?.value ?? SERVICE_PORTS.first);
  const [ports, nodePorts] = [portsFrom(firstPort, offered), nodePortsOf(links)];
  const isDialled = address !== null && address !== loadBalancerIP;
  return {
    settings: {
      ...(isDialled ? { addresses: [address] } : {}),
      ...(service === GATEWAY_DEFAULTS.service ? {} : { service }),
      ...(ports === null ? {} : { ports }),
      ...(nodePorts === null ? {} : { nodePorts }),
      ...(loadBalancerIP === null ? {} : { loadBalancerIP }),
      ...(Object.keys(annotations).length === 0 ? {} : { serviceAnnotations: annotations }),
    },
    ofLinks: new Map(
      links.map((it) => [
        it.link.id,
        gatewayOptions(it, {
          service,
          // Only a load balancer is dialled at the address that the cluster requests for it.
          address: isDialled ? address : it.service === 'LoadBalancer' ? loadBalancerIP : null,
          loadBalancerIP,
          annotations,
          firstPort,
        }),
      ]),
    ),
  };
}

interface Usual {
  readonly service: Served['service'];
  readonly address: string | null;
  readonly loadBalancerIP: string | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly firstPort: number;
}

/** All nodes answer at a node port; a load balancer usually belongs to one link. */
function usualAddress(links: readonly Served[]): string | null {
  const most = mostCommon(links.map((it) => it.address));
  if (most === undefined) return null;
  const isShared = most.count > 1 || links.length === 1 || links[0]?.service === 'NodePort';
  return isShared ? most.value : null;
}

/** A link cannot remove the `loadBalancerIP` of its cluster, so all links must have one. */
function usualBalancer(links: readonly Served[]): string | null {
  if (links.some((it) => it.loadBalancerIP === null)) return null;
  const most = mostCommon(links.map((it) => it.loadBalancerIP));
  return most !== undefined && (most.count > 1 || links.length === 1) ? most.value : null;
}

const portsBesideNodePorts = (links: readonly Served[]): readonly number[] =>
  links.flatMap((it) => (it.service === 'NodePort' && it.servicePort !== null ? [it.servicePort] : []));

/** Returns a range from the first port that includes every Service port; `null` for weft's default. */
function portsFrom(first: number, ports: readonly number[]): string | null {
  if (first === SERVICE_PORTS.first && ports.every((it) => it <= SERVICE_PORTS.last)) return null;
  const last = Math.max(largest(ports, first), first + SERVICE_PORTS.last - SERVICE_PORTS.first);
  return `${first}-${Math.min(65535, last)}`;
}

function nodePortsOf(links: readonly Served[]): string | null {
  const ports = links.filter((it) => it.service === 'NodePort').map((it) => it.offered);
  const [first, last] = [smallest(ports, NODE_PORTS.first), largest(ports, NODE_PORTS.last)];
  return first === NODE_PORTS.first && last === NODE_PORTS.last ? null : `${first}-${last}`;
}

function inAll(maps: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  const [first = {}, ...others] = maps;
  return Object.fromEntries(
    Object.entries(first).filter(([key, it]) => others.every((one) => valueAt(one, key) === it)),
  );
}

function gatewayOptions(it: Served, usual: Usual): LinkOptions {
  const isNodePort = it.service === 'NodePort';
  const own = Object.entries(it.annotations).filter(([key, value]) => valueAt(usual.annotations, key) !== value);
  const isOther = it.port !== it.offered;
  // Behind NAT, the Service port differs from the dialled port.
  const servicePort = isNodePort ? it.servicePort !== null && it.servicePort !== usual.firstPort : isOther;
  const balancer = it.loadBalancerIP === usual.loadBalancerIP ? null : it.loadBalancerIP;
  return {
    ...(it.service === usual.service ? {} : { service: it.service }),
    ...(servicePort ? { servicePort: isNodePort ? (it.servicePort ?? it.offered) : it.offered } : {}),
    ...(balancer === null ? {} : { loadBalancerIP: balancer }),
    ...(it.address === (balancer ?? usual.address) ? {} : { address: it.address }),
    ...(isOther ? { port: it.port } : {}),
    ...(own.length === 0 ? {} : { serviceAnnotations: Object.fromEntries(own) }),
  };
}

type Clusters = ReadonlyMap<string, ClusterSpec>;

interface Factored {
  readonly defaults: ClusterSpec;
  readonly clusters: Clusters;
}

/** The value of an absent key: only keys that are always present, or have a value here, can have a default. */
const WITHOUT: { readonly [key in keyof ClusterSpec]?: unknown } = { reserved: [] };

const SHARED = ['podCIDR', 'serviceCIDR', 'externalCIDR', 'internalCIDR', 'reserved'] as const;

/** Moves values of more than half of the clusters into `defaults`; the other clusters get explicit values. */
export function factorDefaults(clusters: Clusters): Factored {
  if (clusters.size < 2) return { defaults: {}, clusters };
  const defaults: ClusterSpec = {};
  const rest = new Map([...clusters].map(([name, it]) => [name, { ...it }] as const));
  const all = [...rest.values()];
  for (const key of SHARED) {
    const usual = sharedValue(all, key, WITHOUT);
    if (usual === undefined) continue;
    // Users choose a pod network per cluster, so it becomes a default only if all clusters have the same.
    if (key === 'podCIDR' && !all.every((it) => isSameJson(it.podCIDR, usual))) continue;
    Object.assign(defaults, { [key]: usual });
    for (const it of all) subtract(it, key, usual, WITHOUT);
  }
  const gateway = factorGateway(all);
  if (Object.keys(gateway).length > 0) defaults.gateway = gateway;
  return { defaults, clusters: rest };
}

/** Moves common gateway settings, without addresses, out of the clusters. */
function factorGateway(clusters: readonly ClusterSpec[]): GatewaySettings {
  const gateways = clusters.map((it): GatewaySettings => ({ ...(it.gateway as GatewaySettings | undefined) }));
  const shared: GatewaySettings = {};
  for (const key of Object.keys(GATEWAY_DEFAULTS) as (keyof GatewaySettings)[]) {
    const usual = sharedValue(gateways, key, GATEWAY_DEFAULTS);
    if (usual === undefined) continue;
    Object.assign(shared, { [key]: usual });
    for (const it of gateways) subtract(it, key, usual, GATEWAY_DEFAULTS);
  }
  for (const [index, it] of clusters.entries()) {
    const own = gateways[index] ?? {};
    if (Object.keys(own).length > 0) it.gateway = own;
    else delete it.gateway;
  }
  return shared;
}

type Record_<T> = { readonly [key in keyof T]?: unknown };

function sharedValue<T extends object>(items: readonly T[], key: keyof T, without: Record_<T>): T[keyof T] | undefined {
  const values = items.map((it) => it[key] ?? without[key]);
  if (values.some((it) => it === undefined)) return undefined;
  const usual = mostCommon(values);
  if (usual === undefined || usual.count * 2 <= items.length || isSameJson(usual.value, without[key])) return undefined;
  return usual.value as T[keyof T];
}

function subtract<T extends object>(item: T, key: keyof T, usual: unknown, without: Record_<T>): void {
  const own = item[key] ?? without[key];
  if (isSameJson(own, usual)) delete item[key];
  else item[key] = own as T[keyof T];
}

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
