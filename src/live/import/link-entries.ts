import type { ClusterSpec, LinkEntry, Topology } from '../../base/schema-types/topology.ts';
import type { HubsOf } from './choose-hubs.ts';
import type { Served } from './dialled.ts';
import type { GatewaySettings, inferGateway, LinkOptions } from './infer-gateway.ts';
import { namedServers } from './infer-servers.ts';
import type { LiveFleet } from './live-fleet.ts';
import type { LiveLink } from './live-link.ts';
import { namesOption } from './object-names.ts';
import { templateOption } from './templates-of.ts';

interface Decided {
  readonly hubsOf: HubsOf;
  readonly specs: ReadonlyMap<string, ClusterSpec>;
  readonly gateways: ReadonlyMap<string, ReturnType<typeof inferGateway>>;
  /** Of links whose gateways do not say it, by identity. */
  readonly mtus: ReadonlyMap<string, number>;
  readonly secretName: string;
  readonly foreignTemplates: ReadonlySet<string>;
  readonly shortcutOperator: boolean;
}

type Kind = 'hub' | 'shortcut' | 'peering';

/** The links that no hub describes, and the options of those that one does. */
export function linkEntries(live: LiveFleet, decided: Decided): Pick<Topology, 'peerings' | 'shortcuts'> {
  const kinds = new Map(live.served.map(({ link }) => [link.id, kindOf(link, live, decided)]));
  const named = namedServers(
    live.served.map((it) => {
      const kind = kinds.get(it.link.id);
      return {
        link: it.link,
        hub: kind === 'hub' ? hubIn(it.link, decided.hubsOf) : null,
        able: it.link.ends
          .map((end) => end.cluster)
          .filter((id) => mayServe(decided.specs.get(id), ofLink(it, decided))),
        isOriented: decided.shortcutOperator && kind === 'shortcut',
      };
    }),
  );
  const entries = live.served.flatMap((it) => {
    const kind = kinds.get(it.link.id) ?? 'peering';
    const options = optionsOf(it, live, decided, named.has(it.link.id));
    const isPlain = Object.keys(options).length === 0;
    return kind === 'hub' && isPlain
      ? []
      : [{ kind, entry: isPlain ? between(it.link) : { between: between(it.link), ...options } }];
  });
  const of = (...wanted: readonly Kind[]): LinkEntry[] =>
    entries.filter((it) => wanted.includes(it.kind)).map((it) => it.entry);
  const [peerings, shortcuts] = [of('hub', 'peering'), of('shortcut')];
  return {
    ...(peerings.length === 0 ? {} : { peerings }),
    ...(shortcuts.length === 0 ? {} : { shortcuts }),
  };
}

const between = ({ ends: [a, b] }: LiveLink): [string, string] => [a.cluster, b.cluster];

function hubIn({ ends: [a, b] }: LiveLink, hubsOf: HubsOf): string | null {
  if (hubsOf.get(a.cluster)?.includes(b.cluster) === true) return b.cluster;
  return hubsOf.get(b.cluster)?.includes(a.cluster) === true ? a.cluster : null;
}

/** With the fork's operator, a link for which there is no ForeignClusterConnection is no shortcut. */
function kindOf(link: LiveLink, { clusters }: LiveFleet, { hubsOf, shortcutOperator }: Decided): Kind {
  if (hubIn(link, hubsOf) !== null) return 'hub';
  const [a, b] = between(link);
  const common = (hubsOf.get(a) ?? []).filter((it) => hubsOf.get(b)?.includes(it));
  if (common.length === 0) return 'peering';
  const isConnected = common.some((hub) =>
    clusters.get(hub)?.shortcuts.some((it) => [it.client, it.server].sort().join() === [a, b].sort().join()),
  );
  return shortcutOperator && !isConnected ? 'peering' : 'shortcut';
}

const ofLink = ({ link }: Served, { gateways }: Decided): LinkOptions =>
  gateways.get(link.server.cluster)?.ofLinks.get(link.id) ?? {};

/** As weft decides it: the type of Service that a link names counts for either end. */
function mayServe(spec: ClusterSpec | undefined, { service }: LinkOptions): boolean {
  const { addresses, loadBalancerIP, service: ofCluster } = (spec?.gateway ?? {}) as GatewaySettings;
  return (addresses ?? []).length > 0 || (loadBalancerIP !== undefined && (service ?? ofCluster) === 'LoadBalancer');
}

function optionsOf(it: Served, live: LiveFleet, decided: Decided, isNamed: boolean): LinkOptions {
  const { link } = it;
  const mtu = decided.mtus.get(link.id);
  const names = namesOption(link, decided.secretName);
  const template = templateOption(link, live.clusters, decided.foreignTemplates);
  return {
    ...(isNamed ? { server: link.server.cluster } : {}),
    ...(mtu === undefined ? {} : { mtu }),
    ...ofLink(it, decided),
    ...(names === undefined ? {} : { names }),
    ...(template === undefined ? {} : { template }),
  };
}
