import { byCodeUnit, sortedUnique } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { moveHost } from '../../base/net/prefix.ts';
import { type BoundedModel, type Opening, openingsBetween, portsText } from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { type Assertion, type Link, selectClusters } from '../../fleet/model/network-model.ts';
import { pathsOf } from '../../fleet/model/paths.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { Declaration, ServiceAssertion } from '../../fleet/topology/declaration.ts';
import { type EndpointPath, endpointPaths, isDelivered, isVia } from '../services/endpoint-paths.ts';
import { findNamespace, serviceClusters } from '../services/find-namespace.ts';
import { type Address, allocatedIn, known, representativePod } from '../trace/address.ts';
import { type PairFates, type PairPath, pairFatesOf, peerNamed } from '../trace/pair-fates.ts';
import { endNames, failedClusters, type Part } from './parts.ts';

/** The consequences for a fleet when parts of it fail at the same time. */
export interface WhatIf {
  readonly parts: readonly Part[];
  /** Clusters that fail themselves. They are in no pair, and pods in them are gone. */
  readonly failed: ReadonlySet<string>;
  /** Ordered pairs that reached each other and do not any more, by name of the sender, then of the receiver. */
  readonly cut: readonly CutPair[];
  /** Ordered pairs that still reach each other, at another address, in the same order. */
  readonly around: readonly Detour[];
  /** Clusters of cut pairs that reach no other cluster any more, and that none reaches; by name. */
  readonly isolated: readonly string[];
  /** Assertions with a pair that meets them and would not any more: about clusters, then about Services. */
  readonly broken: readonly BrokenAssertion[];
  /** Endpoints that are reached, and would not be any more: by namespace, then by the cluster that uses them. */
  readonly endpoints: readonly LostEndpoint[];
}

export interface CutPair {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
}

export interface Detour extends CutPair {
  readonly before: PairPath;
  readonly after: PairPath;
  /** The ports that a boundary lets in on the new way, where it is closed and lets in others than on the former one. */
  readonly letIn: readonly string[] | null;
}

export interface BrokenAssertion {
  readonly assertion: Assertion | ServiceAssertion;
  /** The first pair that breaks it; `to` is the cluster of the pods of a Service. */
  readonly from: string;
  readonly to: string;
  /** Number of other pairs that break it. */
  readonly others: number;
}

/** The pods of a namespace's Services in one cluster, which another cluster does not reach any more. */
export interface LostEndpoint {
  readonly namespace: OffloadedNamespace;
  readonly from: string;
  readonly to: string;
}

/** The requirements of a topology. */
export type Requirements = Pick<Declaration, 'assertions' | 'serviceAssertions'>;

/**
 * The consequences when these parts fail. Only pairs with a path over a failed link are looked at, and each link of a model
 * is walked once, so that the cost grows with what fails. `unreachable` is never broken: a failure opens no path.
 */
export function whatIf(model: BoundedModel, parts: readonly Part[], requirements: Requirements): WhatIf {
  const fates = fatesIn(model);
  const failure = failureOf(parts);
  const demands = requirements.assertions.flatMap((it) => demandOf(model, it));
  const cut: CutPair[] = [];
  const around: Detour[] = [];
  const broken = new Map<Assertion, BrokenAssertion>();
  for (const pair of pairsNear(model, failure)) {
    const { from, to } = pair;
    const stays = (it: PairPath): boolean => !failure.isOff(linksOfPath(from, to, it));
    const paths = fates.delivering(from, to);
    const [before] = paths;
    if (before !== undefined && !stays(before)) {
      const after = paths.find(stays);
      if (after === undefined) cut.push(pair);
      else around.push({ ...pair, before, after, letIn: otherPorts(model, pair, [before, after]) });
    }
    for (const { assertion, senders, receivers } of demands) {
      if (!senders.has(from) || !receivers.has(to)) continue;
      const wanted = assertion.via === null ? paths : fates.delivering(from, to, assertion.via);
      if (wanted.length === 0 || wanted.some(stays)) continue;
      const known = broken.get(assertion) ?? { assertion, from: from.name, to: to.name, others: -1 };
      broken.set(assertion, { ...known, others: known.others + 1 });
    }
  }
  return {
    parts,
    failed: failure.failed,
    cut,
    around,
    isolated: isolatedBy(model, cut, failure.failed),
    broken: [...broken.values(), ...requirements.serviceAssertions.flatMap((it) => serviceWithout(model, it, failure))],
    endpoints: model.offloadings.flatMap((it) => lostEndpoints(model, it, failure)),
  };
}

