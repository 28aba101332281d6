import { byCodeUnit, groupBy } from '../../../base/core/collections.ts';
import { oncePer } from '../../../base/core/once.ts';
import type { Prefix } from '../../../base/net/prefix.ts';
import type { Span } from '../../../base/source/source.ts';
import type { BoundaryDeclaration, ClusterDeclaration, PortSpan } from '../../../fleet/topology/declaration.ts';
import type { Selector } from '../../../fleet/topology/selector.ts';
import { type Expectation, type ExpectedEnd, masqueradesEverything } from '../expectation.ts';
import { clustersSelectedBy } from './expect-shares.ts';

/** New connections that may cross a closed link into a cluster, in the addresses of their own clusters. */
export interface ExpectedOpening {
  /** The entry. */
  readonly at: Span;
  readonly sources: readonly Prefix[] | 'external address';
  readonly destinations: readonly Prefix[];
  readonly fromNamespace: string | null;
  readonly toNamespace: string | null;
  readonly toPods: BoundaryDeclaration['toPods'];
  readonly protocol: string | null;
  readonly ports: readonly PortSpan[];
}

/** True when connections over a link into this end need an entry of `boundaries`. */
export function isClosedInto({ link, cluster }: ExpectedEnd, { clusters }: Expectation): boolean {
  return (link.boundary ?? clusters.get(cluster)?.declared.boundary) === 'closed';
}

/**
 * True for an end whose gateway has a fence, which is empty on an open link: from Liqo 1.1 on, where the topology has a
 * boundary for the link or the cluster.
 */
export function hasFence({ link, cluster }: ExpectedEnd, { clusters }: Expectation): boolean {
  const own = clusters.get(cluster);
  return own?.traits.hasFences === true && (link.boundary ?? own.declared.boundary) !== null;
}

/** The openings of every entry from one cluster to another, by trying each entry on the two. */
export function expectOpenings(fleet: Expectation, from: string, to: string): readonly ExpectedOpening[] {
  const [sender, receiver] = [fleet.clusters.get(from)?.declared, fleet.clusters.get(to)?.declared];
  if (!sender || !receiver) return [];
  return fleet.declaration.boundaries.flatMap((entry) => {
    const isChosen = (cidr: BoundaryDeclaration['toCIDR']) => (cidr === null ? null : [cidr.value]);
    const senders = namespacesIn(fleet, sender, {
      selector: entry.from,
      namespace: entry.fromNamespace,
      cidr: entry.fromCIDR,
    });
    const receivers = namespacesIn(fleet, receiver, {
      selector: entry.to,
      namespace: entry.toNamespace,
      cidr: entry.toCIDR,
    });
    const isOneAddress = entry.masqueraded.value || masqueradesEverything(sender);
    return senders.flatMap((fromNamespace) =>
      receivers.map(
        (toNamespace): ExpectedOpening => ({
          at: entry.at,
          sources: isOneAddress ? 'external address' : (isChosen(entry.fromCIDR) ?? podsOf(sender)),
          destinations: isChosen(entry.toCIDR) ?? podsOf(receiver),
          fromNamespace,
          toNamespace,
          toPods: entry.toPods,
          protocol: entry.protocol,
          ports: entry.ports,
        }),
      ),
    );
  });
}

const podsOf = ({ podCIDRs }: ClusterDeclaration): readonly Prefix[] => podCIDRs.map((it) => it.value);

interface EntryEnd {
  readonly selector: Selector;
  readonly namespace: BoundaryDeclaration['toNamespace'];
  readonly cidr: BoundaryDeclaration['toCIDR'];
}

/**
 * The names of an entry's namespace in one cluster: its own name if the entry selects the cluster, and the remote one if it is a
 * provider of a selected cluster, which offloads the namespace. `null` for every namespace.
 */
function namespacesIn(
  fleet: Expectation,
  cluster: ClusterDeclaration,
  { selector, namespace, cidr }: EntryEnd,
): readonly (string | null)[] {
  const selected = selectedIn(fleet)(selector);
  const own = selected.has(cluster.name) ? [namespace?.value ?? null] : [];
  if (namespace === null || cidr !== null) return own;
  const remote = fleet.offloadings.filter(
    (it) =>
      it.namespace === namespace.value &&
      it.pods !== 'Local' &&
      it.providers.includes(cluster.name) &&
      selected.has(it.cluster),
  );
  return [...own, ...remote.map((it) => it.remoteName ?? `${it.namespace}-${it.cluster}`)];
}

/** The names of the selected clusters, which every pair with a closed link asks for. */
const selectedIn = oncePer((fleet: Expectation) =>
  oncePer(
    (it: Selector): ReadonlySet<string> =>
      new Set(clustersSelectedBy(it, fleet.declaration.clusters).map(({ name }) => name)),
  ),
);

/** By cluster and namespace, the directions that a policy limits. */
type Policies = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Every policy that the topology requires. */
export const expectPolicies = oncePer((fleet: Expectation): Policies => {
  const found: { readonly cluster: string; readonly namespace: string; readonly limits: string }[] = [];
  for (const { ends } of fleet.clusters.values()) {
    for (const end of ends.values()) {
      if (!isClosedInto(end, fleet)) continue;
      for (const { fromNamespace, toNamespace } of expectOpenings(fleet, end.peer, end.cluster)) {
        if (toNamespace !== null) found.push({ cluster: end.cluster, namespace: toNamespace, limits: 'Ingress' });
        if (fromNamespace !== null) found.push({ cluster: end.peer, namespace: fromNamespace, limits: 'Egress' });
      }
    }
  }
  const byCluster = groupBy(found, (it) => [it.cluster]);
  return new Map(
    [...byCluster].map(([cluster, them]) => {
      const byNamespace = [...groupBy(them, (it) => [it.namespace])].sort(([a], [b]) => byCodeUnit(a, b));
      return [cluster, new Map(byNamespace.map(([name, all]) => [name, new Set(all.map((it) => it.limits))]))];
    }),
  );
});
