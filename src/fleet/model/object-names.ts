import { by, groupBy } from '../../base/core/collections.ts';
import { nameOfGeneration } from '../../base/core/key-pair.ts';
import { tenantNamespace } from '../../base/releases/labels.ts';
import type { LinkDeclaration } from '../topology/declaration.ts';
import { secretNameFor } from '../topology/formats/dns-names.ts';
import type { Link, LinkEnd, ObjectNames } from './network-model.ts';

interface EndToName {
  readonly cluster: string;
  readonly peer: string;
  readonly options: LinkDeclaration | null;
  /** Name of the fleet's Secrets, with the placeholder `{peer}`; `null` where Liqo makes them. */
  readonly secretName: string | null;
  /** The generation of its key pair. */
  readonly generation: number;
}

/**
 * The object names of one end of a link: those of the topology, or otherwise those of liqoctl, and of Liqo for a Secret
 * that it makes. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/forge, pkg/tenantNamespace,
 * pkg/gateway/forge/utils.go.
 */
export function nameObjects({ cluster, peer, options, secretName, generation }: EndToName): ObjectNames {
  const listed = options?.names.find((it) => it.cluster.value === cluster);
  const gateway = listed?.gateway?.value ?? peer;
  const first = secretName === null ? null : (listed?.secret?.value ?? secretNameFor(secretName, peer));
  return {
    namespace: listed?.namespace?.value ?? tenantNamespace(peer),
    configuration: listed?.configuration?.value ?? peer,
    gateway,
    publicKey: listed?.publicKey?.value ?? peer,
    secret: first === null ? `gw-${gateway}` : nameOfGeneration(first, generation),
  };
}

export function nextSecretOf({ names, keyPair }: Pick<LinkEnd, 'names' | 'keyPair'>): string {
  const { generation } = keyPair;
  const first = generation === 1 ? names.secret : names.secret.slice(0, -`-${generation}`.length);
  return nameOfGeneration(first, generation + 1);
}

/** A shortcut with the name of its ForeignClusterConnection. A is its client end, B its server end. */
export interface NamedShortcut {
  readonly name: string;
  readonly link: Link;
}

/**
 * Names the ForeignClusterConnections of one hub, so that the fork, which reads them in order of name, uses every one
 * of them if some order allows that. The name is `<A>--<B>` when this is sufficient. Otherwise connected shortcuts get
 * the prefix `s<NN>-`, where NN is smaller at a greater distance from the root, so that a cluster's own path to the
 * root comes after all others that contain it. NN is a distance and not a sequence number, so that a new leaf renames
 * nothing: for the operator, a new name interrupts the tunnel. The result is in order of name.
 */
export function nameShortcuts(links: readonly Link[]): readonly NamedShortcut[] {
  return components(links).flatMap(nameComponent).sort(byShortcutName);
}

const byShortcutName = by((it: NamedShortcut) => it.name);

function nameComponent(links: readonly Link[]): readonly NamedShortcut[] {
  const plain = links.map((link) => ({ name: plainName(link), link })).sort(byShortcutName);
  if (unreadEnds(plain).length === 0) return plain;
  const distances = rootDistances(links);
  if (distances === undefined) return plain; // The fork would use all of them in no order.
  const last = highestRank([...distances.values()].reduce((a, b) => Math.max(a, b)));
  return plain.map(({ name, link }) => {
    const rank = last - (distances.get(link.client.cluster.name) ?? 0);
    return { name: `s${String(rank).padStart(String(last).length, '0')}-${name}`, link };
  });
}

/**
 * The name without a prefix. A cluster ID has no dot, so a dot separates the two names when one of them contains the
 * usual separator.
 */
function plainName(link: Link): string {
  const [client, server] = [link.client.cluster.name, link.server.cluster.name];
  const separator = client.includes('--') || server.includes('--') ? '.' : '--';
  return `${client}${separator}${server}`;
}

/** The highest rank: 99, with more nines only for a longer chain. */
const highestRank = (distance: number): number => (distance <= 99 ? 99 : Number('9'.repeat(String(distance).length)));

/**
 * The number of shortcuts between a cluster and the root of its tree, following each from client to server. `undefined`
 * when a cluster is the client of two, or when the shortcuts form a circle: then the fork would use all of them in no
 * order.
 */
function rootDistances(links: readonly Link[]): ReadonlyMap<string, number> | undefined {
  const next = new Map(links.map((it) => [it.client.cluster.name, it.server.cluster.name]));
  if (next.size < links.length) return undefined;
  const distances = new Map<string, number>();
  for (const client of next.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let at: string | undefined = client;
    while (at !== undefined && !distances.has(at)) {
      if (onPath.has(at)) return undefined;
      onPath.add(at);
      path.push(at);
      at = next.get(at);
    }
    let distance = at === undefined ? 0 : (distances.get(at) ?? 0) + 1;
    for (const cluster of path.reverse()) distances.set(cluster, distance++);
  }
  return distances;
}

/** The links in groups without a common cluster. */
function components(links: readonly Link[]): readonly (readonly Link[])[] {
  const leaders = new Map<string, string>();
  const leaderOf = (cluster: string): string => {
    let at = cluster;
    for (let up = leaders.get(at); up !== undefined; up = leaders.get(at)) {
      const above = leaders.get(up);
      if (above !== undefined) leaders.set(at, above); // Halves the path for the next call.
      at = up;
    }
    return at;
  };
  for (const { client, server } of links) {
    const [a, b] = [leaderOf(client.cluster.name), leaderOf(server.cluster.name)];
    if (a !== b) leaders.set(a, b);
  }
  return [...groupBy(links, (it) => [leaderOf(it.client.cluster.name)]).values()];
}

/** An end of a shortcut that the fork does not use: slices for this cluster still use the path through the hub. */
export interface ShortcutEnd {
  readonly link: Link;
  readonly end: LinkEnd;
}

/**
 * The ends that the fork does not read, given the ForeignClusterConnections in the order in which it lists them: for each
 * cluster it reads those that name the cluster, up to and including the first in which it is A (the client).
 * Source: Gabbe64/liqo@b83d06f2 pkg/utils/virtualkubelet/foreignclusterconnections.go.
 */
export function unreadEnds(listed: readonly { readonly link: Link }[]): readonly ShortcutEnd[] {
  const stopped = new Set<string>();
  const unread: ShortcutEnd[] = [];
  for (const { link } of listed) {
    for (const end of [link.client, link.server]) if (stopped.has(end.cluster.name)) unread.push({ link, end });
    stopped.add(link.client.cluster.name);
  }
  return unread;
}
