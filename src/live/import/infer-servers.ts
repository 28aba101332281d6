import { orientShortcuts } from '../../fleet/model/orient-shortcuts.ts';
import type { LiveLink } from './live-link.ts';

/** A link with what decides who serves it. */
interface ServerRequest {
  readonly link: LiveLink;
  /** The hub of a hub link. */
  readonly hub: string | null;
  /** The ends that weft could choose, because they can be dialled. */
  readonly able: readonly string[];
  /** Whether the fork's operator uses the link, which then decides which end is better. */
  readonly isOriented: boolean;
}

/** The links for which weft would choose the other end, by identity: those have to name their server. */
export function namedServers(requests: readonly ServerRequest[]): ReadonlySet<string> {
  const named = new Set(requests.filter((it) => chosen(it) !== it.link.server.cluster).map((it) => it.link.id));
  const oriented = requests.filter((it) => it.isOriented);
  // A named server may turn other shortcuts, so they are oriented again until all serve as they do.
  for (let before = -1; before < named.size; ) {
    before = named.size;
    const servers = orientShortcuts(oriented.map((it) => edgeOf(it, named)));
    for (const { link } of oriented) if (servers.get(link.id) !== link.server.cluster) named.add(link.id);
  }
  return named;
}

/** As weft chooses: the only end that can be dialled, else the hub, else the name that sorts first. */
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
