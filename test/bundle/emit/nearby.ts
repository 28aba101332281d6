import { shortcutsOfHub } from '../../../src/bundle/liqo/lower-shortcut-connections.ts';
import type { BoundedModel } from '../../../src/fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../../src/fleet/ipam/addressed-model.ts';
import { sharingOf } from '../../../src/fleet/sharing/shared-model.ts';

/**
 * The part of a model that the folder of a cluster may be printed from, as a model of its own: the cluster, its
 * neighbours, and the names of all others. Their own peers are there where the cluster shares something or has
 * shortcuts. Reading anything else throws, also a place in the text.
 */
export function nearby(name: string, model: BoundedModel): BoundedModel {
  const { partners } = sharingOf(model, name);
  const peers = model.clusters.get(name)?.peers.keys() ?? [];
  const near = new Set([name, ...peers, ...partners.map((it) => it.cluster.name)]);
  const readsFurther = model.sharing.has(name) || shortcutsOfHub(name, model).length > 0;
  const clusters = new Set<unknown>(model.clusters.values());
  const copy = copier((it) => {
    if (isPlace(it)) return unreadable('a place', {});
    if (!clusters.has(it)) return undefined;
    const { name: other, peers: _, ...declared } = it as AddressedCluster;
    if (!near.has(other)) return unreadable(other, { name: other });
    return other === name || readsFurther ? undefined : unreadable(other, { name: other, ...declared });
  });
  const only = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([it]) => near.has(it)));
  const {
    fleet,
    clusters: own,
    sharing,
    links,
    boundaries,
  } = copy({
    fleet: model.fleet,
    clusters: only(model.clusters),
    sharing: only(model.sharing),
    links: shortcutsOfHub(name, model),
    boundaries: boundariesNear(name, model, near),
  });
  return {
    fleet,
    clusters: own,
    sharing,
    links,
    boundaries,
    shares: unreadable('all shares', []),
    offloadings: unreadable('all', []),
  };
}

/** The connections that may cross the links of a cluster, and its own policies. */
function boundariesNear(
  name: string,
  { boundaries: { incoming, namespaces } }: BoundedModel,
  near: ReadonlySet<string>,
): BoundedModel['boundaries'] {
  const ofLinks = [...incoming].flatMap(([to, senders]) => {
    const kept = [...senders].filter(([from]) => to === name || from === name);
    return near.has(to) ? [[to, new Map(kept)] as const] : [];
  });
  return {
    incoming: new Map(ofLinks),
    namespaces: new Map([...namespaces].filter(([it]) => it === name)),
  };
}

/** The part of a model that entry points may be printed from, in the same way: a few facts about each cluster, and what is shared. */
export function forEntryPoints(model: BoundedModel): BoundedModel {
  const clusters = new Set<unknown>(model.clusters.values());
  const copy = copier((it) => {
    if (isPlace(it)) return unreadable('a place', {});
    return clusters.has(it) ? asApplied(it as AddressedCluster) : undefined;
  });
  const { fleet, clusters: all, sharing, shares, offloadings } = model;
  return {
    ...copy({ fleet, clusters: all, sharing, shares, offloadings }),
    links: unreadable('all links', []),
    boundaries: {
      incoming: unreadable('the connections that may cross', new Map()),
      namespaces: model.boundaries.namespaces,
    },
  };
}

function asApplied({ name, gitops, liqoNamespace, retired, traits, boundary, peers }: AddressedCluster): object {
  const seen = new Map([...peers].map(([peer, it]) => [peer, asListed(it)]));
  return unreadable(name, { name, gitops, liqoNamespace, retired, traits, boundary, peers: seen });
}

function asListed(peer: Peer): object {
  const { name, remapped, role } = peer;
  const { boundary } = peer.link;
  const link = unreadable('a link', { boundary, [role]: unreadable('an end', { names: ownEnd(peer).names }) });
  return unreadable(`${name} as a peer`, { name, remapped, role, link });
}

const isPlace = (it: object): boolean => 'source' in it && 'start' in it && 'end' in it;

const unreadable = <T extends object>(name: string, readable: T): T =>
  new Proxy(readable, {
    get: (target, key) => {
      if (key in target && Object.hasOwn(target, key)) return Reflect.get(target, key);
      throw new Error(`${name} was read: ${String(key)}`);
    },
  });

/** Copies values with all their parts, but for those that something else takes the place of. */
function copier(insteadOf: (it: object) => object | undefined): <T>(value: T) => T {
  const copies = new Map<object, object>();
  const copy = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null) return value;
    const known = copies.get(value) ?? insteadOf(value);
    if (known !== undefined) {
      copies.set(value, known);
      return known as T;
    }
    if (value instanceof Map) {
      const map = new Map();
      copies.set(value, map);
      for (const [key, it] of value) map.set(key, copy(it));
      return map as T;
    }
    if (value instanceof Set) return new Set([...value].map((it) => copy(it))) as T;
    const made: object = Array.isArray(value) ? [] : {};
    copies.set(value, made);
    for (const [key, it] of Object.entries(value)) Reflect.set(made, key, copy(it));
    return made as T;
  };
  return copy;
}
