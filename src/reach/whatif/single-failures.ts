import { by } from '../../base/core/collections.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Link, selectClusters } from '../../fleet/model/network-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { type EndpointPath, endpointPaths, isDelivered, isVia } from '../services/endpoint-paths.ts';
import { findNamespace, serviceClusters } from '../services/find-namespace.ts';
import type { PairPath } from '../trace/pair-fates.ts';
import { allParts, gatewayKey, type Part, partsOf, printPart } from './parts.ts';
import { type BrokenAssertion, fatesIn, linksOfEndpoint, linksOfPath, type Requirements } from './what-if.ts';

/** The consequences for a fleet when one part fails, in numbers; `whatIf` has the details. */
export interface SingleFailure {
  readonly part: Part;
  /** Number of ordered pairs that are cut. */
  readonly cut: number;
  /** Number of ordered pairs that still reach each other, at another address. */
  readonly around: number;
  /** The first clusters of cut pairs, by name. */
  readonly isolated: readonly string[];
  readonly broken: readonly BrokenAssertion['assertion'][];
  /** Number of endpoints that are lost, and the namespaces of their Services. */
  readonly endpoints: number;
  readonly namespaces: readonly OffloadedNamespace[];
}

export interface SingleFailures {
  /** Number of ordered pairs that reach each other with all parts. */
  readonly pairs: number;
  /** Every part, those that cut most first. */
  readonly failures: readonly SingleFailure[];
}

interface Tally {
  readonly part: Part;
  cut: number;
  around: number;
  /** The clusters of which it cuts every pair. */
  readonly isolated: string[];
  readonly broken: Set<BrokenAssertion['assertion']>;
  endpoints: number;
  readonly namespaces: Set<OffloadedNamespace>;
}

/**
 * Every single failure, by one pass over all pairs: two paths of a pair have no link in common, so the parts that cut a
 * pair are those that all its paths pass.
 */
export function singleFailures(model: SharedModel, requirements: Requirements): SingleFailures {
  const tallies = talliesOf(model);
  const pairs = tallyPairs(model, requirements, tallies);
  tallyEndpoints(model, tallies);
  judgeServices(model, requirements, tallies);
  const failures = tallies.all.map(
    (it): SingleFailure => ({
      part: it.part,
      cut: it.cut,
      around: it.around,
      isolated: it.isolated.sort(),
      broken: [...requirements.assertions, ...requirements.serviceAssertions].filter((one) => it.broken.has(one)),
      endpoints: it.endpoints,
      namespaces: model.offloadings.filter((one) => it.namespaces.has(one)),
    }),
  );
  return { pairs, failures: failures.sort(worstFirst) };
}

const worstFirst = (a: SingleFailure, b: SingleFailure): number =>
  b.cut - a.cut ||
  b.broken.length - a.broken.length ||
  b.endpoints - a.endpoints ||
  b.around - a.around ||
  KIND_RANKS[a.part.kind] - KIND_RANKS[b.part.kind] ||
  by((it: SingleFailure) => printPart(it.part))(a, b);

const KIND_RANKS: Readonly<Record<Part['kind'], number>> = { cluster: 0, gateway: 1, link: 2 };

interface Tallies {
  readonly all: readonly Tally[];
  /** The link itself and the gateway that serves it, if others have it, too. */
  readonly ofLink: (link: Link) => readonly Tally[];
  readonly ofCluster: (name: string) => Tally | undefined;
}

function talliesOf(model: SharedModel): Tallies {
  const all = allParts(partsOf(model)).map(
    (part): Tally => ({
      ...{ part, cut: 0, around: 0, endpoints: 0 },
      ...{ isolated: [], broken: new Set(), namespaces: new Set() },
    }),
  );
  const clusters = new Map<string, Tally>();
  const gateways = new Map<string, Tally>();
  const ofLinks = new Map<Link, Tally[]>();
  for (const it of all) {
    if (it.part.kind === 'cluster') clusters.set(it.part.cluster, it);
    else if (it.part.kind === 'gateway') gateways.set(printPart(it.part), it);
    else ofLinks.set(it.part.links[0], [it]);
  }
  for (const [link, own] of ofLinks) {
    const gateway = gateways.get(gatewayKey(link));
    if (gateway !== undefined) own.push(gateway);
  }
  return { all, ofLink: (link) => ofLinks.get(link) ?? [], ofCluster: (name) => clusters.get(name) };
}

interface Isolators {
  /** The parts that cut every pair of a cluster that was counted so far. */
  readonly by: readonly Tally[];
  /** The only cluster that it reaches or is reached by. */
  readonly only: Tally | undefined;
}

