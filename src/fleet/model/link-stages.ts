import { byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { type LinkId, parseLockKey, printLinkId, printLockKey, reverseLinkId } from '../../base/core/lock-key.ts';
import { once } from '../../base/core/once.ts';
import { quotedNames } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Located, Span } from '../../base/source/source.ts';
import type { Decisions } from '../lock/lock.ts';
import type { Declaration, LinkDeclaration } from '../topology/declaration.ts';
import type { KeysDocument } from '../topology/parse-recorded.ts';
import type { Cluster, LinkKind, NetworkModel } from './network-model.ts';

/** The resolved model and the texts that it was made from, which is the input of a rule of this stage. */
export interface ResolvedLinks {
  readonly declaration: Declaration;
  readonly keysDocument: KeysDocument | undefined;
  /** Recorded public keys, by `gatewayKey`. */
  readonly keys: ReadonlyMap<string, readonly Located<string>[]>;
  readonly model: NetworkModel;
  /** The links of the model, in the same order, with the options that the topology gives them. */
  readonly served: readonly ServedLink[];
}

/** A rule about links, named after what it requires. Yields a diagnostic for each violation. */
export type ModelRule = (resolved: ResolvedLinks) => Iterable<Diagnostic>;

/** A link with its server end chosen. */
export interface ServedLink {
  readonly link: LinkRequest;
  readonly server: Cluster;
  readonly client: Cluster;
}

/** MTU of the tunnel's interface at both ends: the option of the link, or the smaller MTU of the two gateways. */
export function mtuBytesOf({ link, server, client }: ServedLink): number {
  return link.options?.mtuBytes?.value ?? Math.min(server.gateway.mtuBytes.value, client.gateway.mtuBytes.value);
}

/** A link that the topology declares, before its ends, ports and place in the order are decided. */
export interface LinkRequest {
  /** The identity. Before `identifyLinks`, the spoke of a hub link comes first, or the name that sorts first. */
  readonly id: LinkId;
  readonly kind: LinkKind;
  readonly at: Span;
  /** Ends in order: the spoke of a hub link first, otherwise the name that sorts first. */
  readonly ends: readonly [Cluster, Cluster];
  readonly hub: Cluster | null;
  /** The hubs that both ends of a shortcut share, in order of name. */
  readonly commonHubs: readonly string[];
  /** Options of the entry in `peerings` or `shortcuts`, if there is one. */
  readonly options: LinkDeclaration | null;
}

type Clusters = ReadonlyMap<string, Cluster>;
type Ends = LinkRequest['ends'];

interface ListedLinks {
  /** Links in no particular order. Each pair appears once, and no end is retired. */
  readonly links: readonly LinkRequest[];
  readonly found: readonly Diagnostic[];
}

/** Every link of the topology: from `hub`, from `peerings` (or options for a hub link), from `shortcuts`. */
export function listLinks(declaration: Declaration, clusters: Clusters): ListedLinks {
  const found: Diagnostic[] = [];
  const links = new Map<string, LinkRequest>();
  for (const link of hubLinks(clusters)) {
    const earlier = links.get(pairOf(link.ends));
    if (earlier) found.push(mutualHubs(link, earlier));
    else links.set(pairOf(link.ends), link);
  }
  for (const entry of declaration.peerings) addPeering(entry, clusters, links, found);
  for (const entry of declaration.shortcuts) addShortcut(entry, declaration, { clusters, links, found });
  return { links: [...links.values()].filter((it) => !it.ends.some((end) => end.retired)), found };
}

/** Key of a pair, equal for both orders of the ends. */
function pairOf([a, b]: Ends): string {
  const [first = a.name, second = b.name] = [a.name, b.name].sort(byCodeUnit);
  return printLinkId({ first, second });
}

const idOf = ([first, second]: Ends): LinkId => ({ first: first.name, second: second.name });

function hubLinks(clusters: Clusters): readonly LinkRequest[] {
  return [...clusters.values()].flatMap((spoke) =>
    spoke.hubs.map((name): LinkRequest => {
      const hub = clusters.get(name) ?? bug(`the hub "${name}" of "${spoke.name}" is not a cluster`);
      return {
        id: idOf([spoke, hub]),
        kind: 'hub',
        at: spoke.at,
        ends: [spoke, hub],
        hub,
        commonHubs: [],
        options: null,
      };
    }),
  );
}

function mutualHubs(link: LinkRequest, earlier: LinkRequest): Diagnostic {
  const [spoke, hub] = link.ends;
  return diagnostic('topology/duplicate-link', link.at, `"${spoke.name}" and "${hub.name}" are each other's hub`, {
    hint: 'set `hub: []` on one of them',
    related: [{ message: `"${hub.name}" is declared here`, span: earlier.at }],
  });
}

/** The two clusters of an entry; `undefined` when a rule has already reported one of them. */
function endsOf(entry: LinkDeclaration, clusters: Clusters): readonly [Cluster, Cluster] | undefined {
  const [a, b] = [clusters.get(entry.between[0].value), clusters.get(entry.between[1].value)];
  if (!a || !b || a === b) return undefined;
  return byCodeUnit(a.name, b.name) < 0 ? [a, b] : [b, a];
}

