import { byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import { firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../base/source/source.ts';
import { type Decisions, decisionAbout } from '../lock/lock.ts';
import type { ServiceType } from '../topology/declaration.ts';
import type { LinkRequest, ServedLink } from './link-stages.ts';
import type { Cluster } from './network-model.ts';

interface ChosenServers {
  /** Links in order, without those that have no end to dial. */
  readonly served: readonly ServedLink[];
  readonly found: readonly Diagnostic[];
}

interface ServersRequest {
  readonly links: readonly LinkRequest[];
  readonly shortcutOperator: boolean;
  readonly decisions: Decisions;
}

export function chooseServers({ links, shortcutOperator, decisions }: ServersRequest): ChosenServers {
  const failed: FailedLink[] = [];
  const chosen = links.flatMap((link) => {
    const choice = chooseServer(link);
    if ('code' in choice) failed.push({ link, mistake: choice });
    return 'code' in choice ? [] : [{ link, choice }];
  });
  const found = failureDiagnostics(failed);
  // With the fork's operator the client end decides whether a shortcut is used, so free ends are chosen for it.
  const oriented = shortcutOperator
    ? orientShortcuts(
        chosen
          .filter(({ link }) => link.kind === 'shortcut')
          .map(({ link, choice }) => ({
            id: printLinkId(link.id),
            ends: [link.ends[0].name, link.ends[1].name] as const,
            // An end that already serves stays the server: a change would interrupt the tunnel.
            forcedServer: choice.kind === 'fixed' ? choice.server : (keptServer(link, decisions) ?? null),
            preferredServer: choice.server,
          })),
      )
    : new Map<string, string>();
  const served = chosen.map(({ link, choice }): ServedLink => {
    const name = oriented.get(printLinkId(link.id)) ?? choice.server;
    const [a, b] = link.ends;
    return a.name === name ? { link, server: a, client: b } : { link, server: b, client: a };
  });
  return { served, found };
}

interface FailedLink {
  readonly link: LinkRequest;
  readonly mistake: Diagnostic;
}

/** One error for each hub without an address, regardless of its number of spokes. */
function failureDiagnostics(failed: readonly FailedLink[]): readonly Diagnostic[] {
  const plain = ({ link }: FailedLink): boolean => link.hub !== null && link.options === null;
  const byHub = groupBy(failed.filter(plain), ({ link }) => (link.hub ? [link.hub.name] : []));
  const reported = new Set<string>();
  return failed.flatMap((it) => {
    const group = plain(it) && it.link.hub ? (byHub.get(it.link.hub.name) ?? []) : [];
    const hub = it.link.hub;
    if (group.length < 2 || !hub) return [it.mistake];
    if (reported.has(hub.name)) return [];
    reported.add(hub.name);
    return [
      hubWithoutDialableEnd(
        hub,
        group.map((other) => other.link),
      ),
    ];
  });
}

/** The current server end: the one with a port in the lock. */
function keptServer(link: LinkRequest, decisions: Decisions): string | undefined {
  return link.ends.find((end) => decisionAbout(decisions, { kind: 'port', link: link.id, server: end.name }))?.name;
}

/** The end that serves: `fixed` when the other one cannot or must not serve, `free` when both can. */
interface ServerChoice {
  readonly server: string;
  readonly kind: 'fixed' | 'free';
}

/**
 * The address that a client dials by default to reach a cluster through a Service of this type: `dial`, the first
 * address, or a fixed load balancer IP.
 */
export function dialAddressOf(cluster: Cluster, service: ServiceType): Located<string> | null {
  const { dial, addresses, loadBalancerIP, mtuBytes } = cluster.gateway;
  if (dial.address) return dial.address;
  if (addresses[0]) return addresses[0];
  return service === 'LoadBalancer' && loadBalancerIP !== null ? { value: loadBalancerIP, at: mtuBytes.at } : null;
}

const mayServe = (cluster: Cluster, service = cluster.gateway.service): boolean =>
  cluster.gateway.server !== 'never' && dialAddressOf(cluster, service) !== null;

/**
 * The end that runs the gateway server: the end in `server`; otherwise the end that prefers to serve; otherwise the
 * only end that can be dialled; otherwise the hub; otherwise the name that sorts first.
 */
function chooseServer(link: LinkRequest): ServerChoice | Diagnostic {
  const { options, ends, hub } = link;
  if (options?.server) return namedServer(link, options.server);
  const able = ends.filter((it) => mayServe(it, options?.service?.value));
  const prefer = able.filter((it) => it.gateway.server === 'prefer');
  if (prefer.length === 1 && prefer[0]) return { server: prefer[0].name, kind: 'fixed' };
  if (able.length === 0) return withoutDialableEnd(link);
  if (able.length === 1 && able[0]) return { server: able[0].name, kind: 'fixed' };
  const byName = ends[0].name < ends[1].name ? ends[0] : ends[1];
  return { server: (hub ?? byName).name, kind: hub ? 'fixed' : 'free' };
}

/** True when the client can dial this end, with the link's options for its server. */
function isDialable(end: Cluster, { options }: LinkRequest): boolean {
  const service = options?.service?.value ?? end.gateway.service;
  const hasAddress = options?.address || (options?.loadBalancerIP && service === 'LoadBalancer');
  return Boolean(hasAddress) || dialAddressOf(end, service) !== null;
}

function namedServer(link: LinkRequest, named: Located<string>): ServerChoice | Diagnostic {
  const end = link.ends.find((it) => it.name === named.value);
  if (!end) return { server: link.ends[0].name, kind: 'fixed' }; // Not an end of the link: an earlier rule has reported it.
  if (end.gateway.server === 'never') {
    return diagnostic(
      'link/server-never',
      named.at,
      `"${end.name}" is named as server here, but its gateway has \`server: never\``,
      {
        hint: 'remove one of the two settings',
      },
    );
  }
  if (!isDialable(end, link)) {
    return diagnostic(
      'link/no-dialable-end',
      named.at,
      `"${end.name}" is named as server here, but has no address that the client can dial`,
      {
        hint: `give "${end.name}" a \`gateway\` address, or this entry an \`address\``,
      },
    );
  }
  return { server: end.name, kind: 'fixed' };
}

/** The hint for an end that is to be dialled: `server: never` goes, and an address comes where there is none. */
function becomesDialable(cluster: Cluster, address: string): string {
  const { name, gateway } = cluster;
  const hasAddress = dialAddressOf(cluster, gateway.service) !== null;
  if (gateway.server !== 'never') return `give "${name}" ${address}`;
  return hasAddress
    ? `remove \`server: never\` from "${name}"`
    : `replace \`server: never\` of "${name}" by ${address}`;
}

const whyNotDialable = ({ name, gateway }: Cluster): string =>
  gateway.server === 'never' ? `"${name}" has \`server: never\`` : `"${name}" has no gateway address`;

/** A mistake of a hub, reported once for all its spokes: `links` are all its links without an end that can be dialled. */
function hubWithoutDialableEnd(hub: Cluster, links: readonly LinkRequest[]): Diagnostic {
  const spokes = links.map((it) => quoted(it.ends[0].name));
  return diagnostic(
    'link/no-dialable-end',
    hub.at,
    `"${hub.name}" and ${spokes.length} of its spokes cannot dial each other: ${whyNotDialable(hub)}, and none of these spokes can be dialled: ${firstOf(spokes, 5)}`,
    {
      hint: `${becomesDialable(hub, 'a `gateway` address that its spokes can reach (or `gateway.dial` behind NAT)')}, or give one to each of these spokes`,
      related: links
        .slice(0, 3)
        .map((it) => ({ message: `"${it.ends[0].name}" is declared here`, span: it.ends[0].at })),
    },
  );
}

function withoutDialableEnd(link: LinkRequest): Diagnostic {
  const [a, b] = link.ends;
  const hint =
    link.options?.address || link.options?.loadBalancerIP
      ? `name the end that has this address: \`server: ${a.name}\` or \`server: ${b.name}\``
      : dialableHint(link);
  return diagnostic(
    'link/no-dialable-end',
    link.at,
    `neither end of the link between "${a.name}" and "${b.name}" can be dialled: ${whyNotDialable(a)}, ${whyNotDialable(b)}`,
    {
      hint,
      related: [a, b]
        .filter((it) => it.at !== link.at)
        .map((it) => ({ message: `"${it.name}" is declared here`, span: it.at })),
    },
  );
}

/** A hub comes first: it is usually the server. */
function dialableHint({ hub, ends: [a, b] }: LinkRequest): string {
  const [first, second] = hub ? [hub, a] : [a, b];
  const address = 'a `gateway` address that the other can reach (or `gateway.dial` behind NAT)';
  const isPlain = [first, second].every((it) => it.gateway.server !== 'never');
  if (isPlain) return `give "${first.name}" or "${second.name}" ${address}`;
  return `${becomesDialable(first, address)}, or ${becomesDialable(second, address)}`;
}

/** A shortcut whose server end is not chosen yet, or is fixed. */
export interface ShortcutEdge {
  /** Identity of the link. */
  readonly id: string;
  /** Cluster names. */
  readonly ends: readonly [string, string];
  /** The end that must be the server; `null` when both can be. */
  readonly forcedServer: string | null;
  /** The end that is the server unless the orientation overrules it. */
  readonly preferredServer: string;
}

/**
 * Chooses the server end of every shortcut, as a map from link identity to cluster. The fork of Liqo uses all shortcuts
 * of a hub only when each cluster is the client of at most one of them: then the shortcuts are trees, and all point to
 * a root (liqo.md 6.4). In each tree the root is the one that keeps every forced server and overrules the fewest
 * preferences; among equals, the name that sorts first. When shortcuts form a circle, or forced servers leave no root,
 * the preferred ends are the servers.
 */
export function orientShortcuts(edges: readonly ShortcutEdge[]): ReadonlyMap<string, string> {
  const servers = new Map(edges.map((it) => [it.id, it.forcedServer ?? it.preferredServer]));
  const graph = groupBy(edges, (it) => it.ends);
  const seen = new Set<string>();
  for (const start of [...graph.keys()].sort(byCodeUnit)) {
    if (seen.has(start)) continue;
    const tree = walkTree(graph, start, seen);
    const root = tree === undefined ? undefined : bestRoot(start, tree);
    if (root === undefined) continue;
    for (const { edge, from } of walkTree(graph, root, new Set()) ?? []) servers.set(edge.id, from);
  }
  return servers;
}

type Graph = ReadonlyMap<string, readonly ShortcutEdge[]>;

/** An edge in the direction of a walk: `from` is nearer to the start than `to`. */
interface WalkedEdge {
  readonly edge: ShortcutEdge;
  readonly from: string;
  readonly to: string;
}

/**
 * Every edge of the component around `start`, nearer ones first; `undefined` for a component that is not a tree. All
 * its clusters are added to `seen` in both cases.
 */
function walkTree(graph: Graph, start: string, seen: Set<string>): readonly WalkedEdge[] | undefined {
  const walked: WalkedEdge[] = [];
  const used = new Set<ShortcutEdge>();
  const queue = [start];
  let isTree = true;
  seen.add(start);
  for (const from of queue) {
    for (const edge of graph.get(from) ?? []) {
      if (used.has(edge)) continue;
      used.add(edge);
      const to = otherEnd(edge, from);
      if (seen.has(to)) {
        isTree = false;
        continue;
      }
      seen.add(to);
      queue.push(to);
      walked.push({ edge, from, to });
    }
  }
  return isTree ? walked : undefined;
}

/** The cost of a root: the forced servers that it breaks, and the preferences that it overrules. */
interface Cost {
  readonly broken: number;
  readonly overruled: number;
}

function bestRoot(start: string, tree: readonly WalkedEdge[]): string | undefined {
  const roots = [...costs(start, tree)].filter(([, cost]) => cost.broken === 0);
  roots.sort(([a, x], [b, y]) => x.overruled - y.overruled || byCodeUnit(a, b));
  return roots[0]?.[0];
}

/**
 * The cost of every cluster as root. The costs of two neighbours differ only by the direction of the edge between them.
 */
function costs(start: string, tree: readonly WalkedEdge[]): ReadonlyMap<string, Cost> {
  const first = tree.map(({ edge, from }) => costOf(edge, from)).reduce(plus, { broken: 0, overruled: 0 });
  const known = new Map([[start, first]]);
  for (const { edge, from, to } of tree) {
    const before = plus(known.get(from) ?? first, costOf(edge, to));
    const turned = costOf(edge, from);
    known.set(to, { broken: before.broken - turned.broken, overruled: before.overruled - turned.overruled });
  }
  return known;
}

const costOf = (edge: ShortcutEdge, server: string): Cost => ({
  broken: edge.forcedServer !== null && edge.forcedServer !== server ? 1 : 0,
  overruled: edge.preferredServer === server ? 0 : 1,
});

const plus = (a: Cost, b: Cost): Cost => ({ broken: a.broken + b.broken, overruled: a.overruled + b.overruled });

const otherEnd = ({ ends: [a, b] }: ShortcutEdge, end: string): string => (a === end ? b : a);
