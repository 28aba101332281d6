import { byCodeUnit } from '../../../base/core/order.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { comparePrefixes, overlaps, type Prefix } from '../../../base/net/prefix.ts';
import { readPrefix } from '../../../base/net/text.ts';
import type { FoundText } from '../kube-object.ts';
import type { RebuiltCluster } from '../rebuild-network.ts';
import { forEachCluster } from './bundle-check.ts';

/** No address has two meanings in a cluster: views are disjoint from each other and from its own networks. */
export const addressesAreUnambiguous = forEachCluster(function* (_, cluster) {
  const meanings = meaningsIn(cluster).sort(
    (a, b) => comparePrefixes(a.network, b.network) || byCodeUnit(a.what, b.what),
  );
  // Of two networks that overlap one contains the other, so the open networks are a stack of nested ones.
  const open: Meaning[] = [];
  for (const later of meanings) {
    for (let last = open.at(-1); last && !overlaps(last.network, later.network); last = open.at(-1)) open.pop();
    for (const earlier of open) if (clashes(earlier, later)) yield clash(cluster, earlier, later);
    open.push(later);
  }
});

interface Meaning {
  readonly network: Prefix;
  readonly what: string;
  /** `fixed`: pod, service or reserved, which Liqo lets overlap each other. */
  readonly kind: 'view' | 'fixed' | 'moved';
  readonly at: FoundText;
}

const FIXED = new Set(['pod-cidr', 'service-cidr', 'reserved']);

function meaningsIn(cluster: RebuiltCluster): Meaning[] {
  const own = cluster.own.flatMap(({ type, given }) =>
    meaning(given, `its own ${type}`, FIXED.has(type) ? 'fixed' : 'moved'),
  );
  const views = [...cluster.peers.values()].flatMap((peer) =>
    peer.views.flatMap(({ kind, seenAs }) => meaning(seenAs, `the ${kind} CIDR of "${peer.name}"`, 'view')),
  );
  return [...own, ...views];
}

function meaning(at: FoundText, what: string, kind: Meaning['kind']): readonly Meaning[] {
  const reading = readPrefix(at.text ?? '');
  return reading.ok ? [{ network: reading.prefix, what, kind, at }] : [];
}

const clashes = (a: Meaning, b: Meaning): boolean =>
  overlaps(a.network, b.network) && !(a.kind === 'fixed' && b.kind === 'fixed');

function clash(cluster: RebuiltCluster, a: Meaning, b: Meaning): Diagnostic {
  // The error is reported at a view, which weft decides, rather than at a network of the topology.
  const [first, other] = a.kind === 'view' && b.kind !== 'view' ? [a, b] : [b, a];
  const message = `in "${cluster.name}" ${first.at.text} (${first.what}) overlaps ${other.at.text} (${other.what})`;
  return diagnostic('verify/overlap', first.at.at, message, { related: [{ message: other.what, span: other.at.at }] });
}
