import { groupBy, inOrder } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { firstOf } from '../../base/core/words.ts';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../../fleet/ipam/addressed-model.ts';
import { keylessEnds, type Link, type LinkEnd } from '../../fleet/model/network-model.ts';
import { sharingByCluster } from '../../fleet/sharing/resolve-sharing.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';

/**
 * A part of a fleet that can fail, with the links that it takes down. Liqo runs one gateway pod for each end of a link,
 * so the failure of a pod is that of its link. The part `gateway` is what several links of a cluster have in common: the
 * address that their clients dial, which a node, a load balancer or a NAT answers. Links that the cluster dials itself
 * stay. A cluster takes all its links with it, and neither sends nor receives.
 */
export type Part = LinkPart | GatewayPart | ClusterPart;

interface LinkPart {
  readonly kind: 'link';
  readonly links: readonly [Link];
}

interface GatewayPart {
  readonly kind: 'gateway';
  readonly cluster: string;
  /** The address or name that clients dial. */
  readonly address: string;
  /** The links that the cluster serves there. */
  readonly links: readonly Link[];
}

interface ClusterPart {
  readonly kind: 'cluster';
  readonly cluster: string;
  readonly links: readonly Link[];
}

/** The text by which a part is named: `rome/europe`, `europe/203.0.113.10`, `europe`. */
export function printPart(part: Part): string {
  switch (part.kind) {
    case 'link':
      return inOrder(...endNames(part.links[0])).join('/');
    case 'gateway':
      return `${part.cluster}/${part.address}`;
    case 'cluster':
      return part.cluster;
  }
}

/** The clusters that fail themselves: they are no ends of pairs. */
export const failedClusters = (parts: readonly Part[]): ReadonlySet<string> =>
  new Set(parts.flatMap((it) => (it.kind === 'cluster' ? [it.cluster] : [])));

export const endNames = ({ server, client }: Link): readonly [string, string] => [
  server.cluster.name,
  client.cluster.name,
];

/** Every part of a fleet by its kind, each kind in order of the model. A gateway of one link is left out: it is the link. */
interface Parts {
  readonly links: readonly LinkPart[];
  readonly gateways: readonly GatewayPart[];
  readonly clusters: readonly ClusterPart[];
}

export function partsOf(model: AddressedModel): Parts {
  return {
    links: model.links.map((it): LinkPart => ({ kind: 'link', links: [it] })),
    gateways: gatewaysOf(model).filter((it) => it.links.length > 1),
    clusters: [...model.clusters.values()]
      .filter((it) => !it.retired)
      .map(({ name, peers }) => ({ kind: 'cluster', cluster: name, links: [...peers.values()].map((it) => it.link) })),
  };
}

/** Every part, clusters first: what takes most comes first. */
export const allParts = ({ links, gateways, clusters }: Parts): readonly Part[] => [...clusters, ...gateways, ...links];

/** Identity of the gateway that serves a link. */
export const gatewayKey = ({ server, endpoint }: Link): string => `${server.cluster.name}/${endpoint.address}`;

const gatewaysOf = ({ links }: AddressedModel): readonly GatewayPart[] =>
  [...groupBy(links, (it) => [gatewayKey(it)]).values()].flatMap((all): readonly GatewayPart[] => {
    const [first] = all;
    if (first === undefined) return [];
    return [{ kind: 'gateway', cluster: first.server.cluster.name, address: first.endpoint.address, links: all }];
  });

type PartReading =
  | { readonly ok: true; readonly part: Part }
  | { readonly ok: false; readonly problem: string; readonly hint: string };

/** Reads `rome`, `rome/europe` in either order, or `europe/203.0.113.10`. */
export function findPart(model: AddressedModel, text: string): PartReading {
  const slash = text.indexOf('/');
  return slash === -1 ? findCluster(model, text) : findAt(model, text.slice(0, slash), text.slice(slash + 1));
}

/** The parts with these names, or the problem of the first name that no part has. */
export function findParts(model: AddressedModel, names: readonly string[]): PartsReading {
  const parts: Part[] = [];
  for (const name of names) {
    const reading = findPart(model, name);
    if (!reading.ok) return reading;
    parts.push(reading.part);
  }
  return { ok: true, parts };
}

type PartsReading = { readonly ok: true; readonly parts: readonly Part[] } | Extract<PartReading, { ok: false }>;

const found = (part: Part): PartReading => ({ ok: true, part });

