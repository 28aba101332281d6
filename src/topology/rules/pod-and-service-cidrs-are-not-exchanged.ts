import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { samePrefix } from '../../net/prefix.ts';
import { prefixOf, printPrefix } from '../../net/text.ts';
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
  const uses = new Map<string, { pods: number; services: number }>();
  const count = (key: string, kind: 'pods' | 'services'): void => {
    const use = uses.get(key) ?? { pods: 0, services: 0 };
    use[kind]++;
    uses.set(key, use);
  };
  const before = new Map<string, ClusterDeclaration>();
  for (const { podCIDRs, serviceCIDR } of clusters) {
    for (const it of podCIDRs) count(printPrefix(it.value), 'pods');
    count(printPrefix(serviceCIDR.value), 'services');
  }
  for (const cluster of clusters) {
    const [pod] = cluster.podCIDRs;
    // One network in both roles is a mistake of its own.
    if (!pod || samePrefix(pod.value, cluster.serviceCIDR.value)) continue;
    const [podText, serviceText] = [printPrefix(pod.value), printPrefix(cluster.serviceCIDR.value)];
    const use = uses.get(podText) ?? { pods: 0, services: 0 };
    const opposite = before.get(`${serviceText} ${podText}`);
    before.set(`${podText} ${serviceText}`, cluster);
    if (use.services > use.pods) {
      yield exchanged(cluster, `is the service CIDR of ${use.services} other clusters`);
    } else if (opposite && use.services === use.pods) {
      yield exchanged(
        cluster,
        `is the service CIDR of "${opposite.name}", and its service CIDR is the other's pod CIDR`,
      );
    } else if (isUsual(USUAL_SERVICES, podText) && isUsual(USUAL_PODS, serviceText)) {
      yield exchanged(cluster, `is a usual service CIDR, and its service CIDR ${serviceText} a usual pod CIDR`);
    }
  }
};

const isUsual = (list: typeof USUAL_PODS, text: string): boolean => list.some((it) => samePrefix(it, prefixOf(text)));

function exchanged(cluster: ClusterDeclaration, why: string): Diagnostic {
  const [pod = cluster.serviceCIDR] = cluster.podCIDRs;
  const message = `pod CIDR ${printPrefix(pod.value)} of "${cluster.name}" ${why}: the two may be exchanged`;
  return diagnostic('topology/cidrs-swapped', pod.at, message, {
    hint: 'set `podCIDR` to the network of its pods and `serviceCIDR` to the network of its Services',
    related: [{ message: 'its service CIDR', span: cluster.serviceCIDR.at }],
  });
}
