import { type LinkId, printLinkId } from '../../base/core/link-id.ts';
import { byCodeUnit } from '../../base/core/order.ts';
import { quotedNames } from '../../base/core/words.ts';
import { bug } from '../../base/diagnostics/bug.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Declaration, LinkDeclaration } from '../topology/declaration.ts';
import type { LinkRequest } from './link-request.ts';
import type { Cluster } from './network-model.ts';

type Clusters = ReadonlyMap<string, Cluster>;
type Ends = LinkRequest['ends'];

interface ListedLinks {
  /** Each pair appears once, no end is retired; in no particular order. */
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
  for (const entry of declaration.shortcuts) addShortcut(entry, clusters, links, found);
  return { links: [...links.values()].filter((it) => !it.ends.some((end) => end.retired)), found };
}

/** The same text for both orders of the ends. */
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
  clusters: Clusters,
  links: Map<string, LinkRequest>,
  found: Diagnostic[],
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
    found.push(withoutCommonHub(entry, a, b));
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

function withoutCommonHub(entry: LinkDeclaration, a: Cluster, b: Cluster): Diagnostic {
  // In the order in which the entry names them.
  const [first, second] = entry.between[0].value === a.name ? [a, b] : [b, a];
  const hubsOf = ({ name, hubs }: Cluster): string =>
    hubs.length === 0 ? `"${name}" has no hub` : `"${name}" is a spoke of ${quotedNames(hubs)}`;
  return diagnostic(
    'topology/shortcut-without-common-hub',
    entry.at,
    `"${first.name}" and "${second.name}" have no hub in common: ${hubsOf(first)}, ${hubsOf(second)}`,
    {
      hint: 'list this pair in `peerings` instead: a shortcut links two spokes of a common hub',
    },
  );
}