function findCluster(model: AddressedModel, name: string): PartReading {
  const part = partsOf(model).clusters.find((it) => it.cluster === name);
  if (part !== undefined) return found(part);
  const known = [...model.clusters.values()].filter((it) => !it.retired).map((it) => it.name);
  return unknownPart(`no part is called "${name}"`, { wrong: name, known, texts: known });
}

function findAt(model: AddressedModel, name: string, other: string): PartReading {
  const cluster = model.clusters.get(name);
  const link = cluster?.peers.get(other)?.link;
  if (link !== undefined) return found({ kind: 'link', links: [link] });
  const gateways = gatewaysOf(model);
  const gateway = gateways.find((it) => it.cluster === name && it.address === other);
  if (gateway !== undefined) return found(gateway);
  if (cluster === undefined) {
    const known = [...model.clusters.keys()];
    return unknownPart(`no cluster is called "${name}"`, {
      wrong: name,
      known,
      texts: known.map((it) => `${it}/${other}`),
    });
  }
  const peers = [...cluster.peers.keys()].sort();
  const addresses = gateways.flatMap((it) => (it.cluster === name ? [it.address] : []));
  const known = [...peers, ...addresses];
  return unknownPart(`"${name}" has no link to "${other}", and serves no link at such an address`, {
    wrong: other,
    known,
    texts: known.map((it) => `${name}/${it}`),
  });
}

interface Known {
  readonly wrong: string;
  readonly known: readonly string[];
  /** The known ones as a user writes them. */
  readonly texts: readonly string[];
}

/** The largest number of parts that a hint names. */
const SHOWN = 5;

function unknownPart(problem: string, { wrong, known, texts }: Known): PartReading {
  const hint =
    meantHint(wrong, known) ?? (texts.length === 0 ? 'it has no links' : `name one of: ${firstOf(texts, SHOWN)}`);
  return { ok: false, problem, hint };
}

/**
 * A fleet in which parts have failed. Nothing is decided again: Configurations stay when a tunnel is down, so every
 * address, view and port is that of the model, and nothing passes a link that is off. Clusters stay in the model, too:
 * `failedClusters` are no ends of pairs.
 */
export function without<Model extends SharedModel>(model: Model, parts: readonly Part[]): Model {
  const off = new Set(parts.flatMap((it) => it.links));
  return off.size === 0 ? model : withLinks(model, (it) => (off.has(it) ? { ...it, isOff: true } : it));
}

/**
 * The fleet when every gateway has its key: what a failure would cut is asked before keys are made, too, and a tunnel that
 * is not there yet cannot fail.
 */
export const withAllKeys: <Model extends SharedModel>(model: Model) => Model = oncePer((model) => {
  const marked = (it: LinkEnd): LinkEnd => (it.publicKey === null ? { ...it, hasUnknownKey: true } : it);
  return model.links.every((it) => keylessEnds(it).length === 0)
    ? model
    : withLinks(model, (it) => ({ ...it, server: marked(it.server), client: marked(it.client) }));
});

/** A model with other links, to which all its parts lead. */
function withLinks<Model extends SharedModel>(model: Model, change: (link: Link) => Link): Model {
  const links = new Map(model.links.map((it) => [it, change(it)]));
  const linkOf = (it: Link): Link => links.get(it) ?? bug('a link is not in its model');
  // Clusters and their peers lead to each other, so the peers are added to clusters that exist.
  const peers = new Map<string, Map<string, Peer>>();
  const clusters = new Map<string, AddressedCluster>();
  for (const [name, cluster] of model.clusters) {
    const ofCluster = new Map<string, Peer>();
    peers.set(name, ofCluster);
    clusters.set(name, { ...cluster, peers: ofCluster });
  }
  const clusterOf = ({ name }: AddressedCluster): AddressedCluster =>
    clusters.get(name) ?? bug(`"${name}" is not in its model`);
  for (const cluster of model.clusters.values()) {
    for (const [name, peer] of cluster.peers) {
      peers.get(cluster.name)?.set(name, { ...peer, cluster: clusterOf(peer.cluster), link: linkOf(peer.link) });
    }
  }
  const shares = model.shares.map((it) => ({
    ...it,
    consumer: clusterOf(it.consumer),
    provider: clusterOf(it.provider),
    link: it.link && linkOf(it.link),
  }));
  const offloadings = model.offloadings.map((it) => ({
    ...it,
    cluster: clusterOf(it.cluster),
    providers: it.providers.map(clusterOf),
  }));
  return {
    ...model,
    clusters,
    links: [...links.values()],
    shares,
    offloadings,
    sharing: sharingByCluster(shares, offloadings),
  };
}
