import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import { readPrefix } from '../../base/net/text.ts';
import { DEFAULT_EXTERNAL_CIDR } from '../../base/releases/install-defaults.ts';
import type { Topology } from '../../base/schema-types/topology.ts';
import type { LiveNetwork, LivePort, LiveView, WaitingView } from '../adopt/live-network.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import { type LiveEnd, liveLinks, servedAs } from '../facts/links.ts';
import type { ObservedConfiguration } from '../facts/peer.ts';
import { linkProblems } from '../problems/link-problems.ts';
import type { FindingRule, ImportFinding, LiveFleet } from './finding.ts';
import { dumpsAreComplete } from './findings/dumps.ts';
import { othersKeepNoObject, topologyCanSayIt } from './findings/expressible.ts';
import { keysCanBeUsed, linksAreWhole } from './findings/links.ts';
import { gatewayKeys } from './gateway-keys.ts';
import { inferUndumped } from './infer-networks.ts';
import { inferTopology } from './infer-topology.ts';
import { annotationsInTemplate } from './templates-of.ts';

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
    return [{ ...found, annotations: { ...inTemplate, ...found.annotations } }];
  });
  const names = sortedUnique([...clusters.keys(), ...served.flatMap(({ link }) => link.ends.map((it) => it.cluster))]);
  const live = { clusters, links, served, names, problems: linkProblems(links, clusters) };
  const topology = inferTopology(live, { name, foreignTemplates });
  return {
    topology,
    comments: fleetComments(live, topology),
    keys: gatewayKeys(live).keys,
    live: liveNetworkOf(observed),
    findings: findings(live),
  };
}

/** A topology that describes live clusters, before it is printed. */
export interface ImportedFleet {
  readonly topology: Topology;
  /** Comments by the path of their value, e.g. `clusters.rome.podCIDR`. */
  readonly comments: ReadonlyMap<string, string>;
  /** Public keys of gateways: by cluster, then by peer. */
  readonly keys: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The decisions for the lock. */
  readonly live: LiveNetwork;
  /** Defects of the live clusters, and states that cannot be expressed. */
  readonly findings: readonly ImportFinding[];
}

/** Comments for values that weft would not choose, by path. */
function fleetComments({ clusters, names }: LiveFleet, topology: Topology): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const id of names.filter((it) => !clusters.has(it)))
    comments.set(`clusters.${id}`, 'Not dumped: this is what its peers have of it, and the service CIDR is assumed.');
  if (sharesExternalCIDR(topology))
    comments.set(
      'clusters',
      `All have the external CIDR ${DEFAULT_EXTERNAL_CIDR}, so each sees its peers' as another.`,
    );
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
];

/** Returns all defects, and states that cannot be expressed. */
const findings = (live: LiveFleet): readonly ImportFinding[] => RULES.flatMap((rule) => [...rule(live)]);
