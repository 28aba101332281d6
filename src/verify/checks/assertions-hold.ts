import { byCodeUnit } from '../../core/order.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Assertion, Selector } from '../../topology/declaration.ts';
import type { Expectation, ExpectedCluster } from '../expectation.ts';
import type { BundleCheck } from './bundle-check.ts';

type Way = 'shortcut' | 'hub' | null;

/**
 * The assertions of the topology follow from its links: a cluster reaches another over a link of the two, or through a
 * hub that both are spokes of. Other checks prove that packets pass these links.
 */
export const assertionsHold: BundleCheck = function* ({ expected }) {
  for (const assertion of expected.declaration.assertions) yield* holds(assertion, expected);
};

function* holds(assertion: Assertion, expected: Expectation): Iterable<Diagnostic> {
  const { at, expect, via } = assertion;
  const receivers = selected(assertion.to, expected);
  const groups = groupsOf(receivers);
  const isBroken = (way: Way): boolean => (way !== null && (via === null || way === via)) !== (expect === 'reachable');
  for (const sender of selected(assertion.from, expected)) {
    const receiver = firstReceiver(sender, { receivers, groups, isBroken });
    if (receiver === undefined) continue;
    const verb = expect === 'reachable' ? 'does not reach' : 'reaches';
    const message = `"${sender.name}" ${verb} "${receiver}"${via === null ? '' : ` by ${via}`}`;
    yield diagnostic('assertion/broken', at, message);
    return;
  }
}

function selected(selector: Selector, { clusters }: Expectation): readonly ExpectedCluster[] {
  if (selector.kind === 'cluster') return [...clusters.values()].filter((it) => it.name === selector.name);
  const wanted = Object.entries(selector.labels);
  const hasLabels = ({ declared: { labels } }: ExpectedCluster): boolean =>
    wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
  return [...clusters.values()].filter((it) => !it.retired && hasLabels(it));
}

/**
 * Clusters that every sender without a link to them reaches in the same way, or not at all: those with the same hubs.
 */
interface Group {
  readonly hubs: readonly string[];
  readonly members: readonly ExpectedCluster[];
}

function groupsOf(clusters: readonly ExpectedCluster[]): readonly Group[] {
  const groups = new Map<string, { readonly hubs: readonly string[]; readonly members: ExpectedCluster[] }>();
  for (const it of clusters) {
    const hubs = hubsOf(it);
    const known = groups.get(hubs.join(' '));
    if (known) known.members.push(it);
    else groups.set(hubs.join(' '), { hubs, members: [it] });
  }
  return [...groups.values()];
}

const hubsOf = ({ name, ends }: ExpectedCluster): readonly string[] =>
  [...ends.values()].flatMap(({ link: { hub } }) => (hub !== null && hub !== name ? [hub] : [])).sort(byCodeUnit);

interface ReceiverQuery {
  readonly receivers: readonly ExpectedCluster[];
  readonly groups: readonly Group[];
  readonly isBroken: (way: Way) => boolean;
}

function firstReceiver(sender: ExpectedCluster, { receivers, groups, isBroken }: ReceiverQuery): string | undefined {
  const isWrong = new Map(
    [...sender.ends.values()].map((it) => [it.peer, isBroken(it.link.kind === 'hub' ? 'hub' : 'shortcut')]),
  );
  if ([...isWrong.values()].some(Boolean)) {
    const linked = receivers.find((it) => isWrong.get(it.name));
    if (linked) return linked.name;
  }
  const hubs = new Set(hubsOf(sender));
  for (const group of groups) {
    if (!isBroken(group.hubs.some((it) => hubs.has(it)) ? 'hub' : null)) continue;
    const other = group.members.find((it) => it !== sender && !isWrong.has(it.name));
    if (other) return other.name;
  }
  return undefined;
}
