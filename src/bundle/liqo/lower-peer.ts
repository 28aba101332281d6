import type { AddressedCluster, Peer } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import { lowerConfiguration } from './lower-configuration.ts';
import { lowerConnection } from './lower-connection.ts';
import { lowerGatewayClient } from './lower-gateway-client.ts';
import { lowerGatewayServer } from './lower-gateway-server.ts';
import { lowerNamespace } from './lower-namespace.ts';
import { lowerPublicKey } from './lower-public-key.ts';
import type { Manifest } from './manifest.ts';

/** Every object that `cluster` needs for one peer, in the order of the file: the namespace first. */
export function lowerPeer(cluster: AddressedCluster, peer: Peer, fleet: Fleet): readonly Manifest[] {
  const publicKey = lowerPublicKey(peer);
  return [
    lowerNamespace(cluster, peer.name),
    ...(publicKey === undefined ? [] : [publicKey]),
    lowerConfiguration(peer),
    peer.role === 'server' ? lowerGatewayServer(cluster, peer) : lowerGatewayClient(peer),
    ...(fleet.emitConnections ? [lowerConnection(peer)] : []),
  ];
}
