import { byCodeUnit } from '../../../base/core/collections.ts';
import { oncePer } from '../../../base/core/once.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Assertion, FailedPart } from '../../../fleet/topology/declaration.ts';
import type { Selector } from '../../../fleet/topology/selector.ts';
import { type Expectation, type ExpectedCluster, masqueradesEverything } from '../expectation.ts';
import { expectOpenings, hasFence, isClosedInto } from '../expected/expect-boundaries.ts';
import type { ExpectedLink } from '../expected/expect-links.ts';
import type { FleetCheck } from './bundle-check.ts';

type Way = 'shortcut' | 'hub';

/**
 * The assertions of the topology follow from its links that have the keys of both ends: a cluster reaches another over
 * such a link of the two, or through a cluster that has such links to both. Other checks prove that packets pass these
 * links.
 */
export const assertionsHold: FleetCheck = function* ({ expected }) {
  const { assertions } = expected.declaration;
  const aboutAllParts = assertions.filter((it) => it.without === null || it.expect === 'reachable');
  const broken = aboutAllParts.flatMap((it) => [...holds(it, expected)]);
  yield* broken;
  // A pair that does not even reach the other with all parts is one mistake.
  if (broken.length > 0) return;
  for (const it of assertions) if (it.without !== null) yield* holdsWithout(it, it.without, expected);
};

function* holds(assertion: Assertion, expected: Expectation): Iterable<Diagnostic> {
  const { at, expect, via, by: refusing } = assertion;
  const receivers = selectedClusters(assertion.to, expected);
  const groups = groupsOf(receivers, expected);
  const isOnWay = (it: Way): boolean => via === null || it === via;
  const isBroken = (ways: readonly Way[], refused: readonly Way[] = []): boolean =>
    ways.some(isOnWay) !== (expect === 'reachable') ||
    (refusing !== null && refused.some(isOnWay) !== (refusing === 'fence'));
  for (const sender of selectedClusters(assertion.from, expected)) {
    const receiver = firstReceiver(sender, { expected, groups, isBroken, asksForFence: refusing !== null });
    if (receiver === undefined) continue;
    const verb = expect === 'reachable' ? 'does not reach' : 'reaches';
    const message = `"${sender.name}" ${verb} "${receiver}"${via === null ? '' : ` by ${via}`}`;
    yield diagnostic('assertion/broken', at, message);
    return;
  }
}

function selectedClusters(selector: Selector, { clusters }: Expectation): readonly ExpectedCluster[] {
  if (selector.kind === 'cluster') return [...clusters.values()].filter((it) => it.name === selector.name);
  const wanted = Object.entries(selector.labels);
  const hasLabels = ({ declared: { labels } }: ExpectedCluster): boolean =>
    wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
  return [...clusters.values()].filter((it) => !it.retired && hasLabels(it));
}

/** The names of peers whose link has the keys of both gateways, in order of name. */
const workingPeers = ({ name, ends }: ExpectedCluster, { clusters }: Expectation): readonly string[] =>
  [...ends.values()]
    .filter((it) => it.hasRemoteKey && clusters.get(it.peer)?.ends.get(name)?.hasRemoteKey)
    .map((it) => it.peer)
    .sort(byCodeUnit);

/** Clusters with equal peers. Every sender without a link to them reaches all of them in the same way, or none. */
interface Group {
  readonly peers: readonly string[];
  /** Names of clusters. */
  readonly members: ReadonlySet<string>;
}

function groupsOf(clusters: readonly ExpectedCluster[], expected: Expectation): readonly Group[] {
  const groups = new Map<string, { readonly peers: readonly string[]; readonly members: Set<string> }>();
  for (const it of clusters) {
    const peers = workingPeers(it, expected);
    const known = groups.get(peers.join(' '));
    if (known) known.members.add(it.name);
    else groups.set(peers.join(' '), { peers, members: new Set([it.name]) });
  }
  return [...groups.values()];
}

interface ReceiverQuery {
  readonly expected: Expectation;
  readonly groups: readonly Group[];
  /** @param refused ways over links that a fence closes */
  readonly isBroken: (ways: readonly Way[], refused?: readonly Way[]) => boolean;
  readonly asksForFence: boolean;
}

function firstReceiver(sender: ExpectedCluster, query: ReceiverQuery): string | undefined {
  const { expected, groups, isBroken, asksForFence } = query;
  const near = new Set(workingPeers(sender, expected));
  if (hasClosedLink(expected) || asksForFence) {
    const receivers = groups.flatMap((it) => [...it.members].map((name) => ({ name, peers: it.peers })));
    return receivers.find(({ name, peers }) => {
      const isDirect = near.has(name) && letsIn(expected, sender.name, name, false);
      const isThrough = peers.some((it) => near.has(it) && letsIn(expected, it, name, true));
      const isLinked = near.has(name);
      const hasHub = peers.some((it) => near.has(it));
      const ways: readonly (readonly [way: Way, exists: boolean, isOpen: boolean])[] = [
        ['shortcut', isLinked, isDirect],
        ['hub', hasHub, isThrough],
      ];
      const open = ways.flatMap(([way, , isOpen]) => (isOpen ? [way] : []));
      const refused = ways.flatMap(([way, exists, isOpen]) => (exists && !isOpen ? [way] : []));
      return name !== sender.name && isBroken(open, refused);
    })?.name;
  }
  for (const { peers, members } of groups) {
    const through: readonly Way[] = peers.some((it) => near.has(it)) ? ['hub'] : [];
    const linked = isBroken(['shortcut', ...through]) ? [...near].find((it) => members.has(it)) : undefined;
    const other = isBroken(through) ? [...members].find((it) => it !== sender.name && !near.has(it)) : undefined;
    const found = linked ?? other;
    if (found !== undefined) return found;
  }
  return undefined;
}

