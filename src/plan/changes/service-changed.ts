import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { tunnelFiles } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { aboutLink } from '../subject.ts';
import { after, breaks, harmless, together } from '../verdict.ts';

export const serviceChanged = changeKind('service-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  judge: (it) => {
    if (hasAnotherClass(it)) return breaks('change', 'class-is-immutable', after('delete-the-service'));
    if (keepsItsPlace(it)) return harmless('change', 'node-ports-stay');
    return breaks('change', 'service-changes', together('apply-server-first'));
  },
  flows: (it, context) => (keepsItsPlace(it) ? [] : flowsThroughTunnel(it.ends, context)),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});

/**
 * Kubernetes refuses another class for a Service that stays a load balancer, and Liqo keeps the one that the Service has
 * where the template sets none.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (validateLoadBalancerClassField),
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/wireguard/wggatewayserver_controller.go.
 */
const hasAnotherClass = ({ from, to }: Difference<'service-changed'>): boolean =>
  from.type === 'LoadBalancer' && to.type === 'LoadBalancer' && from.loadBalancerClass !== to.loadBalancerClass;

/** Whether only the allocation of node ports differs: those that a Service has stay until it is deleted. */
const keepsItsPlace = ({ from, to }: Difference<'service-changed'>): boolean =>
  JSON.stringify({ ...from, port: '', nodePort: null, allocatesNodePorts: to.allocatesNodePorts }) ===
  JSON.stringify({ ...to, port: '', nodePort: null });
