import { aboutLink, after, before, breaks, changeKind, harmless, together } from '../change-kind.ts';
import type { Difference, Ports } from '../difference.ts';
import { tunnelFiles } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows.ts';

export const addressChanged = changeKind('address-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  judge: () => breaks('change', 'client-dials-another-address', before('check-new-address')),
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});

export const portChanged = changeKind('port-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  // A node port is only in the Service, which changes in place; any other port is also an argument of the gateway.
  judge: ({ from, to }) => {
    const steps = [...(isSeenOutside(from, to) ? [before('open-port')] : []), together('apply-server-first')];
    return from.service === to.service && from.node !== to.node
      ? breaks('change', 'client-dials-another-port', ...steps)
      : breaks('change', 'server-restarts-at-another-port', ...steps);
  },
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});

/**
 * True when firewalls and NAT in front of the nodes see another port. Behind a node port they do not see the Service's
 * port.
 */
const isSeenOutside = (from: Ports, to: Ports): boolean =>
  from.dialled !== to.dialled || (from.node ?? from.service) !== (to.node ?? to.service);

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
 * True when the class differs. Kubernetes refuses another class for a Service that stays a load balancer, and Liqo
 * keeps the Service's class when the template sets none. Source: kubernetes/kubernetes@v1.32.0
 * pkg/apis/core/validation/validation.go (validateLoadBalancerClassField), liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/wireguard/wggatewayserver_controller.go.
 */
const hasAnotherClass = ({ from, to }: Difference<'service-changed'>): boolean =>
  from.type === 'LoadBalancer' && to.type === 'LoadBalancer' && from.loadBalancerClass !== to.loadBalancerClass;

/** True when only the allocation of node ports differs: a Service keeps its node ports until it is deleted. */
const keepsItsPlace = ({ from, to }: Difference<'service-changed'>): boolean =>
  JSON.stringify({ ...from, port: '', nodePort: null, allocatesNodePorts: to.allocatesNodePorts }) ===
  JSON.stringify({ ...to, port: '', nodePort: null });
