import { byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import type { ClusterSpec, Topology } from '../../base/schema-types/topology.ts';
import { DEFAULT_KEY_SECRET } from '../../fleet/topology/formats/dns-names.ts';
import { GATEWAY_DEFAULTS } from '../../fleet/topology/read-gateway.ts';
import type { LiveLink } from '../facts/links.ts';
import { chooseHubs, fleetHubsOf, type HubsOf, ownHubs } from './choose-hubs.ts';
import type { LiveFleet } from './finding.ts';
import { factorDefaults, type GatewaySettings, inferGateway } from './infer-gateway.ts';
import { inferInstallations, installationOf, usesShortcutOperator } from './infer-installation.ts';
import { inferNetworks } from './infer-networks.ts';
import { linkEntries, usualSecretName } from './link-entries.ts';
import { mostCommon } from './most-common.ts';
import { gatewayInTemplates } from './templates-of.ts';

interface TopologySettings {
  readonly name: string;
  readonly foreignTemplates: ReadonlySet<string>;
}

/** Infers the topology of live clusters, without weft's defaults. */
export function inferTopology(live: LiveFleet, { name, foreignTemplates }: TopologySettings): Topology {
  const { clusters, names, served } = live;
  const hubsOf = chooseHubs(served.map(({ link }) => ({ server: link.server.cluster, client: link.client.cluster })));
  const fleetHubs = fleetHubsOf(names, hubsOf);
  const gateways = inferGateways(live);
  const installations = inferInstallations(new Map([...clusters].map(([id, it]) => [id, installationOf(it)])));
  const hubs = ownHubs(names, hubsOf, fleetHubs);
  const networks = inferNetworks(live);
  const mtus = chooseMtus(live.links);
  const specs = names.map((id): readonly [string, ClusterSpec] => {
    const observed = clusters.get(id);
    const inTemplates = observed === undefined || foreignTemplates.has(id) ? {} : gatewayInTemplates(observed);
    const gateway = { ...gateways.get(id)?.settings, ...mtuSetting(mtus.ofClusters.get(id)), ...inTemplates };
    const hub = hubs.get(id);
    return [
      id,
      {
        ...networks.get(id),
        ...(hub === undefined ? {} : { hub: shortList(hub) }),
        ...(Object.keys(gateway).length === 0 ? {} : { gateway }),
        ...installations.ofClusters.get(id),
      },
    ];
  });
  const factored = factorDefaults(new Map(specs));
  const secretName = usualSecretName(served.map((it) => it.link)) ?? DEFAULT_KEY_SECRET;
  const shortcutOperator = usesShortcutOperator(clusters);
  const liqo = { ...installations.liqo, ...(shortcutOperator ? { shortcutOperator } : {}) };
  return {
    version: 1,
    name,
    ...(Object.keys(liqo).length === 0 ? {} : { liqo }),
    ...(installations.pools === null ? {} : { ipam: { pools: [...installations.pools] } }),
    ...(fleetHubs.length === 0 ? {} : { hub: shortList(fleetHubs) }),
    ...(secretName === DEFAULT_KEY_SECRET ? {} : { keys: { secretName } }),
    ...(Object.keys(factored.defaults).length === 0 ? {} : { defaults: factored.defaults }),
    clusters: inReadingOrder(factored, fleetHubs, hubsOf),
    ...linkEntries(live, {
      hubsOf,
      specs: new Map(specs),
      gateways,
      mtus: mtus.ofLinks,
      secretName,
      foreignTemplates,
      shortcutOperator,
    }),
  };
}

const mtuSetting = (mtu: number | undefined): GatewaySettings =>
  mtu === undefined || mtu === GATEWAY_DEFAULTS.mtu ? {} : { mtu };

/** Writes a list of one entry without brackets. */
const shortList = (names: readonly string[]): string | string[] =>
  names.length === 1 ? (names[0] as string) : [...names];

function inferGateways({ served }: LiveFleet): ReadonlyMap<string, ReturnType<typeof inferGateway>> {
  const byServer = groupBy(served, (it) => [it.link.server.cluster]);
  return new Map([...byServer].map(([cluster, links]) => [cluster, inferGateway(links)]));
}

/** Sorts hubs first, then the others by name; a gateway with only an address becomes that address. */
function inReadingOrder(
  { clusters, defaults }: ReturnType<typeof factorDefaults>,
  fleetHubs: readonly string[],
  hubsOf: HubsOf,
): Readonly<Record<string, ClusterSpec>> {
  const hubs = new Set([...hubsOf.values()].flat());
  const rank = (it: string): number => (fleetHubs.includes(it) ? 0 : hubs.has(it) ? 1 : 2);
  const sorted = [...clusters].sort(([a], [b]) => rank(a) - rank(b) || byCodeUnit(a, b));
  return Object.fromEntries(sorted.map(([id, it]) => [id, defaults.gateway === undefined ? withShortGateway(it) : it]));
}

function withShortGateway(spec: ClusterSpec): ClusterSpec {
  const { addresses, ...others } = (spec.gateway ?? {}) as GatewaySettings;
  const [address] = addresses ?? [];
  return address === undefined || Object.keys(others).length > 0 ? spec : { ...spec, gateway: address };
}

interface ChosenMtus {
  /** The MTU of a cluster's gateways; weft's default for clusters that are left out. */
  readonly ofClusters: ReadonlyMap<string, number>;
  /** By link ID, for links whose gateways have another MTU. */
  readonly ofLinks: ReadonlyMap<string, number>;
}

/** Returns the MTU of a link in bytes; the smaller one if its ends differ, because both can use it. */
function mtuOf({ ends }: LiveLink): number {
  const known = ends.flatMap(({ gateway }) => (gateway?.mtu ? [gateway.mtu] : []));
  return known.length === 0 ? DEFAULT_MTU_BYTES : Math.min(...known);
}

/** Chooses the MTU of gateways, with exceptions for links: either one for the fleet, or each cluster's largest. */
function chooseMtus(links: readonly LiveLink[]): ChosenMtus {
  const wanted = links.map((link) => ({ link, mtu: mtuOf(link) }));
  const most = mostCommon(wanted.map((it) => it.mtu));
  const isUsual = wanted.filter((it) => it.mtu === DEFAULT_MTU_BYTES).length >= (most?.count ?? 0);
  const usual = isUsual ? DEFAULT_MTU_BYTES : (most?.value ?? DEFAULT_MTU_BYTES);
  const largest = new Map<string, number>();
  for (const { link, mtu } of wanted) {
    for (const { cluster } of link.ends) largest.set(cluster, Math.max(mtu, largest.get(cluster) ?? 0));
  }
  const same = new Map([...largest.keys()].map((it) => [it, usual] as const));
  const [bySame, byLargest] = [ofLinks(wanted, same), ofLinks(wanted, largest)];
  const others = [...largest.values()].filter((it) => it !== usual).length;
  return byLargest.size + others < bySame.size
    ? { ofClusters: largest, ofLinks: byLargest }
    : { ofClusters: same, ofLinks: bySame };
}

/** Returns the links that need their own MTU: the default is the MTU of their gateways, if both have the same. */
function ofLinks(
  wanted: readonly { readonly link: LiveLink; readonly mtu: number }[],
  gateways: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const differing = wanted.filter(({ link, mtu }) => link.ends.some((it) => gateways.get(it.cluster) !== mtu));
  return new Map(differing.map(({ link, mtu }) => [link.id, mtu]));
}
