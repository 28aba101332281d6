import { mostCommon } from '../../base/core/collections.ts';
import { generationIn } from '../../base/core/key-pair.ts';
import { tenantNamespace } from '../../base/releases/labels.ts';
import type { ClusterSpec, LinkEntry, Topology } from '../../base/schema-types/topology.ts';
import { orientShortcuts } from '../../fleet/model/choose-servers.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import type { LiveEnd, LiveLink, Served } from '../facts/links.ts';
import type { HubsOf } from './choose-hubs.ts';
import type { LiveFleet } from './finding.ts';
import type { GatewaySettings, inferGateway, LinkOptions } from './infer-gateway.ts';
import { templateOption } from './templates-of.ts';

interface Decided {
  readonly hubsOf: HubsOf;
  readonly specs: ReadonlyMap<string, ClusterSpec>;
  readonly gateways: ReadonlyMap<string, ReturnType<typeof inferGateway>>;
  /** MTUs of links that differ from their gateways, by link ID. */
  readonly mtus: ReadonlyMap<string, number>;
  readonly secretName: string;
  readonly foreignTemplates: ReadonlySet<string>;
  readonly shortcutOperator: boolean;
}

type EntryKind = 'hub' | 'shortcut' | 'peering';

/** Returns entries for links that no hub describes, and for hub links with options. */
export function linkEntries(live: LiveFleet, decided: Decided): Pick<Topology, 'peerings' | 'shortcuts'> {
  const kinds = new Map(live.served.map(({ link }) => [link.id, linkKindOf(link, live, decided)]));
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
    const options = entryOptions(it, live, decided, named.has(it.link.id));
    const isPlain = Object.keys(options).length === 0;
    return kind === 'hub' && isPlain
      ? []
      : [{ kind, entry: isPlain ? between(it.link) : { between: between(it.link), ...options } }];
  });
  const of = (...wanted: readonly EntryKind[]): LinkEntry[] =>
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

/** With the fork's operator, a link without a ForeignClusterConnection is not a shortcut. */
function linkKindOf(link: LiveLink, { clusters }: LiveFleet, { hubsOf, shortcutOperator }: Decided): EntryKind {
  if (hubIn(link, hubsOf) !== null) return 'hub';
  const common = commonHubs(link, hubsOf);
  if (common.length === 0) return 'peering';
  return shortcutOperator && !common.some((it) => connects(clusters.get(it), between(link))) ? 'peering' : 'shortcut';
}

function commonHubs({ ends: [a, b] }: LiveLink, hubsOf: HubsOf): readonly string[] {
  return (hubsOf.get(a.cluster) ?? []).filter((it) => hubsOf.get(b.cluster)?.includes(it));
}

/** True for a hub with a ForeignClusterConnection of all these clusters. */
const connects = (hub: ObservedCluster | undefined, ends: readonly string[]): boolean =>
  hub?.shortcuts.some((it) => ends.every((end) => [it.client, it.server].includes(end))) === true;

/**
 * With the fork's operator, every hub that the ends of a shortcut share has a ForeignClusterConnection of it. If one has none, it
 * is no hub of an end that it connects with no other cluster.
 */
export function hubsOfShortcuts(chosen: HubsOf, { served, clusters }: LiveFleet): HubsOf {
  const hubsOf = new Map(chosen);
  for (const { link } of served) {
    const common = hubIn(link, hubsOf) === null ? commonHubs(link, hubsOf) : [];
    const idle = common.filter((it) => clusters.has(it) && !connects(clusters.get(it), between(link)));
    if (idle.length === common.length) continue;
    for (const hub of idle) {
      const end = between(link).find((it) => !connects(clusters.get(hub), [it]));
      if (end !== undefined)
        hubsOf.set(
          end,
          (hubsOf.get(end) ?? []).filter((it) => it !== hub),
        );
    }
  }
  return hubsOf;
}

const ofLink = ({ link }: Served, { gateways }: Decided): LinkOptions =>
  gateways.get(link.server.cluster)?.ofLinks.get(link.id) ?? {};

/** True when weft can choose this end as the server. The link's Service type applies to either end. */
function mayServe(spec: ClusterSpec | undefined, { service }: LinkOptions): boolean {
  const { addresses, loadBalancerIP, service: ofCluster } = (spec?.gateway ?? {}) as GatewaySettings;
  return (addresses ?? []).length > 0 || (loadBalancerIP !== undefined && (service ?? ofCluster) === 'LoadBalancer');
}

