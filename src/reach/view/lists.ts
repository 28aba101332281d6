import { by } from '../../base/core/collections.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedCluster, type AddressedModel, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { type GatewayOfLink, keylessGateways, type Link, type LinkKind } from '../../fleet/model/network-model.ts';
import { type SeenCidr, seenCidrs } from './cluster-view.ts';

export interface ListedCluster {
  readonly cluster: string;
  readonly liqo: string;
  readonly retired: boolean;
  readonly podCIDRs: readonly string[];
  /** The address that peers dial; `null` for a cluster that is always a client. */
  readonly gateway: string | null;
  /** The hubs of this spoke, by name. */
  readonly hubs: readonly string[];
  /** True when other clusters are spokes of it. */
  readonly isHub: boolean;
  readonly links: number;
}

/** The clusters of a fleet, by name. */
export function listClusters({ clusters }: AddressedModel): readonly ListedCluster[] {
  const hubs = new Set([...clusters.values()].flatMap((it) => it.hubs));
  return [...clusters.values()].map((it) => ({
    cluster: it.name,
    liqo: it.release.version,
    retired: it.retired,
    podCIDRs: it.podCIDRs.map((pods) => printPrefix(pods.value)),
    gateway: dialled(it),
    hubs: it.hubs,
    isHub: hubs.has(it.name),
    links: it.peers.size,
  }));
}

const dialled = ({ gateway }: AddressedCluster): string | null =>
  gateway.dial.address?.value ?? gateway.addresses[0]?.value ?? null;

export interface ListedLink {
  readonly link: LinkKind;
  /** The end that is dialled. */
  readonly server: string;
  /** The end that dials. */
  readonly client: string;
  readonly address: string;
  readonly port: number;
  readonly mtu: number;
  readonly keyless: readonly GatewayOfLink[];
  /** The day of the older one of its two keys; `null` when a key has none. */
  readonly keysSince: string | null;
  /** The networks that one end sees at other addresses than the other end uses, those that the server sees first. */
  readonly remaps: readonly RemappedCidr[];
}

export interface RemappedCidr extends SeenCidr {
  /** The cluster that sees the network. */
  readonly cluster: string;
  /** The cluster that uses it. */
  readonly peer: string;
}

/** All links, or those of one cluster: hub links first, then peerings and shortcuts, by the names of server and client. */
export const listedLinks = (model: AddressedModel, of?: string): readonly ListedLink[] =>
  model.links
    .filter(({ server, client }) => of === undefined || [server, client].some((it) => it.cluster.name === of))
    .map((it) => listedLink(model, it))
    .sort(by((it) => `${it.link} ${it.server} ${it.client}`));

function listedLink(model: AddressedModel, link: Link): ListedLink {
  const { kind, endpoint, mtuBytes } = link;
  const [server, client] = [link.server.cluster.name, link.client.cluster.name];
  return {
    link: kind,
    server,
    client,
    address: endpoint.address,
    port: endpoint.port,
    mtu: mtuBytes,
    keyless: keylessGateways(link),
    keysSince: keysSince(link),
    remaps: [...remapsIn(model, server, client), ...remapsIn(model, client, server)],
  };
}

function keysSince({ server, client }: Link): string | null {
  const [a, b] = [server.keyPair.since, client.keyPair.since];
  return a === null || b === null ? null : a < b ? a : b;
}

export function remapsIn(model: AddressedModel, cluster: string, peer: string): readonly RemappedCidr[] {
  const seen = clusterNamed(model, cluster).peers.get(peer);
  return seen === undefined
    ? []
    : seenCidrs(seen)
        .filter((it) => it.cidr !== it.seenAs)
        .map((it) => ({ cluster, peer, ...it }));
}
