import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../../base/net/overlap-index.ts';
import { type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { allocatorTraits } from '../../../base/releases/allocators.ts';
import type { Located } from '../../../base/source/located.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

interface Own {
  readonly role: string;
  readonly cidr: Located<Prefix>;
}

/**
 * Pod and service CIDRs of a cluster share no address. Reserved ones may overlap them, and each other, where Liqo counts
 * the owners of a reservation: from 1.2 on. Source: liqotech/liqo@v1.2.0 pkg/ipam/core/node.go.
 */
export const ownCidrsAreDisjoint: TopologyRule = function* (topology) {
  for (const cluster of topology.clusters) {
    const pods = cluster.podCIDRs.map((cidr): Own => ({ role: 'pod CIDR', cidr }));
    const service: Own = { role: 'service CIDR', cidr: cluster.serviceCIDR };
    const reserved = cluster.reserved.map((cidr): Own => ({ role: 'reserved network', cidr }));
    yield* clashes(cluster, [...pods, service], 'topology/own-cidrs-overlap');
    if (!allocatorTraits(cluster.allocator).sharesReservations) {
      yield* clashesBetween(cluster, [...pods, service], reserved);
      yield* clashes(cluster, reserved, 'topology/reserved-overlap');
    } else {
      yield* repeats(cluster, reserved);
    }
    yield* requestedCidrClashes(cluster);
  }
};

function* clashes(
  cluster: ClusterDeclaration,
  own: readonly Own[],
  code: 'topology/own-cidrs-overlap' | 'topology/reserved-overlap',
): Iterable<Diagnostic> {
  const index = new OverlapIndex<Own>();
  for (const later of own) {
    const earlier = index.first(later.cidr.value);
    if (earlier) yield clash(cluster, earlier, later, code);
    index.add(later.cidr.value, later);
  }
}

function* clashesBetween(
  cluster: ClusterDeclaration,
  own: readonly Own[],
  reserved: readonly Own[],
): Iterable<Diagnostic> {
  const index = new OverlapIndex<Own>();
  for (const it of own) index.add(it.cidr.value, it);
  for (const later of reserved) {
    const earlier = index.first(later.cidr.value);
    if (earlier) yield clash(cluster, earlier, later, 'topology/reserved-overlap');
  }
}

/** Liqo 1.2 names the Network after the CIDR, so a repeated one is the same object twice. */
function* repeats(cluster: ClusterDeclaration, own: readonly Own[]): Iterable<Diagnostic> {
  const index = new OverlapIndex<Own>();
  for (const later of own) {
    const earlier = index.same(later.cidr.value);
    if (earlier) yield clash(cluster, earlier, later, 'topology/reserved-overlap');
    index.add(later.cidr.value, later);
  }
}

/** An external or internal CIDR that equals another CIDR of the cluster is one network in two roles, in every release. */
function* requestedCidrClashes(cluster: ClusterDeclaration): Iterable<Diagnostic> {
  const fixed: Own[] = [
    ...cluster.podCIDRs.map((cidr) => ({ role: 'pod CIDR', cidr })),
    { role: 'service CIDR', cidr: cluster.serviceCIDR },
  ];
  for (const [role, request] of [
    ['external CIDR', cluster.external],
    ['internal CIDR', cluster.internal],
  ] as const) {
    if (request.kind !== 'explicit') continue;
    const later: Own = { role, cidr: { value: request.prefix, at: request.at } };
    const earlier = fixed.find((it) => samePrefix(it.cidr.value, request.prefix));
    if (earlier) yield clash(cluster, earlier, later, 'topology/cidr-twice');
    fixed.push(later);
  }
}

function clash(
  cluster: ClusterDeclaration,
  one: Own,
  other: Own,
  code: 'topology/own-cidrs-overlap' | 'topology/reserved-overlap' | 'topology/cidr-twice',
): Diagnostic {
  // A value in `defaults` is usually right, so the diagnostic points at the later text.
  const [earlier, later] = one.cidr.at.start <= other.cidr.at.start ? [one, other] : [other, one];
  const equal = samePrefix(earlier.cidr.value, later.cidr.value);
  const [a, b] = [printPrefix(earlier.cidr.value), printPrefix(later.cidr.value)];
  return diagnostic(
    equal ? 'topology/cidr-twice' : code,
    later.cidr.at,
    equal
      ? `"${cluster.name}" ${earlier.role === later.role ? `lists ${b} twice as ${later.role}` : `uses ${b} twice: as ${earlier.role} and as ${later.role}`}`
      : `${later.role} ${b} of "${cluster.name}" overlaps its ${earlier.role} ${a}`,
    {
      hint: hintFor(cluster, [earlier, later], equal),
      related: [{ message: `${earlier.role} ${a}`, span: earlier.cidr.at }],
    },
  );
}

function hintFor(cluster: ClusterDeclaration, both: readonly Own[], equal: boolean): string {
  if (both.every((it) => it.role === both[0]?.role) && equal) return 'remove one of the two entries';
  if (both.some((it) => it.role === 'reserved network')) {
    return equal
      ? 'remove it from `reserved`: the own networks of a cluster are always kept free'
      : `remove the part that is already covered: Liqo ${cluster.release.line} refuses overlapping reservations`;
  }
  const moving = both.find((it) => it.role === 'internal CIDR') ?? both.find((it) => it.role === 'external CIDR');
  if (moving) return `give the ${moving.role} a network of its own, or \`auto\``;
  return 'give every network of the cluster a range of its own';
}
