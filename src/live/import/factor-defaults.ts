import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { GatewaySettings } from './infer-gateway.ts';
import { mostCommon } from './most-common.ts';

type Clusters = ReadonlyMap<string, ClusterSpec>;

interface Factored {
  readonly defaults: ClusterSpec;
  readonly clusters: Clusters;
}

/** What a cluster without the key has: only a key that is always there, or that has this value then, can have a default. */
const WITHOUT: { readonly [key in keyof ClusterSpec]?: unknown } = { reserved: [] };

const SHARED = ['podCIDR', 'serviceCIDR', 'externalCIDR', 'internalCIDR', 'reserved'] as const;

const GATEWAY_WITHOUT: { readonly [key in keyof GatewaySettings]: GatewaySettings[key] } = {
  service: 'NodePort',
  ports: '51840-52839',
  nodePorts: '30000-32767',
  mtu: 1340,
  replicas: 1,
  externalTrafficPolicy: 'Cluster',
  ping: true,
};

/** Moves what more than half of the clusters have into `defaults`; those that have something else say so. */
export function factorDefaults(clusters: Clusters): Factored {
  if (clusters.size < 2) return { defaults: {}, clusters };
  const defaults: ClusterSpec = {};
  const rest = new Map([...clusters].map(([name, it]) => [name, { ...it }] as const));
  const all = [...rest.values()];
  for (const key of SHARED) {
    const usual = sharedValue(all, key, WITHOUT);
    if (usual === undefined) continue;
    // People choose the network of pods for each cluster, so it has a default only where nobody did.
    if (key === 'podCIDR' && !all.every((it) => same(it.podCIDR, usual))) continue;
    Object.assign(defaults, { [key]: usual });
    for (const it of all) subtract(it, key, usual, WITHOUT);
  }
  const gateway = factorGateway(all);
  if (Object.keys(gateway).length > 0) defaults.gateway = gateway;
  return { defaults, clusters: rest };
}

/** Settings of gateways, without their addresses. */
function factorGateway(clusters: readonly ClusterSpec[]): GatewaySettings {
  const gateways = clusters.map((it): GatewaySettings => ({ ...(it.gateway as GatewaySettings | undefined) }));
  const shared: GatewaySettings = {};
  for (const key of Object.keys(GATEWAY_WITHOUT) as (keyof GatewaySettings)[]) {
    const usual = sharedValue(gateways, key, GATEWAY_WITHOUT);
    if (usual === undefined) continue;
    Object.assign(shared, { [key]: usual });
    for (const it of gateways) subtract(it, key, usual, GATEWAY_WITHOUT);
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
  if (usual === undefined || usual.count * 2 <= items.length || same(usual.value, without[key])) return undefined;
  return usual.value as T[keyof T];
}

function subtract<T extends object>(item: T, key: keyof T, usual: unknown, without: Record_<T>): void {
  const own = item[key] ?? without[key];
  if (same(own, usual)) delete item[key];
  else item[key] = own as T[keyof T];
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