function otherPorts(model: BoundedModel, { from, to }: CutPair, ways: readonly [PairPath, PairPath]) {
  const [before, after] = ways.map((way) => {
    const isThrough = way.kind === 'through';
    const openings = openingsBetween(model, isThrough ? way.hub : from.name, to.name);
    return openings && sortedUnique(openings.filter((it) => !isThrough || it.isMasqueraded).map(portsOfOpening));
  });
  return after === undefined || after.join() === before?.join() ? null : after;
}

function portsOfOpening({ protocol, ports }: Opening): string {
  return ports.length === 0 ? (protocol ?? 'every port') : `${protocol} ${ports.map(portsText).join(', ')}`;
}

interface Failure {
  readonly off: ReadonlySet<Link>;
  readonly failed: ReadonlySet<string>;
  readonly isOff: (links: readonly Link[]) => boolean;
}

function failureOf(parts: readonly Part[]): Failure {
  const off = new Set(parts.flatMap((it) => it.links));
  return { off, failed: failedClusters(parts), isOff: (links) => links.some((it) => off.has(it)) };
}

/** The ordered pairs with a path over a failed link, in order of name. */
function* pairsNear(model: SharedModel, { off, failed }: Failure): Iterable<CutPair> {
  const { linkedWith } = pathsOf(model.links);
  const found = new Map<string, Set<string>>();
  const add = (a: string, b: string): void => {
    if (a === b || failed.has(a) || failed.has(b)) return;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const known = found.get(from);
      if (known === undefined) found.set(from, new Set([to]));
      else known.add(to);
    }
  };
  for (const link of off) {
    const [a, b] = endNames(link);
    add(a, b);
    for (const it of linkedWith(b)) add(a, it);
    for (const it of linkedWith(a)) add(b, it);
  }
  for (const name of [...found.keys()].sort(byCodeUnit)) {
    const from = clusterNamed(model, name);
    for (const to of [...(found.get(name) ?? [])].sort(byCodeUnit)) yield { from, to: clusterNamed(model, to) };
  }
}

interface Demand {
  readonly assertion: Assertion;
  readonly senders: ReadonlySet<AddressedCluster>;
  readonly receivers: ReadonlySet<AddressedCluster>;
}

/** The pairs of which an assertion requires a path; empty when it requires none. */
function demandOf(model: SharedModel, assertion: Assertion): readonly Demand[] {
  if (assertion.expect === 'unreachable') return [];
  const selected = (it: Assertion['from']) => new Set(selectClusters(model.clusters, it));
  return [{ assertion, senders: selected(assertion.from), receivers: selected(assertion.to) }];
}

/** The clusters of cut pairs to and from which no pair is left. */
function isolatedBy(model: SharedModel, cut: readonly CutPair[], failed: ReadonlySet<string>): readonly string[] {
  const { delivering } = fatesIn(model);
  const gone = new Map<AddressedCluster, Set<AddressedCluster>>();
  for (const { from, to } of cut) {
    const known = gone.get(from);
    if (known === undefined) gone.set(from, new Set([to]));
    else known.add(to);
  }
  const isCut = (from: AddressedCluster, to: AddressedCluster): boolean =>
    gone.get(from)?.has(to) === true || delivering(from, to).length === 0;
  const others = [...model.clusters.values()].filter((it) => !failed.has(it.name));
  const ends = new Set(cut.flatMap((it) => [it.from, it.to]));
  return [...ends]
    .filter((one) => others.every((it) => isCut(one, it) && isCut(it, one)))
    .map((it) => it.name)
    .sort(byCodeUnit);
}

