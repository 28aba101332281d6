import { by, groupBy } from '../../base/core/collections.ts';
import { inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { contains, type Prefix } from '../../base/net/prefix.ts';
import { type AddressedCluster, unknownSource } from '../ipam/addressed-model.ts';
import type { OffloadedNamespace, SharedModel } from '../sharing/shared-model.ts';
import type { BoundaryDeclaration, Declaration } from '../topology/declaration.ts';
import { type Selector, selectClusters } from '../topology/selector.ts';
import {
  type Boundaries,
  type BoundaryRule,
  type BoundedModel,
  type BoundedNamespace,
  isClosedTowards,
  type Opening,
  type ResolvedEntry,
} from './bounded-model.ts';
import { ciliumLimitsNodes, cnisEnforcePolicies, loansKeepTheirFlows, portsNeedAFence } from './rules/enforcement.ts';
import {
  entriesAreNotRepeated,
  entriesHaveALink,
  entriesOpenAClosedLink,
  entriesSelectPairs,
  masqueradedPodsLookAlike,
  networksAreOfPods,
  systemNamespacesHaveNoPolicies,
} from './rules/entries.ts';

const RULES: readonly BoundaryRule[] = [
  entriesSelectPairs,
  entriesHaveALink,
  entriesOpenAClosedLink,
  networksAreOfPods,
  masqueradedPodsLookAlike,
  systemNamespacesHaveNoPolicies,
  entriesAreNotRepeated,
  portsNeedAFence,
  cnisEnforcePolicies,
  ciliumLimitsNodes,
  loansKeepTheirFlows,
];

/** Decides what may cross each closed link, and applies every rule about it. */
export function resolveBoundaries(model: SharedModel, declaration: Declaration): Outcome<BoundedModel> {
  const entries = declaration.boundaries.map((it) => resolveEntry(model, it));
  const boundaries = decideBoundaries(
    model,
    entries.flatMap((it) => it.openings),
  );
  const bounded: BoundedModel = { ...model, boundaries };
  const remarks = RULES.flatMap((rule) => [...rule({ model: bounded, entries })]);
  return outcome(bounded, inSourceOrder(remarks, [declaration.source]));
}

/** One end of an entry: a cluster, and the namespace of the entry there. */
interface EntryEnd {
  readonly cluster: AddressedCluster;
  readonly namespace: string | null;
  /** True for the remote namespace in a provider. */
  readonly isRemote: boolean;
}

function resolveEntry(model: SharedModel, entry: BoundaryDeclaration): ResolvedEntry {
  const ends = (selector: Selector, namespace: string | null, hasCIDR: boolean): readonly EntryEnd[] =>
    selectClusters(model.clusters, selector)
      .filter((it) => !it.retired)
      .flatMap((it) => endsIn(model, it, namespace, hasCIDR));
  const senders = ends(entry.from, entry.fromNamespace?.value ?? null, entry.fromCIDR !== null);
  const receivers = ends(entry.to, entry.toNamespace?.value ?? null, entry.toCIDR !== null);
  const byCluster = groupBy(senders, (it) => [it.cluster.name]);
  let linked = 0;
  const openings: Opening[] = [];
  for (const to of receivers) {
    for (const from of sendersLinkedTo(to.cluster, byCluster)) {
      linked++;
      const peer = to.cluster.peers.get(from.cluster.name);
      if (peer && isClosedTowards(peer, to.cluster)) openings.push(openingFor(entry, from, to));
    }
  }
  const clusters = (them: readonly EntryEnd[]) => them.filter((it) => !it.isRemote).map((it) => it.cluster);
  return { entry, senders: clusters(senders), receivers: clusters(receivers), linked, openings };
}

/** Iterates over the peers of the receiver, of which there are fewer than pairs in a fleet. */
function* sendersLinkedTo(to: AddressedCluster, senders: ReadonlyMap<string, readonly EntryEnd[]>): Iterable<EntryEnd> {
  if (senders.size <= to.peers.size) {
    for (const [name, them] of senders) if (to.peers.has(name)) yield* them;
    return;
  }
  for (const name of to.peers.keys()) yield* senders.get(name) ?? [];
}

/** The namespace in its cluster, and in the providers to which its pods may be offloaded. */
function endsIn(
  model: SharedModel,
  cluster: AddressedCluster,
  namespace: string | null,
  hasCIDR: boolean,
): readonly EntryEnd[] {
  const own: EntryEnd = { cluster, namespace, isRemote: false };
  if (namespace === null || hasCIDR) return [own];
  const offloaded = model.sharing.get(cluster.name)?.offloads.find((it) => it.namespace === namespace);
  return [own, ...(offloaded ? remoteEnds(offloaded) : [])];
}

const remoteEnds = ({ pods, providers, remoteName }: OffloadedNamespace): readonly EntryEnd[] =>
  pods === 'Local' ? [] : providers.map((cluster) => ({ cluster, namespace: remoteName, isRemote: true }));

function openingFor(entry: BoundaryDeclaration, from: EntryEnd, to: EntryEnd): Opening {
  const isMasqueraded = entry.masqueraded.value || from.cluster.fabric.fullMasquerade;
  return {
    at: entry.at,
    from: from.cluster.name,
    to: to.cluster.name,
    sources: isMasqueraded
      ? [{ base: unknownSource(from.cluster), length: 32 }]
      : podsOf(from.cluster, entry.fromCIDR?.value ?? null),
    destinations: podsOf(to.cluster, entry.toCIDR?.value ?? null),
    isMasqueraded,
    fromNamespace: from.namespace,
    toNamespace: to.namespace,
    toPods: entry.toPods,
    protocol: entry.protocol,
    ports: entry.ports,
  };
}

/** The chosen pods, as far as the cluster has them; a rule reports a network outside. */
function podsOf({ podCIDRs }: AddressedCluster, chosen: Prefix | null): readonly Prefix[] {
  if (chosen === null) return podCIDRs.map((it) => it.value);
  return podCIDRs.some((it) => contains(it.value, chosen)) ? [chosen] : [];
}

function decideBoundaries({ clusters }: SharedModel, openings: readonly Opening[]): Boundaries {
  const incoming = new Map<string, Map<string, Opening[]>>();
  for (const [name, cluster] of clusters) {
    const closed = [...cluster.peers.values()].filter((it) => isClosedTowards(it, cluster)).sort(by((it) => it.name));
    if (closed.length > 0) incoming.set(name, new Map(closed.map((it) => [it.name, []])));
  }
  const namespaces = new Map<string, Map<string, BoundedNamespace>>();
  const limit = (cluster: string, name: string | null, what: 'limitsIngress' | 'limitsEgress'): void => {
    if (name === null) return;
    const inCluster = namespaces.get(cluster) ?? new Map<string, BoundedNamespace>();
    namespaces.set(cluster, inCluster);
    const known = inCluster.get(name) ?? { name, limitsIngress: false, limitsEgress: false };
    inCluster.set(name, { ...known, [what]: true });
  };
  for (const it of openings) {
    incoming.get(it.to)?.get(it.from)?.push(it);
    limit(it.to, it.toNamespace, 'limitsIngress');
    limit(it.from, it.fromNamespace, 'limitsEgress');
  }
  return {
    incoming,
    namespaces: new Map(
      [...namespaces]
        .sort(by(([name]) => name))
        .map(([name, them]) => [name, [...them.values()].sort(by((it) => it.name))]),
    ),
  };
}
