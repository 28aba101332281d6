import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../../src/base/net/text.ts';
import { lowerConnection, lowerPeer } from '../../../src/bundle/liqo/lower-peer.ts';
import type { AddressedCluster, AddressedModel } from '../../../src/fleet/ipam/addressed-model.ts';
import { cluster, KEY_OF_CLIENT, KEY_OF_SERVER, link, model, pair, peer, RELEASES, secondDeck } from './fixtures.ts';
import { plain } from './plain.ts';

const lowered = (cluster: AddressedCluster, model: AddressedModel): unknown[] =>
  [...cluster.peers.values()].flatMap((it) => lowerPeer(cluster, it, model.fleet)).map(plain);

const kinds = (objects: readonly unknown[]) => objects.map((it) => (it as { kind: string }).kind);

describe('lowerPeer', () => {
  it('gives the server end its objects, in order', () => {
    const { europe, model } = pair({ release: '1.1.2' });
    const remote = { 'liqo.io/remote-cluster-id': 'rome' };
    expect(lowered(europe, model)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: 'liqo-tenant-rome',
          labels: {
            ...remote,
            'liqo.io/tenant-namespace': 'true',
            'pod-security.kubernetes.io/audit': 'privileged',
            'pod-security.kubernetes.io/enforce': 'privileged',
            'pod-security.kubernetes.io/warn': 'privileged',
          },
        },
      },
      {
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'PublicKey',
        metadata: {
          name: 'rome',
          namespace: 'liqo-tenant-rome',
          labels: { ...remote, 'networking.liqo.io/gateway-resource': 'true' },
        },
        spec: { publicKey: KEY_OF_CLIENT },
      },
      {
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'Configuration',
        metadata: {
          name: 'rome',
          namespace: 'liqo-tenant-rome',
          labels: remote,
          annotations: { 'liqo-weft/external-views': '10.68.0.0/16', 'liqo-weft/pod-views': '10.71.0.0/16' },
        },
        spec: { remote: { cidr: { pod: ['10.200.0.0/16'], external: ['10.70.0.0/16'] } } },
      },
      {
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'GatewayServer',
        metadata: { name: 'rome', namespace: 'liqo-tenant-rome', labels: remote },
        spec: {
          serverTemplateRef: {
            apiVersion: 'networking.liqo.io/v1beta1',
            kind: 'WgGatewayServerTemplate',
            name: 'wireguard-server',
            namespace: 'liqo',
          },
          mtu: 1340,
          endpoint: { port: 51840, serviceType: 'NodePort', nodePort: 30742 },
          secretRef: { name: 'gw-keys' },
        },
      },
    ]);
  });

  it('gives the client end the address of the server and its key', () => {
    const { rome, model } = pair();
    const objects = lowered(rome, model);
    expect(kinds(objects)).toEqual(['Namespace', 'PublicKey', 'Configuration', 'GatewayClient']);
    expect(objects[1]).toMatchObject({ metadata: { name: 'europe' }, spec: { publicKey: KEY_OF_SERVER } });
    expect(objects[3]).toEqual({
      apiVersion: 'networking.liqo.io/v1beta1',
      kind: 'GatewayClient',
      metadata: {
        name: 'europe',
        namespace: 'liqo-tenant-europe',
        labels: { 'liqo.io/remote-cluster-id': 'europe' },
      },
      spec: {
        clientTemplateRef: {
          apiVersion: 'networking.liqo.io/v1beta1',
          kind: 'WgGatewayClientTemplate',
          name: 'wireguard-client',
          namespace: 'liqo',
        },
        mtu: 1340,
        endpoint: { addresses: ['203.0.113.10'], port: 30742, protocol: 'UDP' },
        secretRef: { name: 'gw-keys' },
      },
    });
  });

  it('leaves the PublicKey out while the key of the other end is unknown', () => {
    const { rome, europe, model } = pair({}, {}, { publicKeys: { server: null, client: KEY_OF_CLIENT } });
    expect(kinds(lowered(rome, model))).not.toContain('PublicKey');
    expect(kinds(lowered(europe, model))).toContain('PublicKey');
  });

  it('writes the assigned external CIDR and all pod CIDRs of a peer', () => {
    const along = link('rome', 'europe');
    const rome = cluster('rome', {
      podCIDRs: ['10.202.0.0/16', '10.203.0.0/16'],
      externalCIDR: prefixOf('10.71.0.0/16'),
    });
    const europe = cluster('europe', {
      peers: [
        peer('europe', along, {
          pods: [
            ['10.202.0.0/16', '10.202.0.0/16'],
            ['10.203.0.0/16', '10.203.0.0/16'],
          ],
          external: ['10.71.0.0/16', '10.71.0.0/16'],
        }),
      ],
    });
    expect(lowered(europe, model([europe, rome], [along]))[2]).toMatchObject({
      spec: { remote: { cidr: { pod: ['10.202.0.0/16', '10.203.0.0/16'], external: ['10.71.0.0/16'] } } },
    });
  });

  it('annotates the Service through the GatewayServer since 1.2, in order of key', () => {
    const gateway = { serviceAnnotations: { b: '2', a: '1' } };
    const since = pair({ gateway });
    const server = lowered(since.europe, since.model)[3] as { spec: { serviceAnnotations: object } };
    expect(Object.entries(server.spec.serviceAnnotations)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    const before = pair({ gateway, release: '1.1.2' });
    expect(lowered(before.europe, before.model)[3]).not.toHaveProperty('spec.serviceAnnotations');
  });

  it('writes a load balancer with its address and no node port', () => {
    const { europe, model } = pair(
      {},
      {},
      {
        mtuBytes: 1400,
        endpoint: {
          address: '203.0.113.20',
          port: 51900,
          serviceType: 'LoadBalancer',
          servicePort: 51900,
          nodePort: null,
          loadBalancerIP: '203.0.113.20',
          serviceAnnotations: {},
        },
      },
    );
    expect(lowered(europe, model)[3]).toMatchObject({
      spec: { mtu: 1400, endpoint: { port: 51900, serviceType: 'LoadBalancer', loadBalancerIP: '203.0.113.20' } },
    });
    expect(lowered(europe, model)[3]).not.toHaveProperty('spec.endpoint.nodePort');
  });

  it('adds the Connection as the gateway writes it when the fleet emits Connections', () => {
    const { rome, model } = pair({}, { emitConnections: true });
    const connection = lowered(rome, model)[4];
    expect(connection).toEqual({
      apiVersion: 'networking.liqo.io/v1beta1',
      kind: 'Connection',
      metadata: {
        name: 'gw-europe',
        namespace: 'liqo-tenant-europe',
        labels: { 'liqo.io/remote-cluster-id': 'europe' },
      },
      spec: {
        type: 'Client',
        gatewayRef: {
          apiVersion: 'networking.liqo.io/v1beta1',
          kind: 'WgGatewayClient',
          name: 'europe',
          namespace: 'liqo-tenant-europe',
        },
      },
      status: { value: 'Connected' },
    });
    expect([...rome.peers.values()].map(lowerConnection)).toEqual([connection]);
  });

  it.each(RELEASES)('refers to a gateway template of ours with %s', (release) => {
    const { rome, europe, model } = pair({ release, gateway: { replicas: 2 }, liqoNamespace: 'liqo-system' });
    expect(lowered(europe, model)[3]).toHaveProperty('spec.serverTemplateRef.name', 'weft-wireguard-server');
    expect(lowered(rome, model)[3]).toHaveProperty('spec.clientTemplateRef.name', 'weft-wireguard-client');
    expect(lowered(rome, model)[3]).toHaveProperty('spec.clientTemplateRef.namespace', 'liqo-system');
  });

  it('creates one gateway per peer, at both ends of each link of the second deck', () => {
    const { hub, two, three, model } = secondDeck();
    const gateways = [hub, two, three].map((it) =>
      kinds(lowered(it, model)).filter((kind) => kind.startsWith('Gateway')),
    );
    expect(gateways).toEqual([
      ['GatewayServer', 'GatewayServer'],
      ['GatewayClient', 'GatewayClient'],
      ['GatewayClient', 'GatewayServer'],
    ]);
  });
});
