import { byCodeUnit } from '../../../base/core/collections.ts';
import { oncePer } from '../../../base/core/once.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Prefix } from '../../../base/net/prefix.ts';
import type { Assertion, FailedPart } from '../../../fleet/topology/declaration.ts';
import type { Selector } from '../../../fleet/topology/selector.ts';
import { type Expectation, type ExpectedCluster, masqueradesEverything } from '../expectation.ts';
import {
  type ExpectedOpening,
  expectOpenings,
  expectPolicies,
  hasFence,
  isClosedInto,
} from '../expected/expect-boundaries.ts';
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
  const { at, expect, via, by: refusing, flow } = assertion;
  const receivers = selectedClusters(assertion.to, expected);
  const groups = groupsOf(receivers, expected);
  const isOnWay = (it: Way): boolean => via === null || it === via;
  const isBroken = (ways: readonly Way[], refused: readonly RefusedWay[] = []): boolean => {
    const by = new Set(refused.filter((it) => isOnWay(it.way)).map((it) => it.by));
    const reason = by.has('policy') ? 'policy' : by.has('fence') ? 'fence' : 'no-path';
    return ways.some(isOnWay) !== (expect === 'reachable') || (refusing !== null && refusing !== reason);
  };
  for (const sender of selectedClusters(assertion.from, expected)) {
    const receiver = firstReceiver(sender, {
      ...{ expected, groups, isBroken, flow },
      asksForReason: refusing !== null || flow !== undefined,
    });
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
  /** @param refused ways over links that a fence or a policy closes */
  readonly isBroken: (ways: readonly Way[], refused?: readonly RefusedWay[]) => boolean;
  readonly flow: Assertion['flow'];
  readonly asksForReason: boolean;
}

interface RefusedWay {
  readonly way: Way;
  readonly by: 'fence' | 'policy';
}

function firstReceiver(sender: ExpectedCluster, query: ReceiverQuery): string | undefined {
  const { expected, groups, isBroken, flow, asksForReason } = query;
  const near = new Set(workingPeers(sender, expected));
  if (hasClosedLink(expected) || asksForReason) {
    const receivers = groups.flatMap((it) => [...it.members].map((name) => ({ name, peers: it.peers })));
    return receivers.find(({ name, peers }) => {
      const hubs = peers.filter((it) => near.has(it));
      const ways = [
        ...(near.has(name) ? [{ way: 'shortcut', by: refusal(expected, sender.name, name, { flow }) } as const] : []),
        ...hubs.map((it) => ({ way: 'hub', by: refusal(expected, it, name, { flow, isForwarded: true }) }) as const),
      ];
      const open = ways.flatMap((it) => (it.by === null ? [it.way] : []));
      const refused = ways.flatMap(({ way, by }) => (by === null || open.includes(way) ? [] : [{ way, by }]));
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

interface RefusalQuery {
  readonly isForwarded?: boolean;
  readonly flow?: Assertion['flow'];
}

/**
 * The reason why every connection over a link is refused, of a pod or under the external address of the sender; `null` when one passes. A
 * connection that passes begins where some entry begins: networks contain each other or share nothing.
 */
function refusal(
  expected: Expectation,
  from: string,
  to: string,
  { isForwarded = false, flow }: RefusalQuery,
): 'fence' | 'policy' | null {
  const end = expected.clusters.get(to)?.ends.get(from);
  if (end === undefined || !isClosedInto(end, expected)) return null;
  const sender = expected.clusters.get(from)?.declared;
  const isOneAddress = isForwarded || (sender !== undefined && masqueradesEverything(sender));
  const openings = expectOpenings(expected, from, to);
  const entered = openings.filter((it) => (it.sources === 'external address') === isOneAddress);
  const isFenced = hasFence(end, expected);
  if (flow === undefined) return isFenced && entered.length === 0 ? 'fence' : null;
  const limits = (cluster: string, namespace: string | null, side: string): boolean =>
    namespace !== null && expectPolicies(expected).get(cluster)?.get(namespace)?.has(side) === true;
  const into = limits(to, flow.toNamespace, 'Ingress') ? flow.toNamespace : null;
  const out = !isForwarded && limits(from, flow.fromNamespace, 'Egress') ? flow.fromNamespace : null;
  const isLimited = { fence: isFenced, into: into !== null, out: out !== null };
  const receiving = openings.filter((it) => it.toNamespace === null || it.toNamespace === into);
  const sending = openings.filter((it) => it.fromNamespace === null || it.fromNamespace === out);
  let found: 'fence' | 'policy' = 'fence';
  for (const it of candidates(openings, flow, isOneAddress)) {
    if (isLimited.fence && !entered.some((one) => hasSource(one, it) && hasDestination(one, it) && hasPort(one, it)))
      continue;
    found = 'policy';
    if (isLimited.out && !sending.some((one) => hasDestination(one, it) && hasPort(one, it))) continue;
    if (!isLimited.into || receiving.some((one) => hasSource(one, it) && hasPort(one, it))) return null;
  }
  return found;
}

/** A connection: addresses where networks of entries begin, `null` for others. */
interface Candidate {
  readonly source: number | 'external address' | null;
  readonly destination: number | null;
  readonly protocol: string;
  readonly port: number;
}

/** Connections where some entries begin, and one that no entry names. */
function* candidates(
  all: readonly ExpectedOpening[],
  flow: NonNullable<Assertion['flow']>,
  isOneAddress: boolean,
): Iterable<Candidate> {
  const bases = (networks: readonly Prefix[]) => new Set([...networks.map((it) => it.base), null]);
  const sources = isOneAddress
    ? (['external address'] as const)
    : bases(all.flatMap((it) => (it.sources === 'external address' ? [] : it.sources)));
  const destinations = bases(all.flatMap((it) => it.destinations));
  const firstPorts = all.flatMap(({ ports }) => ports.map((it) => it.first));
  const ports = flow.port === null ? new Set([...firstPorts, 1]) : [flow.port];
  for (const source of sources)
    for (const destination of destinations)
      for (const protocol of flow.protocol === null ? ['TCP', 'UDP', 'ICMP'] : [flow.protocol])
        for (const port of ports) yield { source, destination, protocol, port };
}

const hasSource = ({ sources }: ExpectedOpening, { source }: Candidate): boolean =>
  sources === 'external address' ? source === sources : typeof source === 'number' && sources.some(around(source));

const hasDestination = ({ destinations }: ExpectedOpening, { destination }: Candidate): boolean =>
  destination !== null && destinations.some(around(destination));

const around =
  (address: number) =>
  ({ base, length }: Prefix): boolean =>
    base <= address && address < base + 2 ** (32 - length);

const hasPort = ({ protocol, ports }: ExpectedOpening, it: Candidate): boolean =>
  (protocol === null || protocol === it.protocol) &&
  (ports.length === 0 || ports.some(({ first, last }) => first <= it.port && it.port <= last));

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
    refusal(expected, hub ?? sender, receiver, { isForwarded: hub !== null }) === null;
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
