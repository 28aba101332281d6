import { countOf } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { addressCount } from '../../../base/net/prefix.ts';
import { printPrefix } from '../../../base/net/text.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

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
