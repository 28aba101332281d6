import { byCodeUnit, groupBy, mostCommon, smallest, sortedUnique } from '../../base/core/collections.ts';
import type { PublicKeys } from '../../base/core/key-pair.ts';
import { readPrefix } from '../../base/net/text.ts';
import { NODE_PORTS } from '../../base/releases/gateways.ts';
import { DEFAULT_EXTERNAL_CIDR, DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import { isReservedKey } from '../../base/releases/labels.ts';
import type { ClusterSpec, Topology } from '../../base/schema-types/topology.ts';
import { DEFAULT_KEY_SECRET } from '../../fleet/topology/formats/dns-names.ts';
import { GATEWAY_DEFAULTS } from '../../fleet/topology/read-gateway.ts';
import type { LiveNetwork, LivePort, LiveView, WaitingView } from '../adopt/live-network.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import { type LiveEnd, type LiveLink, liveLinks, servedAs } from '../facts/links.ts';
import type { ObservedConfiguration } from '../facts/peer.ts';
import { linkProblems } from '../problems/link-problems.ts';
import { chooseHubs, fleetHubsOf, type HubsOf, ownHubs, withoutMeshes } from './choose-hubs.ts';
import type { FindingRule, ImportFinding, LiveFleet } from './finding.ts';
import { dumpsAreComplete, othersKeepNoObject, othersLimitNothing, topologyCanSayIt } from './findings/clusters.ts';
import { keysCanBeUsed, linksAreWhole } from './findings/links.ts';
import { gatewayPairs } from './gateway-keys.ts';
import { factorDefaults, type GatewaySettings, inferGateway } from './infer-gateway.ts';
import { inferInstallations, installationOf, usesShortcutOperator } from './infer-installation.ts';
import { inferNetworks, inferUndumped } from './infer-networks.ts';
import { hubsOfShortcuts, linkEntries, usualSecretName } from './link-entries.ts';
import { annotationsInTemplate, gatewayInTemplates } from './templates-of.ts';

interface FleetSettings {
  readonly name: string;
  /** Clusters whose gateway templates weft would not reproduce, so links name these templates. */
  readonly foreignTemplates?: ReadonlySet<string>;
}

/** Infers a topology, keys and decisions that describe live clusters, in the form that a user would write. */
export function inferFleet(
  observed: readonly ObservedCluster[],
  { name, foreignTemplates = new Set() }: FleetSettings,
): ImportedFleet {
  const clusters = new Map(observed.map((it) => [it.cluster, it]));
  const links = liveLinks(clusters);
  const linksOf = groupBy(links, (it) => it.ends.map((end) => end.cluster));
  const isDescribed = (cluster: string): boolean =>
    clusters.has(cluster) || inferUndumped(cluster, linksOf.get(cluster) ?? [], []) !== null;
  const served = links.flatMap((it) => {
    const found = it.ends.every((end) => isDescribed(end.cluster)) ? servedAs(it) : null;
    if (found === null) return [];
    const inTemplate = foreignTemplates.has(it.server.cluster) ? {} : annotationsInTemplate(it.server, clusters);
    const annotations = Object.entries({ ...inTemplate, ...found.annotations }).filter(([key]) => !isReservedKey(key));
    return [{ ...found, annotations: Object.fromEntries(annotations) }];
  });
  const names = sortedUnique([...clusters.keys(), ...served.flatMap(({ link }) => link.ends.map((it) => it.cluster))]);
  const live = { clusters, links, served, names, problems: linkProblems(links, clusters) };
  const topology = inferTopology(live, { name, foreignTemplates });
  return {
    topology,
    links: served.map((it) => it.link),
    comments: fleetComments(live, topology),
    keys: gatewayPairs(live, topology.keys?.secretName ?? DEFAULT_KEY_SECRET),
    live: liveNetworkOf(observed),
    findings: findings(live),
  };
}

/** A topology that describes live clusters, before it is printed. */
export interface ImportedFleet {
  readonly topology: Topology;
  /** The links of the topology. */
  readonly links: readonly LiveLink[];
  /** Comments by the path of their value, e.g. `clusters.rome.podCIDR`. */
  readonly comments: ReadonlyMap<string, string>;
  /** Public keys of gateways: by cluster, then by peer. */
  readonly keys: PublicKeys;
  /** The decisions for the lock. */
  readonly live: LiveNetwork;
  /** Defects of the live clusters, and states that cannot be expressed. */
  readonly findings: readonly ImportFinding[];
}

/** Comments for values that weft would not choose, by path. */
function fleetComments({ clusters, names, served }: LiveFleet, topology: Topology): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const id of names.filter((it) => !clusters.has(it)))
    comments.set(`clusters.${id}`, 'Not dumped: this is what its peers have of it, and the service CIDR is assumed.');
  const all = [
    ...(sharesExternalCIDR(topology)
      ? [`All have the external CIDR ${DEFAULT_EXTERNAL_CIDR}, so each sees its peers' as another.`]
      : []),
    ...(served.some((it) => it.service === 'NodePort')
      ? [
          `Existing links keep their node ports. New ones get ${NODE_PORTS.first}-${NODE_PORTS.last}, where no \`gateway.nodePorts\` says otherwise: no object shows the range.`,
        ]
      : []),
  ];
  if (all.length > 0) comments.set('clusters', all.join('\n'));
  return comments;
}

