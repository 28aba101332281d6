import { countOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Assertion, type Link, selectClusters } from '../../fleet/model/network-model.ts';
import { type Paths, pathsOf } from '../../fleet/model/paths.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { FailedPart, ServiceAssertion } from '../../fleet/topology/declaration.ts';
import { endpointPaths, isDelivered, isVia } from '../services/endpoint-paths.ts';
import { findNamespace } from '../services/find-namespace.ts';
import type { PairPath } from '../trace/pair-fates.ts';
import { findPart, gatewayKey, type Part, printPart } from './parts.ts';
import { fatesIn, linksOfEndpoint, linksOfPath, type Requirements } from './what-if.ts';

/**
 * Checks the assertions that must hold without a part. Those that do not hold with all parts are reported before, and not
 * here again.
 */
export function decideWithout<T extends SharedModel>(model: T, requirements: Requirements | null): Outcome<T> {
  const { assertions = [], serviceAssertions = [] } = requirements ?? {};
  return outcome(
    model,
    inSourceOrder([
      ...assertions.flatMap((it) => (it.without === null ? [] : decidePairs(model, it, it.without))),
      ...serviceAssertions.flatMap((it) => (it.without === null ? [] : decideService(model, it, it.without))),
    ]),
  );
}

/** A path as far as failures are concerned. */
interface FailingPath {
  readonly links: readonly Link[];
  /** The cluster in between. */
  readonly hub: string | null;
}

/** A pair that breaks an assertion, with the part that must fail for that. */
interface Broken {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  readonly part: Part;
  /** The path that is left, for `unreachable`. */
  readonly left: FailingPath | null;
}

/** The search ends after this many pairs. */
const MOST_PAIRS = 5;

function decidePairs(model: SharedModel, assertion: Assertion, without: FailedPart): readonly Diagnostic[] {
  const named = partOf(model, without);
  if (named !== null && 'code' in named) return [named];
  const isUp = (it: AddressedCluster): boolean => named?.kind !== 'cluster' || it.name !== named.cluster;
  const from = selectClusters(model.clusters, assertion.from).filter(isUp);
  const to = selectClusters(model.clusters, assertion.to).filter(isUp);
  // Selectors that match nothing are reported already.
  if (named !== null && (from.length === 0 || to.length === 0)) return [selectsOnly(without, named)];
  const broken: Broken[] = [];
  const holds = groupsThatHold(model, assertion, without);
  for (const sender of from) {
    for (const receiver of to) {
      if (sender === receiver || holds(sender, receiver)) continue;
      const found = brokenBy(model, { assertion, without, named }, sender, receiver);
      if (found === undefined) continue;
      broken.push(found);
      if (broken.length === MOST_PAIRS) return [brokenWithout(assertion, broken)];
    }
  }
  return broken.length === 0 ? [] : [brokenWithout(assertion, broken)];
}

interface Question {
  readonly assertion: Pick<Assertion, 'expect' | 'via'>;
  readonly without: FailedPart;
  readonly named: Part | null;
}

function brokenBy(
  model: SharedModel,
  { assertion, without, named }: Question,
  from: AddressedCluster,
  to: AddressedCluster,
): Broken | undefined {
  const paths = fatesIn(model).delivering(from, to, assertion.via);
  const ways = paths.map((it) => ({ links: linksOfPath(from, to, it), hub: hubOf(it) }));
  const [first] = ways;
  if (first === undefined) return undefined;
  if (assertion.expect === 'unreachable') {
    const left = named === null ? undefined : ways.find((it) => !isOn(named, it));
    return named === null || left === undefined ? undefined : { from, to, part: named, left };
  }
  const candidates = named === null ? partsOn(first, without) : [named];
  const part = candidates.find((it) => ways.every((way) => isOn(it, way)));
  return part && { from, to, part, left: null };
}

const hubOf = (path: PairPath): string | null => (path.kind === 'through' ? path.hub : null);

const isOn = (part: Part, { links, hub }: FailingPath): boolean =>
  part.kind === 'cluster' ? hub === part.cluster : links.some((it) => part.links.includes(it) || isServedBy(part, it));

const isServedBy = (part: Part, link: Link): boolean => part.kind === 'gateway' && gatewayKey(link) === printPart(part);

function partsOn({ links, hub }: FailingPath, { any }: FailedPart): readonly Part[] {
  switch (any) {
    case 'link':
      return links.map((it) => ({ kind: 'link', links: [it] }));
    case 'gateway':
      return links.map((it) => ({
        ...{ kind: 'gateway', cluster: it.server.cluster.name, address: it.endpoint.address },
        links: [it],
      }));
    case 'cluster':
      return hub === null ? [] : [{ kind: 'cluster', cluster: hub, links: [] }];
    case null:
      return [];
  }
}

/**
 * Finds pairs that need no look: a fleet has far more pairs than links. When every working link delivers, two clusters
 * without a link of their own survive any link and any cluster if two clusters are between them, and clusters with equal
 * neighbours are equal.
 */