function lostEndpoints(
  model: SharedModel,
  namespace: OffloadedNamespace,
  { off, failed, isOff }: Failure,
): readonly LostEndpoint[] {
  const fates = fatesIn(model);
  const clusters = serviceClusters(namespace);
  const names = new Set(clusters.map((it) => it.name));
  const touches = [...off].some((it) => endNames(it).every((name) => names.has(name)));
  if (!touches && !clusters.some((it) => failed.has(it.name))) return [];
  return clusters.flatMap((from): readonly LostEndpoint[] => {
    if (failed.has(from.name)) return [];
    const paths = endpointPaths(model, namespace, from, fates) ?? [];
    return paths
      .filter(isDelivered)
      .filter((it) => failed.has(it.cluster) || isOff(linksOfEndpoint(namespace, from, it)))
      .map((it) => ({ namespace, from: from.name, to: it.cluster }));
  });
}

/**
 * An assertion about a Service that needs an endpoint which is lost. Pods in a cluster that fails are gone: that breaks
 * it only when no other endpoint is left.
 */
function serviceWithout(
  model: SharedModel,
  assertion: ServiceAssertion,
  { failed, isOff }: Failure,
): readonly BrokenAssertion[] {
  const { to, expect, via } = assertion;
  const found = findNamespace(model, { namespace: to.namespace, of: to.of?.value ?? null });
  if (expect === 'unreachable' || !found.ok) return [];
  const lost = selectClusters(model.clusters, assertion.from).flatMap((from): readonly LostEndpoint[] => {
    if (failed.has(from.name)) return [];
    const paths = endpointPaths(model, found.namespace, from, fatesIn(model)) ?? [];
    const wanted = paths.filter((it) => isDelivered(it) && isVia(it, via));
    const isLost = (it: EndpointPath) => isOff(linksOfEndpoint(found.namespace, from, it));
    const present = wanted.filter((it) => !failed.has(it.cluster));
    const broken = present.length === 0 ? wanted : present.filter(isLost);
    return broken.map((it) => ({ namespace: found.namespace, from: from.name, to: it.cluster }));
  });
  const [first] = lost;
  return first === undefined ? [] : [{ assertion, from: first.from, to: first.to, others: lost.length - 1 }];
}

/** The fates of a model's pairs, which each what-if of the model asks for. */
export const fatesIn: (model: SharedModel) => PairFates = oncePer((model: SharedModel) => pairFatesOf(model));

/** The links of a path, of which the failure of one is enough. */
export function linksOfPath(from: AddressedCluster, to: AddressedCluster, path: PairPath): readonly Link[] {
  switch (path.kind) {
    case 'direct':
      return [path.link];
    case 'through':
      return [peerNamed(from, path.hub).link, peerNamed(to, path.hub).link];
    case 'none':
      return [];
  }
}

/** The links on the way to an endpoint that is delivered. */
export function linksOfEndpoint(
  { cluster: hub, providers }: OffloadedNamespace,
  from: AddressedCluster,
  { cluster, way }: EndpointPath,
): readonly Link[] {
  if (way === 'local' || way === 'none') return [];
  if (way !== 'hub') return [peerNamed(from, cluster).link];
  const to = providers.find((it) => it.name === cluster);
  return [peerNamed(from, hub.name).link, ...(to === undefined ? [] : [peerNamed(to, hub.name).link])];
}

/** The address that a sender dials for a receiver's representative pod on a path. */
export function dialledOn(from: AddressedCluster, to: AddressedCluster, path: PairPath): Address | null {
  switch (path.kind) {
    case 'direct': {
      const view = peerNamed(from, to.name).podViews[0];
      return view === undefined ? null : known(moveHost(representativePod(to), view.seenAs));
    }
    case 'through':
      return allocatedIn(peerNamed(from, path.hub).externalView.seenAs);
    case 'none':
      return null;
  }
}
