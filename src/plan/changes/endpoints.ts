import { sortedUnique } from '../../base/core/collections.ts';
import { after, before, breaks, changeKind, harmless, OF_LINK, together } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { flowsThroughTunnel } from '../flows.ts';
import type { Ports } from '../network-state.ts';
import { tunnelFiles } from '../plan-file.ts';
import {
  APPLY_SERVER_FIRST,
  both,
  FORWARD_PORT,
  forwardedFor,
  insteadOf,
  isForwarded,
  namespaceIn,
  OPEN_PORT,
  serviceIn,
  serviceSettings,
  settingsWords,
} from './plain-words.ts';

export const addressChanged = changeKind('address-changed')
  .decided({
    ...OF_LINK,
    code: 'plan/gateway-changes',
    judge: ({ ports }) =>
      isForwarded(ports)
        ? breaks('change', 'client-dials-another-address', before('forward-port'))
        : breaks('change', 'client-dials-another-address', before('check-new-address')),
    flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
    explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
  })
  .worded({
    section: 'Gateways',
    title: (it) => `${both(it)}: ${it.client} dials ${it.to} instead of ${it.from}`,
    why: { 'client-dials-another-address': "the client's gateway restarts and dials another address" },
    steps: {
      'check-new-address': {
        what: 'make sure that the new address leads to the server: if NAT or a load balancer has it, forward the port there',
        on: ({ client, server, to, ports }) => `UDP ${to}:${ports.dialled} for ${client} to ${server}`,
      },
      'forward-port': {
        what: FORWARD_PORT,
        on: ({ client, server, to, ports }) => forwardedFor({ client, server, address: to, ports }),
      },
    },
  });

export const portChanged = changeKind('port-changed')
  .decided({
    ...OF_LINK,
    code: 'plan/gateway-changes',
    // A node port is only in the Service, which changes in place; any other port is also an argument of the gateway. The
    // port that is dialled is in the manifests of the client alone.
    judge: ({ from, to }) => {
      const outside = isSeenOutside(from, to) ? [before(isForwarded(to) ? 'forward-port' : 'open-port')] : [];
      if (from.service !== '' && from.service === to.service && from.node === to.node)
        return breaks('change', 'only-the-client-restarts', ...outside);
      const steps = [...outside, together('apply-server-first')];
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
      'only-the-client-restarts':
        'the gateway pod of the client restarts, the server stays as it is, and no packet arrives until the new port leads to it',
      'server-restarts-at-another-port':
        'the Service and the gateway pod of the server restart, and until both ends are applied, the client dials a port that is not open',
    },
    steps: {
      'apply-server-first': APPLY_SERVER_FIRST,
      'open-port': {
        what: OPEN_PORT,
        on: ({ ends, server, to }) => `UDP ${to.dialled} of ${server} for ${ends[0] === server ? ends[1] : ends[0]}`,
      },
      'forward-port': {
        what: FORWARD_PORT,
        on: ({ ends, server, address, to }) =>
          forwardedFor({ client: ends[0] === server ? ends[1] : ends[0], server, address, ports: to }),
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
    ...OF_LINK,
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
    // The Service decides who can reach the gateway.
    section: 'Trust',
    title: (it) => `${both(it)}: ${serviceWords(it)}`,
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

function serviceWords({ server, from, to }: Difference<'service-changed'>): string {
  if (from.type !== to.type) {
    // With another type all other settings are new.
    return `${server} serves through a ${to.type} Service${settingsWords(to)} instead of a ${from.type} one`;
  }
  const [was, is] = [serviceSettings(from), serviceSettings(to)];
  const names = sortedUnique([...was.keys(), ...is.keys()]).filter((it) => was.get(it) !== is.get(it));
  const words = names.map((it) => `${it} ${insteadOf({ from: was.get(it) ?? null, to: is.get(it) ?? null }, 'none')}`);
  return `the Service of ${server} has ${words.join('; ')}`;
}
