import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../../src/base/net/text.ts';
import { expectedConfiguration, expectedNetworks } from '../../../src/bundle/liqo/expected-networks.ts';
import { lowerPeer } from '../../../src/bundle/liqo/lower-peer.ts';
import { lowerShortcutConnections } from '../../../src/bundle/liqo/lower-shortcut-connections.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { checkManifest } from '../../support/crd.ts';
import { auto, explicit, pair, RELEASES, reservedAs, secondDeck } from './fixtures.ts';
import { plain } from './plain.ts';

const problems = (manifests: readonly unknown[], release: string): readonly string[] =>
  manifests.flatMap((it) => checkManifest(plain(it), release));

describe('the CRDs of Liqo', () => {
  it.each(RELEASES)('of %s accept every object of a cluster with every option set', (release) => {
    const { rome, europe, model } = pair(
      {
        release,
        reserved: reservedAs('192.168.0.0/24', '192.168.1.0/24'),
        external: explicit('10.70.0.0/16'),
        internal: auto,
        internalCIDR: prefixOf('10.81.0.0/16'),
        gateway: { replicas: 2, serviceAnnotations: { 'example.com/kind': 'internal' }, loadBalancerIP: '203.0.113.9' },
      },
      { emitConnections: true },
      { endpoint: endpointOfLoadBalancer },
    );
    const all = [rome, europe].flatMap((cluster: AddressedCluster) => [
      ...[...cluster.peers.values()].flatMap((it) => lowerPeer(cluster, it, model.fleet)),
      ...[...cluster.peers.values()].map((it) => expectedConfiguration(cluster, it)),
      ...expectedNetworks(cluster),
    ]);
    expect(all).toHaveLength(2 * (5 + 1 + 6 + 2));
    expect(problems(all, release)).toEqual([]);
  });

  it.each(RELEASES)('of %s, and of the operator, accept the second deck', (release) => {
    const { hub, two, three, model } = secondDeck(release);
    const peers = [hub, two, three].flatMap((cluster) =>
      [...cluster.peers.values()].flatMap((it) => lowerPeer(cluster, it, model.fleet)),
    );
    const shortcuts = lowerShortcutConnections(hub, model).flatMap((it) => [it.manifest, it.expectedStatus]);
    expect(shortcuts).toHaveLength(2);
    expect(problems([...peers, ...shortcuts], release)).toEqual([]);
  });
});

const endpointOfLoadBalancer = {
  address: 'gateway.example',
  port: 51840,
  serviceType: 'LoadBalancer',
  servicePort: 51840,
  nodePort: null,
  loadBalancerIP: '203.0.113.9',
  serviceAnnotations: { 'example.com/kind': 'internal' },
} as const;
