import { TEMPLATE_SETTINGS, type TemplateSetting } from '../../src/base/releases/gateways.ts';
import type { GatewaySpec } from '../../src/base/schema-types/topology.ts';
import { type Compiled, compile } from '../../src/compile.ts';

type Settings = Exclude<GatewaySpec, string>;

/** A value of each setting, as an import writes it. A setting without one does not compile. */
export const SET: { readonly [key in TemplateSetting]: Required<Pick<Settings, key>> } = {
  replicas: { replicas: 2 },
  nodeSelector: { nodeSelector: { disk: 'ssd' } },
  tolerations: { tolerations: [{ key: 'gateways', operator: 'Exists' }] },
  ping: { ping: { lossThreshold: 9 } },
  listenPort: { listenPort: 51_999 },
  externalTrafficPolicy: { externalTrafficPolicy: 'Local' },
  loadBalancerClass: { loadBalancerClass: 'example.com/fast' },
  allocateLoadBalancerNodePorts: { allocateLoadBalancerNodePorts: false },
};

export const SETTINGS = Object.keys(TEMPLATE_SETTINGS) as readonly TemplateSetting[];

/** Two clusters, a server and a client, whose gateways have these settings. */
export function fleetWith(...settings: readonly Settings[]): Compiled {
  const gateway: Settings = Object.assign({ service: 'LoadBalancer' }, ...settings);
  const clusters = {
    rome: { podCIDR: '10.201.0.0/16', gateway: { ...gateway, addresses: ['203.0.113.10'] } },
    milan: { podCIDR: '10.202.0.0/16', gateway: { ...gateway, server: 'never' } },
  };
  const defaults = { serviceCIDR: '10.96.0.0/12', externalCIDR: 'auto' };
  const topology = { version: 1, name: 'europe', defaults, clusters, peerings: [['rome', 'milan']] };
  const result = compile(
    { topology: { path: 'topology.yaml', text: JSON.stringify(topology) }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return result.value;
}
