import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { numberOf, type Prefix, samePrefix } from '../../../base/net/prefix.ts';
import { prefixOf, printPrefix } from '../../../base/net/text.ts';
import type { ClusterDeclaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

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