function entryOptions(it: Served, live: LiveFleet, decided: Decided, isNamed: boolean): LinkOptions {
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

/** A link with the facts that decide its server. */
interface ServerRequest {
  readonly link: LiveLink;
  readonly hub: string | null;
  /** The ends that weft could choose, because they can be dialled. */
  readonly able: readonly string[];
  /** True when the fork's operator uses the link, which affects the better end. */
  readonly isOriented: boolean;
}

/** Returns the IDs of links for which weft would choose the other end, so that they have to name their server. */
function namedServers(requests: readonly ServerRequest[]): ReadonlySet<string> {
  const named = new Set(requests.filter((it) => chosen(it) !== it.link.server.cluster).map((it) => it.link.id));
  const oriented = requests.filter((it) => it.isOriented);
  // A named server may reverse other shortcuts, so orientation is repeated until all servers match.
  for (let before = -1; before < named.size; ) {
    before = named.size;
    const servers = orientShortcuts(oriented.map((it) => edgeOf(it, named)));
    for (const { link } of oriented) if (servers.get(link.id) !== link.server.cluster) named.add(link.id);
  }
  return named;
}

/** Returns weft's choice: the only end that can be dialled, else the hub, else the first name. */
function chosen({ link, hub, able }: ServerRequest): string | null {
  if (able.length < 2) return able[0] ?? null;
  return hub ?? link.ends[0].cluster;
}

function edgeOf(it: ServerRequest, named: ReadonlySet<string>) {
  const { link, able } = it;
  const isFixed = named.has(link.id) || able.length < 2;
  return {
    id: link.id,
    ends: [link.ends[0].cluster, link.ends[1].cluster] as const,
    forcedServer: isFixed ? link.server.cluster : null,
    preferredServer: chosen(it) ?? link.server.cluster,
  };
}

/** The placeholder for the other cluster in the name of a Secret. */
const PEER = '{peer}';

/** Returns the name of the Secret with a gateway's key pair; `null` when it is unknown. */
function secretOf({ peer, gateway }: LiveEnd): string | null {
  if (gateway === null) return null;
  const labelled = (peer?.keySecrets ?? []).filter((it) => it.namespace === gateway.namespace);
  // The name that Liqo chooses. Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go.
  return gateway.secret ?? gateway.usedSecret ?? labelled[0]?.name ?? `gw-${gateway.name}`;
}

/** Returns the name of most key Secrets of the first generation, which may contain the other cluster. */
export function usualSecretName(links: readonly LiveLink[]): string | null {
  const ends = links.flatMap(({ ends: some }) =>
    some.flatMap((it) => {
      const name = secretOf(it);
      return name === null ? [] : [{ name, remote: it.remote }];
    }),
  );
  const patterns = ends.map(({ name, remote }) => generationIn(name.split(remote).join(PEER)).first);
  const literal = ends.map(({ name, remote }) => (name.includes(remote) ? name : generationIn(name).first));
  const [best, bestLiteral] = [mostCommon(patterns), mostCommon(literal)];
  if (best === undefined || bestLiteral === undefined) return null;
  // The name of a cluster may be part of a name that all Secrets have.
  return bestLiteral.count >= best.count ? bestLiteral.value : best.value;
}

/** The generation of a gateway's key pair, which the name of its Secret contains. */
export function generationOf(end: LiveEnd, secretName: string): number {
  const { first, generation } = generationIn(secretOf(end) ?? '');
  return first === secretName.replaceAll(PEER, end.remote) ? generation : 1;
}

type ObjectNames = NonNullable<LinkOptions['names']>[string];

/** Returns the names of a link's objects that differ from weft's, by cluster. */
function namesOption({ ends }: LiveLink, secretName: string): LinkOptions['names'] {
  const named = ends.flatMap((it) => {
    const names = ownNamesOf(it, secretName);
    return Object.keys(names).length === 0 ? [] : [[it.cluster, names] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function ownNamesOf(end: LiveEnd, secretName: string): ObjectNames {
  const { remote, peer, configuration, gateway } = end;
  const namespace = gateway?.namespace ?? configuration?.namespace ?? peer?.namespaces[0];
  const publicKey = peer?.publicKeys.find((it) => it.namespace === namespace) ?? peer?.publicKeys[0];
  const secret = secretOf(end);
  const other = (name: string | null | undefined, usual: string): name is string => name != null && name !== usual;
  return {
    ...(other(namespace, tenantNamespace(remote)) ? { namespace } : {}),
    ...(other(configuration?.name, remote) ? { configuration: configuration?.name } : {}),
    ...(other(gateway?.name, remote) ? { gateway: gateway?.name } : {}),
    ...(other(publicKey?.name, remote) ? { publicKey: publicKey?.name } : {}),
    ...(generationOf(end, secretName) === 1 && other(secret, secretName.replaceAll(PEER, remote)) ? { secret } : {}),
  } as ObjectNames;
}