function addPeering(
  entry: LinkDeclaration,
  clusters: Clusters,
  links: Map<string, LinkRequest>,
  found: Diagnostic[],
): void {
  const ends = endsOf(entry, clusters);
  if (!ends) return;
  const pair = pairOf(ends);
  const known = links.get(pair);
  if (!known) {
    links.set(pair, { id: idOf(ends), kind: 'peering', at: entry.at, ends, hub: null, commonHubs: [], options: entry });
  } else if (known.options === null) {
    links.set(pair, { ...known, at: entry.at, options: entry });
  } else {
    found.push(secondEntry(entry, known));
  }
}

function addShortcut(
  entry: LinkDeclaration,
  declaration: Declaration,
  { clusters, links, found }: { clusters: Clusters; links: Map<string, LinkRequest>; found: Diagnostic[] },
): void {
  const ends = endsOf(entry, clusters);
  if (!ends) return;
  const [a, b] = ends;
  const pair = pairOf(ends);
  const known = links.get(pair);
  if (known) {
    found.push(secondEntry(entry, known));
    return;
  }
  const commonHubs = a.hubs.filter((hub) => b.hubs.includes(hub));
  if (commonHubs.length === 0 && !a.retired && !b.retired) {
    found.push(withoutCommonHub(entry, [a, b], retiredHub([a, b], declaration, clusters)));
    return;
  }
  links.set(pair, { id: idOf(ends), kind: 'shortcut', at: entry.at, ends, hub: null, commonHubs, options: entry });
}

function secondEntry(entry: LinkDeclaration, known: LinkRequest): Diagnostic {
  const [a, b] = entry.between;
  const isHubLink = known.kind === 'hub' && known.options === null;
  return diagnostic('topology/duplicate-link', entry.at, `"${a.value}" and "${b.value}" are already linked`, {
    hint: isHubLink
      ? 'remove this entry, and set options of the hub link in `peerings`'
      : 'keep one entry for the pair, with all its options',
    related: [
      {
        message: isHubLink ? `"${known.ends[0].name}" is a spoke of "${known.ends[1].name}"` : 'the first entry',
        span: known.at,
      },
    ],
  });
}

/** The retired cluster that both ends name as their hub. */
function retiredHub(ends: Ends, { clusters: declared, hubs }: Declaration, clusters: Clusters): Cluster | undefined {
  const named = ends.map((end) => (declared.find((it) => it.name === end.name)?.hubs ?? hubs).map((it) => it.value));
  const shared = (named[0] ?? []).filter((it) => named[1]?.includes(it));
  return shared.flatMap((it) => clusters.get(it) ?? []).find((it) => it.retired);
}

function withoutCommonHub(entry: LinkDeclaration, [a, b]: Ends, retired: Cluster | undefined): Diagnostic {
  // Ends are in the order of the entry.
  const [first, second] = entry.between[0].value === a.name ? [a, b] : [b, a];
  const hubsOf = ({ name, hubs }: Cluster): string =>
    hubs.length === 0 ? `"${name}" has no hub` : `"${name}" is a spoke of ${quotedNames(hubs)}`;
  const why = retired ? `"${retired.name}" is retired` : `${hubsOf(first)}, ${hubsOf(second)}`;
  return diagnostic(
    'topology/shortcut-without-common-hub',
    entry.at,
    `"${first.name}" and "${second.name}" have no hub in common: ${why}`,
    {
      hint: retired
        ? `name another hub instead of "${retired.name}" in \`hub\`, or list this pair in \`peerings\``
        : 'list this pair in `peerings` instead: a shortcut links two spokes of a common hub',
      related: retired ? [{ message: `"${retired.name}" is declared here`, span: retired.at }] : [],
    },
  );
}

/**
 * The identity of each link: the recorded one of the lock; for a new link, the cluster that is new to the lock comes
 * first. So all lines of a new cluster are together, and two branches that each add a cluster conflict in at most one
 * place of the lock.
 */
export function identifyLinks(links: readonly LinkRequest[], decisions: Decisions): readonly LinkRequest[] {
  if (decisions.size === 0) return links;
  // Only links that are new to the lock need these.
  const known = once(() => clustersIn(decisions));
  const linksOf = once(() => groupBy(links, ({ ends }) => ends.map((it) => it.name)));
  // A cluster without links is not in the lock either; of two such clusters the one with more links is the new one.
  const newness = (name: string): number => (known().has(name) ? 0 : (linksOf().get(name)?.length ?? 0));
  return links.map((link) => {
    const { first, second } = link.id;
    if (isKnown(link.id, decisions)) return link;
    const reversed = reverseLinkId(link.id);
    const isReversed = isKnown(reversed, decisions) || newness(second) > newness(first);
    return isReversed ? { ...link, id: reversed } : link;
  });
}

const isKnown = (link: LinkId, decisions: Decisions): boolean => decisions.has(printLockKey({ kind: 'join', link }));

/** The clusters that have a link or a carved block. */
function clustersIn(decisions: Decisions): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of decisions.keys()) {
    const key = parseLockKey(text);
    if (key?.kind === 'block') names.add(key.cluster);
    if (key?.kind === 'join') names.add(key.link.first).add(key.link.second);
  }
  return names;
}
