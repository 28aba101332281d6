import { byCodeUnit } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Assertion } from '../../../fleet/topology/declaration.ts';
import type { Selector } from '../../../fleet/topology/selector.ts';
import type { Expectation, ExpectedCluster } from '../expectation.ts';
import type { FleetCheck } from './bundle-check.ts';

type Way = 'shortcut' | 'hub';

/**
 * The assertions of the topology follow from its links that have the keys of both ends: a cluster reaches another over
 * such a link of the two, or through a cluster that has such links to both. Other checks prove that packets pass these
 * links.
 */
export const assertionsHold: FleetCheck = function* ({ expected }) {
  for (const assertion of expected.declaration.assertions) yield* holds(assertion, expected);
};

function* holds(assertion: Assertion, expected: Expectation): Iterable<Diagnostic> {
  const { at, expect, via } = assertion;
  const receivers = selectedClusters(assertion.to, expected);
  const groups = groupsOf(receivers, expected);
  const isBroken = (ways: readonly Way[]): boolean =>
    ways.some((it) => via === null || it === via) !== (expect === 'reachable');
  for (const sender of selectedClusters(assertion.from, expected)) {
    const receiver = firstReceiver(sender, { expected, groups, isBroken });
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
  readonly isBroken: (ways: readonly Way[]) => boolean;
}

function firstReceiver(sender: ExpectedCluster, { expected, groups, isBroken }: ReceiverQuery): string | undefined {
  const near = new Set(workingPeers(sender, expected));
  for (const { peers, members } of groups) {
    const through: readonly Way[] = peers.some((it) => near.has(it)) ? ['hub'] : [];
    const linked = isBroken(['shortcut', ...through]) ? [...near].find((it) => members.has(it)) : undefined;
    const other = isBroken(through) ? [...members].find((it) => it !== sender.name && !near.has(it)) : undefined;
    const found = linked ?? other;
    if (found !== undefined) return found;
  }
  return undefined;
}
