import { aboutLink, after, before, breaks, changeKind, harmless, together } from '../change-kind.ts';
import type { Difference, Ports } from '../difference.ts';
import { flowsThroughTunnel } from '../flows.ts';
import type { ServiceState } from '../network-state.ts';
import { tunnelFiles } from '../plan-file.ts';
import { APPLY_SERVER_FIRST, both, namespaceIn, OPEN_PORT, serviceIn } from './plain-words.ts';

export const addressChanged = changeKind('address-changed')
  .decided({
    identity: ({ ends }) => ends,
    subject: ({ ends }) => aboutLink(ends),
    code: 'plan/gateway-changes',
    judge: () => breaks('change', 'client-dials-another-address', before('check-new-address')),
    flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
    explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
  })
  .worded({
    section: 'Gateways',
    title: (it) => `${both(it)}: ${it.client} dials ${it.to} instead of ${it.from}`,
    why: { 'client-dials-another-address': "the client's gateway restarts and dials another address" },
    steps: {
      'check-new-address': {
        what: 'make sure that the new address answers',
        on: ({ client, to }) => `${to} for ${client}`,
      },
    },
  });

export const portChanged = changeKind('port-changed')
  .decided({
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
  })
  .worded({
    section: 'Gateways',
    title: (it) => `${both(it)}: ${portWords(it)}`,
    why: {
      'client-dials-another-port':
        "the server's Service changes in place, the gateway pod of the client restarts, and until both ends are applied, the client dials a port that is not open",
      'server-restarts-at-another-port':
        'the Service and the gateway pod of the server restart, and until both ends are applied, the client dials a port that is not open',
    },
    steps: {
      'apply-server-first': APPLY_SERVER_FIRST,
      'open-port': {
        what: OPEN_PORT,
        on: ({ ends, server, to }) => `UDP ${to.dialled} of ${server} for ${ends[0] === server ? ends[1] : ends[0]}`,
      },
    },
  });

/**
 * True when firewalls and NAT in front of the nodes see another port. Behind a node port they do not see the Service's
 * port.
 */
const isSeenOutside = (from: Ports, to: Ports): boolean =>
  from.dialled !== to.dialled || (from.node ?? from.service) !== (to.node ?? to.service);

export const serviceChanged = changeKind('service-changed')
  .decided({
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
  })
  .worded({
    section: 'Gateways',
    title: (it) => `${both(it)}: ${[...serviceWords(it)].join('; ')}`,
    why: {
      'service-changes': "the server's Service changes, and its address may change with it",
      'class-is-immutable':
        'Kubernetes never changes the class of a load balancer: the Service must be made again, and its address may change with it',
      'node-ports-stay':
        'only Services that are made from now on differ; node ports that one has stay until it is deleted',
    },
    steps: {
      'apply-server-first': APPLY_SERVER_FIRST,
      'delete-the-service': {
        what: 'delete the Service of the gateway; Liqo makes it again with the new class, and until then it refuses the whole change',
        on: (it) => {
          const { ends, server } = it;
          const client = ends[0] === server ? ends[1] : ends[0];
          return `${server}: kubectl delete service -n ${namespaceIn(it, server, client)} ${serviceIn(it, server, client)}`;
        },
      },
    },
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

function portWords({ server, from, to }: Difference<'port-changed'>): string {
  if (from.dialled !== to.dialled) return `${server} is dialled at port ${to.dialled} instead of ${from.dialled}`;
  const inner = (it: Ports): string => (it.node === null ? it.service : `${it.service}, node port ${it.node}`);
  return `${server} listens on ${inner(to)} instead of ${inner(from)}`;
}

/** Words for the different settings, the most important first. */
function* serviceWords({ server, from, to }: Difference<'service-changed'>): Iterable<string> {
  if (from.type !== to.type) {
    yield `${server} serves through a ${to.type} Service instead of a ${from.type} one`;
    return; // With another type all other settings are new.
  }
  if (from.loadBalancerIP !== to.loadBalancerIP) {
    yield `the load balancer of ${server} has ${addressText(to)} instead of ${addressText(from)}`;
  }
  if (from.loadBalancerClass !== to.loadBalancerClass) {
    yield `the load balancer of ${server} has ${classText(to)} instead of ${classText(from)}`;
  }
  if (from.externalTrafficPolicy !== to.externalTrafficPolicy) {
    yield `the traffic policy of ${server} is ${to.externalTrafficPolicy} instead of ${from.externalTrafficPolicy}`;
  }
  if (from.allocatesNodePorts !== to.allocatesNodePorts) {
    yield `the load balancer of ${server} gets ${to.allocatesNodePorts ? 'node ports' : 'no node ports'}`;
  }
  if (JSON.stringify(from.annotations) !== JSON.stringify(to.annotations)) {
    yield `the Service of ${server} has other annotations`;
  }
}

const addressText = ({ loadBalancerIP }: ServiceState): string => loadBalancerIP ?? 'any address';

const classText = ({ loadBalancerClass }: ServiceState): string =>
  loadBalancerClass === null ? 'the default class' : `class ${loadBalancerClass}`;
