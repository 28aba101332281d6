import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';

const SETTINGS = {
  loadBalancerIP: '203.0.113.10',
  loadBalancerClass: 'example.com/fast',
  allocateLoadBalancerNodePorts: 'false',
  externalTrafficPolicy: 'Local',
  nodePorts: '31000-31999',
} as const;

/** Kubernetes refuses or ignores each setting for all other types of Service. */
const ACCEPTED: Readonly<Record<keyof typeof SETTINGS, readonly string[]>> = {
  loadBalancerIP: ['LoadBalancer'],
  loadBalancerClass: ['LoadBalancer'],
  allocateLoadBalancerNodePorts: ['LoadBalancer'],
  externalTrafficPolicy: ['LoadBalancer', 'NodePort'],
  nodePorts: ['NodePort'],
};

function compiled(service: string, setting: string) {
  const text = `version: 1
name: fleet
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.1.0.0/16, gateway: { addresses: [203.0.113.10], service: ${service}, ${setting} } }
  leaf: { podCIDR: 10.2.0.0/16 }
`;
  const result = compile(
    { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  if (!result.ok) throw new Error(result.diagnostics.map((one) => one.message).join('\n'));
  const unused = result.diagnostics.filter((one) => one.code === 'topology/unused-setting');
  return {
    unused: unused.map((one) => text.slice(one.span.start, one.span.end)),
    bundle: [...result.value.bundle.values()].join('\n'),
  };
}

const cases = (Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).flatMap((key) =>
  ['NodePort', 'LoadBalancer', 'ClusterIP'].map((service) => [key, service] as const),
);

describe('a setting of the Service of a gateway', () => {
  it.each(cases)('%s has an effect on the right types alone: %s', (key, service) => {
    const { unused, bundle } = compiled(service, `${key}: ${SETTINGS[key]}`);
    const isAccepted = ACCEPTED[key].includes(service);
    expect(unused).toEqual(isAccepted ? [] : [key]);
    // Settings that Kubernetes would refuse are not written.
    if (key !== 'nodePorts') expect(bundle.includes(`${key}: `)).toBe(isAccepted);
  });

  it.each([
    ['externalTrafficPolicy: Cluster', 'LoadBalancer'],
    ['allocateLoadBalancerNodePorts: true', 'LoadBalancer'],
  ])('is not written where it is what Kubernetes does by itself: %s', (setting, service) => {
    const plain = compiled(service, 'mtu: 1340').bundle;
    expect(compiled(service, setting).bundle).toBe(plain);
  });
});
