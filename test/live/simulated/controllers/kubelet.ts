import { type Fields, field, type SimulatedObject, type Texts } from '../objects.ts';
import { type Controller, itself } from './controller.ts';

const NODE = 'node-1';

/**
 * Kubernetes as far as a gateway needs it: the first pod of a Deployment, which runs on the first node and is the
 * active one. Only the active pod of several replicas is in the recordings, and here.
 */
export const kubelet: Controller = {
  name: 'kubelet',
  watches: { Deployment: itself },
  reconcile({ server, nodeAddress }, namespace, name) {
    const deployment = server.get('Deployment', name, namespace);
    const labels = field<Texts>(deployment, 'spec', 'template', 'metadata', 'labels');
    if (deployment === undefined || labels?.['networking.liqo.io/component'] !== 'gateway') return true;
    const template = field<Fields>(deployment, 'spec', 'template', 'spec') ?? {};
    const wanted = {
      ...structuredClone(template),
      nodeName: NODE,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      priority: 0,
    };
    const pod = server.get('Pod', `${name}-0`, namespace);
    if (pod === undefined) {
      const podIP = `10.244.99.${server.list('Pod').length + 2}`;
      server.create(podOf(deployment, labels, wanted, { podIP, hostIP: nodeAddress }));
    } else {
      server.update(pod, (it) => {
        it.spec = wanted;
        it.metadata.labels = { ...labels, 'networking.liqo.io/active': 'true' };
      });
    }
    return true;
  },
};

interface Addresses {
  readonly podIP: string;
  readonly hostIP: string;
}

const podOf = (
  deployment: SimulatedObject,
  labels: Texts,
  spec: Fields,
  { podIP, hostIP }: Addresses,
): SimulatedObject => {
  const { name, namespace = '', uid = '' } = deployment.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${name}-0`,
      namespace,
      labels: { ...labels, 'networking.liqo.io/active': 'true' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid }],
    },
    spec,
    status: {
      conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }],
      hostIP,
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      qosClass: 'BestEffort',
    },
  };
};
