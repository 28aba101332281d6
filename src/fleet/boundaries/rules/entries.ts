import { quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { contains, moveHost, type Prefix } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import type { Located } from '../../../base/source/source.ts';
import { type AddressedCluster, clustersBetween, tenantNamespacesIn } from '../../ipam/addressed-model.ts';
import type { PodLabels, PortSpan } from '../../topology/declaration.ts';
import type { BoundaryRule, Opening, ResolvedEntry } from '../bounded-model.ts';

/** An entry selects two different clusters. An entry that names a retired cluster opens nothing, as with links. */
export const entriesSelectPairs: BoundaryRule = function* ({ model, entries }) {
  for (const it of entries) {
    const { entry } = it;
    const isRetired = [entry.from, entry.to].some(
      (end) => end.kind === 'cluster' && model.clusters.get(end.name)?.retired,
    );
    if (it.linked > 0 || hasPair(it) || isRetired) continue;
    yield diagnostic('boundaries/matches-nothing', entry.at, 'the entry selects no two different clusters', {
      hint: 'correct the names or labels, or remove the entry: connections inside one cluster cross no link',
    });
  }
};

const hasPair = ({ senders, receivers }: ResolvedEntry): boolean =>
  senders.length > 0 && receivers.length > 0 && (senders.length > 1 || receivers.some((it) => it !== senders[0]));

/** Packets that an entry lets in arrive over a link of the two, with sources that the receiver can distinguish. */
export const entriesHaveALink: BoundaryRule = function* ({ entries }) {
  for (const it of entries) {
    const { entry, senders, receivers, linked } = it;
    const [from] = senders;
    const to = receivers.find((one) => one !== from);
    if (linked > 0 || from === undefined || to === undefined) continue;
    const isOnePair = entry.from.kind === 'cluster' && entry.to.kind === 'cluster';
    const [hub] = clustersBetween(from, to);
    const pair = isOnePair ? `${quoted(from.name)} and ${quoted(to.name)} have no link` : 'no two of them have a link';
    const why =
      hub === undefined ? '' : `, and what passes ${quoted(hub)} arrives under its address, like all that is behind it`;
    const through = `let in all that is behind it with \`{ from: ${hub}, masqueraded: true, to: ${to.name} }\``;
    yield diagnostic('boundaries/without-link', entry.at, `${pair}${why}`, {
      hint:
        hub === undefined
          ? `add [${from.name}, ${to.name}] to \`peerings\`, or remove the entry`
          : `add [${from.name}, ${to.name}] to \`shortcuts\`, or ${through}`,
    });
  }
};

/** An entry opens something that is closed. */
export const entriesOpenAClosedLink: BoundaryRule = function* ({ entries }) {
  for (const { entry, receivers, linked, openings } of entries) {
    if (linked === 0 || openings.length > 0) continue;
    const [to] = receivers;
    const message = 'the entry has no effect: every link that it selects is open';
    yield diagnostic('boundaries/all-open', entry.at, message, {
      about: receivers.map((it) => [it.name]),
      hint: `set \`boundary: closed\` on ${to === undefined ? 'the receiver' : quoted(to.name)} or on the link, or remove the entry`,
    });
  }
};

/** `fromCIDR` and `toCIDR` are parts of pod CIDRs of every cluster that the entry selects, as these use them themselves. */
export const networksAreOfPods: BoundaryRule = function* ({ entries }) {
  for (const { entry, senders, receivers } of entries) {
    if (entry.fromCIDR) yield* outsidePods(entry.fromCIDR, senders, receivers);
    if (entry.toCIDR) yield* outsidePods(entry.toCIDR, receivers, senders);
  }
};

function* outsidePods(
  { value, at }: Located<Prefix>,
  owners: readonly AddressedCluster[],
  others: readonly AddressedCluster[],
): Iterable<Diagnostic> {
  const outside = owners.find(({ podCIDRs }) => !podCIDRs.some((it) => contains(it.value, value)));
  if (outside === undefined) return;
  const pods = outside.podCIDRs.map((it) => printPrefix(it.value));
  const meant = others.flatMap((it) => realNetwork(value, it, outside) ?? []);
  const hint =
    meant[0] === undefined
      ? `choose a part of ${pods.join(' or ')}`
      : `write ${printPrefix(meant[0])}: the pods' own addresses, not those under which another cluster sees them`;
  const message = `${printPrefix(value)} is no part of the pod CIDR of ${quoted(outside.name)}, ${pods.join(', ')}`;
  yield diagnostic('boundaries/outside-pods', at, message, { about: [[outside.name]], hint });
}

/** The network of its owner that another cluster sees under these addresses. */
function realNetwork(seen: Prefix, viewer: AddressedCluster, owner: AddressedCluster): Prefix | undefined {
  const view = viewer.peers.get(owner.name)?.podViews.find((it) => contains(it.seenAs, seen));
  return view && { base: moveHost(seen.base, view.cidr), length: seen.length };
}

/**
 * Pods are chosen only where a receiver can distinguish them: nodes, and every pod of a cluster that masquerades all of
 * them, arrive under one address.
 */
export const masqueradedPodsLookAlike: BoundaryRule = function* ({ entries }) {
  for (const { entry, senders, openings } of entries) {
    const chosen = entry.fromCIDR ?? (entry.masqueraded.value ? entry.fromNamespace : null);
    const alike = senders.find((it) => it.fabric.fullMasquerade);
    if (chosen !== null && (entry.masqueraded.value || alike)) {
      const why = entry.masqueraded.value
        ? '`masqueraded` is about what does not come from pods'
        : `all pods of ${quoted(alike?.name ?? '')} arrive under one address`;
      yield diagnostic('boundaries/masqueraded-pods', chosen.at, `no pods can be chosen: ${why}`, {
        hint: entry.masqueraded.value
          ? 'remove `masqueraded`, or write a second entry with it alone'
          : 'remove `fromCIDR`',
      });
    } else if (alike && !entry.masqueraded.value && openings.some((it) => it.from === alike.name)) {
      const message = `the entry also lets in the nodes of ${quoted(alike.name)} and all that is behind it: its pods arrive under the same address`;
      yield diagnostic('boundaries/one-source-address', entry.at, message, { about: [[alike.name]] });
    }
  }
};

/**
 * No policy limits a namespace of Liqo: its gateways and webhooks need what a policy for applications cuts. Source:
 * liqotech/liqo@v1.2.0 deployments/liqo/templates, pkg/tenantNamespace.
 */
export const systemNamespacesHaveNoPolicies: BoundaryRule = function* ({ entries }) {
  for (const { entry, senders, receivers } of entries) {
    for (const [namespace, clusters] of [
      [entry.fromNamespace, senders],
      [entry.toNamespace, receivers],
    ] as const) {
      const owner = namespace && clusters.find((it) => isOfLiqo(it, namespace.value));
      if (!owner || !namespace) continue;
      const message = `namespace ${quoted(namespace.value)} of ${quoted(owner.name)} belongs to Liqo, whose gateways a policy would cut`;
      const hint = 'name a namespace of an application, or leave the namespace out';
      yield diagnostic('boundaries/system-namespace', namespace.at, message, { about: [[owner.name]], hint });
    }
  }
};

const isOfLiqo = (cluster: AddressedCluster, namespace: string): boolean =>
  namespace === cluster.liqoNamespace ||
  namespace.startsWith(TENANT_NAMESPACE_PREFIX) ||
  tenantNamespacesIn(cluster).has(namespace);

/** No entry opens only what others open already. */
export const entriesAreNotRepeated: BoundaryRule = function* ({ model, entries }) {
  const places = new Map(entries.map((it, index) => [it.entry.at, index]));
  for (const [index, { entry, openings }] of entries.entries()) {
    // If two entries are equal, the later one is reported.
    const covers = (other: Opening, own: Opening): boolean => {
      const place = places.get(other.at) ?? index;
      return place !== index && isWithin(own, other) && (place < index || !isWithin(other, own));
    };
    const covering = openings.map((own) => {
      const known = model.boundaries.incoming.get(own.to)?.get(own.from) ?? [];
      return known.find((other) => covers(other, own));
    });
    const [first] = covering;
    if (first === undefined || covering.includes(undefined)) continue;
    yield diagnostic('boundaries/repeated', entry.at, 'other entries open all that this one opens', {
      about: openings.map((it) => [it.from, it.to]),
      hint: 'remove the entry, or the wider one',
      related: [{ message: 'the wider entry', span: first.at }],
    });
  }
};

function isWithin(inner: Opening, outer: Opening): boolean {
  const isInside = (some: readonly Prefix[], others: readonly Prefix[]): boolean =>
    some.length > 0 && some.every((one) => others.some((it) => contains(it, one)));
  return (
    inner.fromNamespace === outer.fromNamespace &&
    inner.toNamespace === outer.toNamespace &&
    (outer.toPods === null || (inner.toPods !== null && selectsWithin(inner.toPods, outer.toPods))) &&
    (outer.protocol === null || outer.protocol === inner.protocol) &&
    (outer.ports.length === 0 ||
      (inner.ports.length > 0 && inner.ports.every((it) => isPortInside(it, outer.ports)))) &&
    isInside(inner.sources, outer.sources) &&
    isInside(inner.destinations, outer.destinations)
  );
}

/** True when pods with these labels have the others, too. */
const selectsWithin = (inner: PodLabels, outer: PodLabels): boolean =>
  Object.entries(outer).every(([key, value]) => Object.hasOwn(inner, key) && inner[key] === value);

const isPortInside = ({ first, last }: PortSpan, spans: readonly PortSpan[]): boolean =>
  spans.some((it) => it.first <= first && last <= it.last);