function groupsThatHold(
  model: SharedModel,
  { expect, via }: Assertion,
  { any }: FailedPart,
): (from: AddressedCluster, to: AddressedCluster) => boolean {
  const usable = (any === 'link' || any === 'cluster') && expect === 'reachable' && via !== 'shortcut';
  if (!usable || model.shares.length > 0 || !fatesIn(model).linksDeliver()) return () => false;
  const paths = pathsOf(model.links);
  const keyOf = keysIn(paths);
  const known = new Map<string, boolean>();
  return (from, to) => {
    if (from.peers.has(to.name)) return false;
    const key = `${keyOf(from.name)} / ${keyOf(to.name)}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const holds = paths.between(from.name, to.name).length > 1;
    known.set(key, holds);
    return holds;
  };
}

/** A number for the neighbours of each cluster. */
function keysIn({ linkedWith }: Paths): (name: string) => number {
  const numbers = new Map<string, number>();
  const known = new Map<string, number>();
  return (name) => {
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const text = linkedWith(name).join(' ');
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(name, number);
    return number;
  };
}

function decideService(model: SharedModel, assertion: ServiceAssertion, without: FailedPart): readonly Diagnostic[] {
  const { to, via, expect } = assertion;
  const named = partOf(model, without);
  if (named !== null && 'code' in named) return [named];
  const found = findNamespace(model, { namespace: to.namespace, of: to.of?.value ?? null });
  if (!found.ok) return [];
  const { namespace } = found;
  const senders = selectClusters(model.clusters, assertion.from).filter(
    (it) => named?.kind !== 'cluster' || it.name !== named.cluster,
  );
  if (named !== null && senders.length === 0) return [selectsOnly(without, named)];
  for (const from of senders) {
    const paths = (endpointPaths(model, namespace, from, fatesIn(model)) ?? []).filter(
      (it) => isDelivered(it) && isVia(it, via),
    );
    for (const path of paths) {
      const hub = path.way === 'hub' ? namespace.cluster.name : null;
      const way = { links: linksOfEndpoint(namespace, from, path), hub };
      // Pods in a cluster that fails are gone, which matters when they are the only ones.
      const isOnly = paths.every((it) => it.cluster === path.cluster) && path.cluster !== from.name;
      const gone = isOnly && without.any === 'cluster' ? [podsOf(path.cluster)] : [];
      const parts = named === null ? [...partsOn(way, without), ...gone] : [named];
      const breaks = (it: Part): boolean => {
        const isGone = it.kind === 'cluster' && it.cluster === path.cluster;
        if (expect === 'unreachable') return !isGone && !isOn(it, way);
        return isGone ? isOnly : isOn(it, way);
      };
      const part = parts.find(breaks);
      if (part !== undefined) return [brokenEndpoint(assertion, { from, pods: path.cluster, part })];
    }
  }
  return [];
}

const podsOf = (cluster: string): Part => ({ kind: 'cluster', cluster, links: [] });

/** The part that an assertion names; `null` for any part of a kind; a diagnostic for a text that names none. */
function partOf(model: SharedModel, { any, text }: FailedPart): Part | Diagnostic | null {
  if (any !== null) return null;
  const reading = findPart(model, text.value);
  if (reading.ok) return reading.part;
  const hint = text.value.startsWith('any') ? 'write any-link, any-gateway or any-cluster' : reading.hint;
  return diagnostic('assertion/matches-nothing', text.at, reading.problem, { hint });
}

const selectsOnly = ({ text }: FailedPart, part: Part): Diagnostic =>
  diagnostic('assertion/matches-nothing', text.at, `the assertion selects no pair without ${partText(part)}`, {
    hint: 'name a part that is not an end of the pair itself',
  });

/** A part in a sentence: `the link milan/rome`. */
const partText = (part: Part): string =>
  part.kind === 'cluster' ? quoted(part.cluster) : `the ${part.kind} ${printPart(part)}`;

function brokenWithout({ at, via }: Assertion, broken: readonly Broken[]): Diagnostic {
  const [first] = broken;
  if (first === undefined) return diagnostic('assertion/broken', at, 'the assertion does not hold');
  const { from, to, part, left } = first;
  const count = broken.length - 1;
  const others =
    count === MOST_PAIRS - 1
      ? '; other pairs break it, too'
      : count > 0
        ? `; ${countOf(count, 'other pair breaks', 'other pairs break')} it, too`
        : '';
  const [one, other] = [quoted(from.name), quoted(to.name)];
  const message =
    left === null
      ? `without ${partText(part)}, ${one} does not reach ${other}: there is no other path${via === null ? '' : ' of this kind'}`
      : `without ${partText(part)}, ${one} still reaches ${other} ${left.hub === null ? 'by the link of the two' : `through ${quoted(left.hub)}`}`;
  const hint = left === null ? SECOND_PATH[via ?? 'any'] : 'remove this path, or correct the assertion';
  return diagnostic('assertion/broken', at, `${message}${others}`, {
    hint,
    related: [
      { message: `${one} sends`, span: from.at },
      { message: `${other} receives`, span: to.at },
    ],
  });
}

const SECOND_PATH = {
  any: 'add the pair to `peerings`, link both to one more cluster, or correct the assertion',
  hub: 'link both to one more cluster, or correct the assertion',
  shortcut: 'leave out `via`, or correct the assertion: two clusters have at most one link',
} as const;

interface BrokenEndpoint {
  readonly from: AddressedCluster;
  readonly pods: string;
  readonly part: Part;
}

function brokenEndpoint({ at, to, expect }: ServiceAssertion, { from, pods, part }: BrokenEndpoint): Diagnostic {
  const reaches = expect === 'reachable' ? 'does not reach' : 'still reaches';
  const where = pods === from.name ? 'in the cluster itself' : `in ${quoted(pods)}`;
  const message = `without ${partText(part)}, ${quoted(from.name)} ${reaches} the pods of Service ${to.namespace}/${to.service} ${where}`;
  return diagnostic('assertion/broken', at, message, {
    hint:
      expect === 'reachable'
        ? 'an endpoint has one path only: name another part, or remove `without`'
        : 'name the part that all paths pass, or remove `without`',
  });
}
