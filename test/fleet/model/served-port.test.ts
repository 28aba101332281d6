import { describe, expect, it } from 'vitest';
import { compiledText } from '../../support/compile-text.ts';

/** The endpoint of a server with this gateway on a link with these options, and on one without any. */
function endpointsOf(gateway: string, options: string) {
  const { links } = compiledText(`
version: 1
name: fleet
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16, gateway: { ${gateway} } }
  milan: { podCIDR: 10.202.0.0/16 }
peerings: [{ between: [rome, milan], ${options} }]
`).model;
  const [{ endpoint } = { endpoint: undefined }] = links;
  return endpoint && { port: endpoint.port, servicePort: endpoint.servicePort, nodePort: endpoint.nodePort };
}

const BALANCER = 'addresses: [198.51.100.1], service: LoadBalancer, ports: 51820-51820';
const BALANCER_BEHIND_NAT = 'dial: { address: 198.51.100.1 }, service: LoadBalancer, ports: 51820-51820';
const FORWARDED = 'addresses: [198.51.100.1], dial: { port: 4000 }, service: LoadBalancer, ports: 51820-51820';
const NODES = 'addresses: [198.51.100.1], nodePorts: 30000-30000';

describe('the port that a client dials', () => {
  it.each([
    ['is the port of the Service', BALANCER, 'port: 4500', { port: 4500, servicePort: 4500, nodePort: null }],
    [
      'is forwarded to the one that is set',
      BALANCER,
      'port: 4500, servicePort: 51900',
      { port: 4500, servicePort: 51900, nodePort: null },
    ],
    [
      'is a port of the NAT before the gateway',
      BALANCER_BEHIND_NAT,
      'port: 4500',
      { port: 4500, servicePort: 51820, nodePort: null },
    ],
    [
      'is a port of the NAT that forwards one port',
      FORWARDED,
      'port: 4500',
      { port: 4500, servicePort: 51820, nodePort: null },
    ],
    [
      'is the forwarded port of the gateway',
      FORWARDED,
      'servicePort: 51900',
      { port: 4000, servicePort: 51900, nodePort: null },
    ],
    ['is forwarded to a node port', NODES, 'port: 4500', { port: 4500, servicePort: 51840, nodePort: 30000 }],
    ['is the node port', NODES, 'nodePort: 30000', { port: 30000, servicePort: 51840, nodePort: 30000 }],
  ])('%s', (_, gateway, options, endpoint) => {
    expect(endpointsOf(gateway, options)).toEqual(endpoint);
  });
});
