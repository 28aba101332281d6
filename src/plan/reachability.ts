import type { LinkState, NetworkState } from './network-state.ts';

/** How the clusters of a network reach each other: over a link of their own, or through a hub of both. */
export interface Reachability {
  /** The other spokes of a hub that have no link of their own with this one. */
  readonly spokesBehind: (hub: string, spoke: string) => readonly string[];
  readonly isHubOf: (hub: string, spoke: string) => boolean;
  readonly isLinked: (a: string, b: string) => boolean;
  readonly hubsBetween: (a: string, b: string) => readonly string[];
}

/** @param hubs by spoke, if a topology is known; otherwise the end of a hub link with more hub links is the hub. */
export function reachabilityOf(
  { links }: NetworkState,
  hubs: ReadonlyMap<string, readonly string[]> | null,
): Reachability {
  const hubLinks = [...links.values()].filter((it) => it.kind === 'hub');
  const degrees = new Map<string, number>();
  for (const end of hubLinks.flatMap((it) => it.ends)) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  const spokes = new Map<string, string[]>();
  const hubsOf = new Map<string, string[]>();
  for (const it of hubLinks) {
    for (const [hub, spoke] of orient(it, hubs, degrees)) {
      append(spokes, hub, spoke);
      append(hubsOf, spoke, hub);
    }
  }
  const neighbours = new Map<string, Set<string>>();
  for (const { ends } of links.values()) {
    for (const [here, there] of [ends, [ends[1], ends[0]] as const]) {
      const known = neighbours.get(here);
      if (known) known.add(there);
      else neighbours.set(here, new Set([there]));
    }
  }
  const isLinked = (a: string, b: string): boolean => neighbours.get(a)?.has(b) ?? false;
  return {
    isLinked,
    isHubOf: (hub, spoke) => (hubsOf.get(spoke) ?? []).includes(hub),
    spokesBehind: (hub, spoke) => {
      const linked = neighbours.get(spoke);
      return (spokes.get(hub) ?? []).filter((it) => it !== spoke && !linked?.has(it));
    },
    hubsBetween: (a, b) => {
      const others = new Set(hubsOf.get(b));
      return (hubsOf.get(a) ?? []).filter((it) => others.has(it));
    },
  };
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/** Hub and spoke of a hub link; in both orders for two hubs that are spokes of each other. */
function orient(
  { ends: [a, b], server }: LinkState,
  hubs: ReadonlyMap<string, readonly string[]> | null,
  degrees: ReadonlyMap<string, number>,
): readonly (readonly [hub: string, spoke: string])[] {
  const declared = [
    ...(hubs?.get(b)?.includes(a) ? [[a, b] as const] : []),
    ...(hubs?.get(a)?.includes(b) ? [[b, a] as const] : []),
  ];
  if (declared.length > 0) return declared;
  const difference = (degrees.get(a) ?? 0) - (degrees.get(b) ?? 0);
  const hub = difference === 0 ? server : difference > 0 ? a : b;
  return [[hub, hub === a ? b : a]];
}
