import type { Difference, Ports } from '../../../../plan/difference.ts';
import type { ServiceState } from '../../../../plan/network-state.ts';
import type { ChangeWords } from '../change-words.ts';
import { APPLY_SERVER_FIRST, both, namespaceIn, OPEN_PORT, serviceIn } from './plain-words.ts';

export const addressChangedWords: ChangeWords<'address-changed'> = {
  section: 'Gateways',
  title: (it) => `${both(it)}: ${it.client} dials ${it.to} instead of ${it.from}`,
  why: { 'client-dials-another-address': "the client's gateway restarts and dials another address" },
  steps: {
    'check-new-address': {
      what: 'make sure that the new address answers',
      on: ({ client, to }) => `${to} for ${client}`,
    },
  },
};

export const portChangedWords: ChangeWords<'port-changed'> = {
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
};

function portWords({ server, from, to }: Difference<'port-changed'>): string {
  if (from.dialled !== to.dialled) return `${server} is dialled at port ${to.dialled} instead of ${from.dialled}`;
  const inner = (it: Ports): string => (it.node === null ? it.service : `${it.service}, node port ${it.node}`);
  return `${server} listens on ${inner(to)} instead of ${inner(from)}`;
}

export const serviceChangedWords: ChangeWords<'service-changed'> = {
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
};

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