function sharesExternalCIDR({ clusters, defaults }: Topology): boolean {
  const specs = Object.values(clusters);
  const own = specs.map((it) => it.externalCIDR ?? defaults?.externalCIDR ?? DEFAULT_EXTERNAL_CIDR);
  return specs.length > 1 && own.every((it) => it === DEFAULT_EXTERNAL_CIDR);
}

/** Returns the decisions of these clusters: their views of peers, and the ports of their gateways. */
export function liveNetworkOf(clusters: readonly ObservedCluster[]): LiveNetwork {
  const links = liveLinks(new Map(clusters.map((it) => [it.cluster, it])));
  const read = links.flatMap((it) => it.ends.flatMap(viewsOf));
  return {
    views: read.filter((it) => 'seenAs' in it),
    waiting: read.filter((it) => !('seenAs' in it)),
    ports: links.flatMap((it): readonly LivePort[] => {
      const served = servedAs(it);
      if (served === null) return [];
      const isDialled = it.server.gateway?.role !== 'server';
      return [{ server: it.server.cluster, client: it.client.cluster, port: served.offered, isDialled }];
    }),
  };
}

function viewsOf({ cluster: viewer, remote, peer, configuration }: LiveEnd): readonly (LiveView | WaitingView)[] {
  if (configuration === null) return [];
  const given = new Map((peer?.networks ?? []).map((it) => [`${it.kind} ${it.asked}`, it.made]));
  return (['pod', 'external'] as const).flatMap((kind) =>
    configuration.remote[kind].flatMap((text, index) => {
      const cidr = readPrefix(text);
      if (!cidr.ok) return [];
      const view = { viewer, peer: remote, kind, cidr: cidr.prefix, object: configurationPlace(configuration) };
      const seenAs = readPrefix(configuration.seen?.[kind][index] ?? '');
      if (!seenAs.ok) return [view];
      const { created, version } = given.get(`${kind} ${text}`) ?? configuration.made;
      return [{ ...view, seenAs: seenAs.prefix, given: { created, version } }];
    }),
  );
}

const configurationPlace = ({ namespace, name }: ObservedConfiguration): LiveView['object'] => ({ namespace, name });

const RULES: readonly FindingRule[] = [
  dumpsAreComplete,
  linksAreWhole,
  keysCanBeUsed,
  topologyCanSayIt,
  othersKeepNoObject,
  othersLimitNothing,
];

/** Returns all defects, and states that cannot be expressed. */
const findings = (live: LiveFleet): readonly ImportFinding[] => RULES.flatMap((rule) => [...rule(live)]);

interface TopologySettings {
  readonly name: string;
  readonly foreignTemplates: ReadonlySet<string>;
}

/** Infers the topology of live clusters, without weft's defaults. */
function inferTopology(live: LiveFleet, { name, foreignTemplates }: TopologySettings): Topology {
  const { clusters, names, served } = live;
  const shortcutOperator = usesShortcutOperator(clusters);
  const edges = served.map(({ link }) => ({ server: link.server.cluster, client: link.client.cluster }));
  // The operator's shortcuts need a hub.
  const hubsOf = shortcutOperator ? hubsOfShortcuts(chooseHubs(edges), live) : chooseHubs(withoutMeshes(edges));
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
  return known.length === 0 ? DEFAULT_MTU_BYTES : smallest(known);
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