/** Counts the pairs of each part; returns the number of pairs that reach each other with all parts. */
function tallyPairs(model: SharedModel, { assertions }: Requirements, tallies: Tallies): number {
  const { delivering } = fatesIn(model);
  const clusters = [...model.clusters.values()];
  const demands = assertions
    .filter((it) => it.expect === 'reachable')
    .map((assertion) => ({
      assertion,
      senders: new Set(selectClusters(model.clusters, assertion.from)),
      receivers: new Set(selectClusters(model.clusters, assertion.to)),
    }));
  const alone = new Map<AddressedCluster, Isolators>();
  const notIsolatedByOthers = (it: AddressedCluster, cut: readonly Tally[], other: AddressedCluster): void => {
    const known = alone.get(it);
    if (known?.by.length === 0) return;
    // A cluster that fails is in no pair.
    const end = tallies.ofCluster(other.name);
    const isCut = (one: Tally) => one === end || cut.includes(one);
    if (known === undefined) alone.set(it, { by: [...cut, ...(end ? [end] : [])], only: end });
    else if (known.only !== undefined && known.only !== end)
      alone.set(it, { by: known.by.filter(isCut), only: undefined });
    else if (!known.by.every(isCut)) alone.set(it, { ...known, by: known.by.filter(isCut) });
  };
  let pairs = 0;
  for (const from of clusters) {
    const wanted = demands.filter((it) => it.senders.has(from));
    for (const to of clusters) {
      const paths = delivering(from, to);
      const [first] = paths;
      const cut = first === undefined ? NONE : sharedBy(paths, from, to, tallies);
      if (first !== undefined) {
        pairs++;
        for (const it of cut) it.cut++;
        notIsolatedByOthers(from, cut, to);
        notIsolatedByOthers(to, cut, from);
        if (paths.length > 1) for (const it of passedBy(first, from, to, tallies)) if (!cut.includes(it)) it.around++;
      }
      for (const { assertion, receivers } of wanted) {
        if (!receivers.has(to)) continue;
        const breaking =
          assertion.via === null ? cut : sharedBy(delivering(from, to, assertion.via), from, to, tallies);
        for (const it of breaking) it.broken.add(assertion);
      }
    }
  }
  // A cluster that reaches only the one that fails is in no cut pair.
  for (const [it, { by: isolators, only }] of alone)
    for (const tally of isolators) if (tally !== only) tally.isolated.push(it.name);
  return pairs;
}

const NONE: readonly Tally[] = [];

/** The parts that all these paths pass; none without a path. */
function sharedBy(
  paths: readonly PairPath[],
  from: AddressedCluster,
  to: AddressedCluster,
  tallies: Tallies,
): readonly Tally[] {
  const [first, ...others] = paths;
  if (first === undefined) return NONE;
  let shared = passedBy(first, from, to, tallies);
  for (const it of others) {
    if (shared.length === 0) break;
    const passed = passedBy(it, from, to, tallies);
    shared = shared.filter((one) => passed.includes(one));
  }
  return shared;
}

/** The parts without which a path does not exist, each once. The ends of a pair are no parts of its paths. */
function passedBy(path: PairPath, from: AddressedCluster, to: AddressedCluster, tallies: Tallies): readonly Tally[] {
  const [one, other] = linksOfPath(from, to, path);
  const passed = one === undefined ? NONE : tallies.ofLink(one);
  if (path.kind !== 'through' || other === undefined) return passed;
  const hub = tallies.ofCluster(path.hub);
  const more = tallies.ofLink(other).filter((it) => !passed.includes(it));
  return hub === undefined ? [...passed, ...more] : [...passed, ...more, hub];
}

/** The parts on the way to an endpoint, and the cluster in which its pods run. */
function passedToEndpoint(
  namespace: OffloadedNamespace,
  from: AddressedCluster,
  path: EndpointPath,
  tallies: Tallies,
): ReadonlySet<Tally> {
  const clusters = [path.cluster, ...(path.way === 'hub' ? [namespace.cluster.name] : [])];
  return new Set([
    ...linksOfEndpoint(namespace, from, path).flatMap(tallies.ofLink),
    ...clusters.filter((it) => it !== from.name).flatMap((it) => tallies.ofCluster(it) ?? []),
  ]);
}

function tallyEndpoints(model: SharedModel, tallies: Tallies): void {
  const fates = fatesIn(model);
  for (const namespace of model.offloadings) {
    for (const from of serviceClusters(namespace)) {
      for (const path of endpointPaths(model, namespace, from, fates) ?? []) {
        if (!isDelivered(path)) continue;
        for (const it of passedToEndpoint(namespace, from, path, tallies)) {
          it.endpoints++;
          it.namespaces.add(namespace);
        }
      }
    }
  }
}

/** Pods in a cluster that fails are gone, which breaks an assertion only when no other endpoint is left. */
function judgeServices(model: SharedModel, { serviceAssertions }: Requirements, tallies: Tallies): void {
  const fates = fatesIn(model);
  for (const assertion of serviceAssertions) {
    const { to, via, expect } = assertion;
    const found = findNamespace(model, { namespace: to.namespace, of: to.of?.value ?? null });
    if (expect === 'unreachable' || !found.ok) continue;
    for (const from of selectClusters(model.clusters, assertion.from)) {
      const paths = endpointPaths(model, found.namespace, from, fates) ?? [];
      const wanted = paths.filter((it) => isDelivered(it) && isVia(it, via));
      const isOnly = new Set(wanted.map((it) => it.cluster)).size === 1;
      for (const path of wanted) {
        const pods = tallies.ofCluster(path.cluster);
        for (const it of passedToEndpoint(found.namespace, from, path, tallies))
          if (it !== pods || isOnly) it.broken.add(assertion);
      }
    }
  }
}
