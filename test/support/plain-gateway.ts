import { startOf } from '../../src/base/source/source.ts';
import type { Gateway } from '../../src/fleet/model/network-model.ts';

const at = startOf({ path: 'topology.yaml', text: '' });

/** A gateway with Liqo's defaults and without an address. */
export const PLAIN_GATEWAY: Gateway = {
  addresses: [],
  service: 'NodePort',
  ports: { first: 51840, last: 52839, at },
  nodePorts: { first: 30000, last: 32767, at },
  loadBalancerIP: null,
  loadBalancerClass: null,
  externalTrafficPolicy: { value: 'Cluster', at },
  allocatesNodePorts: true,
  mtuBytes: { value: 1340, at },
  replicas: 1,
  nodeSelector: {},
  tolerations: [],
  serviceAnnotations: {},
  loadBalancerAnnotations: {},
  dial: { address: null, port: null },
  server: 'auto',
  listenPort: null,
  ping: null,
};