const hasClosedLink = oncePer((expected: Expectation): boolean =>
  [...expected.clusters.values()].some((it) =>
    [...it.ends.values()].some((end) => hasFence(end, expected) && isClosedInto(end, expected)),
  ),
);

/** True when a fence lets some connection in: of a pod, or under the external address of the sender. */
function letsIn(expected: Expectation, from: string, to: string, isForwarded: boolean): boolean {
  const end = expected.clusters.get(to)?.ends.get(from);
  if (end === undefined || !hasFence(end, expected) || !isClosedInto(end, expected)) return true;
  const sender = expected.clusters.get(from)?.declared;
  const isOneAddress = isForwarded || (sender !== undefined && masqueradesEverything(sender));
  return expectOpenings(expected, from, to).some((it) => (it.sources === 'external address') === isOneAddress);
}

/** A way of packets: over the link of two clusters, or over the links of both with a third one. */
interface Path {
  readonly hub: string | null;
  readonly links: readonly ExpectedLink[];
}

/**
 * An assertion that must also hold when a part has failed: for `reachable` another way is left whichever part of the kind
 * fails, for `unreachable` every way passes the part that is named.
 */
function* holdsWithout(
  { at, from, to, expect, via }: Assertion,
  part: FailedPart,
  expected: Expectation,
): Iterable<Diagnostic> {
  if (expect === 'unreachable' && part.any !== null) return;
  const isUp = (it: ExpectedCluster): boolean => part.any !== null || it.name !== part.text.value;
  const receivers = selectedClusters(to, expected).filter(isUp);
  const near = new Map([...expected.clusters.values()].map((it) => [it.name, new Set(workingPeers(it, expected))]));
  const isOpen = ({ hub }: Path, sender: string, receiver: string): boolean =>
    letsIn(expected, hub ?? sender, receiver, hub !== null);
  const fails = (path: Path, first: Path): boolean[] => failuresOf(part, first, expected).map((isOn) => isOn(path));
  for (const sender of selectedClusters(from, expected).filter(isUp)) {
    for (const receiver of receivers) {
      if (sender === receiver) continue;
      const paths = pathsBetween(sender, receiver, near).filter(
        (it) => (via === null || isVia(it, via)) && isOpen(it, sender.name, receiver.name),
      );
      const [first] = paths;
      if (first === undefined) continue;
      const all = paths.map((it) => fails(it, first));
      const isCut = (all[0] ?? []).some((_, i) => all.every((one) => one[i]));
      if (isCut === (expect === 'unreachable')) continue;
      const verb = expect === 'reachable' ? 'does not reach' : 'still reaches';
      const message = `without ${part.text.value}, "${sender.name}" ${verb} "${receiver.name}"`;
      yield diagnostic('assertion/broken', at, message);
      return;
    }
  }
}

const isVia = ({ hub }: Path, via: Way): boolean => (hub === null) === (via === 'shortcut');

function pathsBetween(
  from: ExpectedCluster,
  to: ExpectedCluster,
  near: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Path[] {
  const linkOf = (hub: string, { ends }: ExpectedCluster): readonly ExpectedLink[] => {
    const end = ends.get(hub);
    return end === undefined ? [] : [end.link];
  };
  const [ofSender, ofReceiver] = [near.get(from.name) ?? new Set<string>(), near.get(to.name) ?? new Set<string>()];
  const direct = ofSender.has(to.name) ? [{ hub: null, links: linkOf(to.name, from) }] : [];
  const [few, many] = ofSender.size < ofReceiver.size ? [ofSender, ofReceiver] : [ofReceiver, ofSender];
  const hubs = [...few].filter((it) => many.has(it));
  return [...direct, ...hubs.map((hub) => ({ hub, links: [...linkOf(hub, from), ...linkOf(hub, to)] }))];
}

/** For each part of the kind on the first path, or for the one that is named: true for a path that passes it. */
function failuresOf(
  { any, text }: FailedPart,
  first: Path,
  { clusters }: Expectation,
): readonly ((it: Path) => boolean)[] {
  const passesCluster = (name: string | null) => (it: Path) => name !== null && it.hub === name;
  const passesLink = (link: ExpectedLink) => (it: Path) => it.links.includes(link);
  const passesGateway = (name: string, address: string) => (it: Path) =>
    it.links.some((one) => one.server.name === name && one.endpoint.address === address);
  switch (any) {
    case 'link':
      return first.links.map(passesLink);
    case 'gateway':
      return first.links.map(({ server, endpoint }) => passesGateway(server.name, endpoint.address));
    case 'cluster':
      return [passesCluster(first.hub)];
    case null: {
      const [name = '', other] = text.value.split('/');
      const link = other === undefined ? undefined : clusters.get(name)?.ends.get(other)?.link;
      if (link !== undefined) return [passesLink(link)];
      return [other === undefined ? passesCluster(name) : passesGateway(name, other)];
    }
  }
}
