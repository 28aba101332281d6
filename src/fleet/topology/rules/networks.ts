import { countOf } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../../base/net/overlap-index.ts';
import { addressCount, numberOf, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { isPublic } from '../../../base/net/special-networks.ts';
import { prefixOf, printPrefix } from '../../../base/net/text.ts';
import { allocatorTraits } from '../../../base/releases/allocators.ts';
import type { Located } from '../../../base/source/source.ts';
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

/**
 * Pods have private addresses: whatever owns a public one cannot be reached from the cluster any more. GKE takes Services
 * from public address space of its own.
 */
export const podCidrsArePrivate: TopologyRule = function* ({ clusters }) {
  for (const { name, retired, podCIDRs } of clusters) {
    for (const { value, at } of retired ? [] : podCIDRs.filter((it) => isPublic(it.value))) {
      yield diagnostic(
        'topology/unusual-value',
        at,
        `the pod CIDR ${printPrefix(value)} of "${name}" is in public address space`,
        {
          about: [[name]],
          hint: 'write the network that the cluster was installed with, or accept this if it is yours',
        },
      );
    }
  }
};

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
      hint: clashHint(cluster, [earlier, later], equal),
      related: [{ message: `${earlier.role} ${a}`, span: earlier.cidr.at }],
    },
  );
}

function clashHint(cluster: ClusterDeclaration, both: readonly Own[], equal: boolean): string {
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

/** Smallest service CIDR in addresses. Source: kubernetes/kubernetes@v1.32.0 pkg/controlplane/services.go. */
const FEWEST_SERVICES = 8;

/**
 * Smallest block of pod addresses that a common CNI gives to one node: Calico's, a /26. Flannel, Cilium and the
 * controller manager give each node a /24.
 */
const FEWEST_PODS = 64;

/** The pod and service CIDRs of a cluster have room for its pods and Services. */
export const ownCidrsHoldACluster: TopologyRule = function* ({ clusters }) {
  for (const cluster of clusters) {
    yield* serviceRoom(cluster);
    yield* podRoom(cluster);
  }
};

function* serviceRoom({ name, serviceCIDR }: ClusterDeclaration): Iterable<Diagnostic> {
  const count = addressCount(serviceCIDR.value);
  if (count >= FEWEST_SERVICES) return;
  const message = `service CIDR ${printPrefix(serviceCIDR.value)} of "${name}" has ${count} of the ${FEWEST_SERVICES} addresses that an API server requires`;
  yield diagnostic('topology/service-cidr-small', serviceCIDR.at, message, {
    hint: 'set the `--service-cluster-ip-range` of its API server, which is usually a /12 to a /24',
  });
}

function* podRoom({ name, podCIDRs }: ClusterDeclaration): Iterable<Diagnostic> {
  const [first] = podCIDRs;
  const count = podCIDRs.reduce((sum, it) => sum + addressCount(it.value), 0);
  if (!first || count >= FEWEST_PODS) return;
  const cidrs = podCIDRs.map((it) => printPrefix(it.value)).join(', ');
  const message = `pod CIDR ${cidrs} of "${name}" has ${countOf(count, 'address', 'addresses')}, fewer than a CNI usually gives to one node`;
  yield diagnostic('topology/pod-cidr-small', first.at, message, {
    about: [[name]],
    hint: 'set the network of all pods of the cluster: nodes get a /24 or a /26 of it each',
  });
}

/** Defaults that people know: kubeadm with flannel, and k3s. */
const USUAL_PODS = ['10.244.0.0/16', '10.42.0.0/16'].map(prefixOf);
const USUAL_SERVICES = ['10.96.0.0/12', '10.43.0.0/16'].map(prefixOf);

/**
 * The pod CIDR of a cluster is not the service CIDR of others. It is reported where more clusters use it for Services
 * than for pods, where two clusters have the same two networks in opposite roles, and where both are usual defaults.
 */
export const podAndServiceCidrsAreNotExchanged: TopologyRule = function* ({ clusters }) {
  const pods = new Map<number, number>();
  const services = new Map<number, number>();
  for (const { podCIDRs, serviceCIDR } of clusters) {
    for (const it of podCIDRs) countIn(pods, it.value);
    countIn(services, serviceCIDR.value);
  }
  // Only a pod CIDR that is also a service CIDR can be exchanged with another one.
  const before = new Map<string, ClusterDeclaration>();
  for (const cluster of clusters) {
    const [pod] = cluster.podCIDRs;
    // One network in both roles is a mistake of its own.
    if (!pod || samePrefix(pod.value, cluster.serviceCIDR.value)) continue;
    const use = { pods: pods.get(numberOf(pod.value)) ?? 0, services: services.get(numberOf(pod.value)) ?? 0 };
    if (use.services === 0 && !isUsual(USUAL_SERVICES, pod.value)) continue;
    const [podText, serviceText] = [printPrefix(pod.value), printPrefix(cluster.serviceCIDR.value)];
    const opposite = before.get(`${serviceText} ${podText}`);
    before.set(`${podText} ${serviceText}`, cluster);
    if (use.services > use.pods) {
      yield exchanged(cluster, `is the service CIDR of ${use.services} other clusters`);
    } else if (opposite && use.services === use.pods) {
      yield exchanged(
        cluster,
        `is the service CIDR of "${opposite.name}", and its service CIDR is the other's pod CIDR`,
      );
    } else if (isUsual(USUAL_SERVICES, pod.value) && isUsual(USUAL_PODS, cluster.serviceCIDR.value)) {
      yield exchanged(cluster, `is a usual service CIDR, and its service CIDR ${serviceText} a usual pod CIDR`);
    }
  }
};

const isUsual = (list: readonly Prefix[], network: Prefix): boolean => list.some((it) => samePrefix(it, network));

const countIn = (counts: Map<number, number>, network: Prefix): void =>
  void counts.set(numberOf(network), (counts.get(numberOf(network)) ?? 0) + 1);

function exchanged(cluster: ClusterDeclaration, why: string): Diagnostic {
  const [pod = cluster.serviceCIDR] = cluster.podCIDRs;
  const message = `pod CIDR ${printPrefix(pod.value)} of "${cluster.name}" ${why}: the two may be exchanged`;
  return diagnostic('topology/cidrs-swapped', pod.at, message, {
    about: [[cluster.name]],
    hint: 'set `podCIDR` to the network of its pods and `serviceCIDR` to the network of its Services',
    related: [{ message: 'its service CIDR', span: cluster.serviceCIDR.at }],
  });
}
