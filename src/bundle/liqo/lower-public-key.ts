import { NETWORKING_API } from '../../base/releases/api-versions.ts';
import { GATEWAY_RESOURCE_LABEL } from '../../base/releases/labels.ts';
import { type Peer, remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import type { Manifest } from './manifest.ts';
import { aboutPeer } from './names.ts';

/** The key of the gateway at the other end, read by the gateway pod. `undefined` while that key is unknown. */
export function lowerPublicKey(peer: Peer): Manifest | undefined {
  const { publicKey } = remoteEnd(peer);
  if (publicKey === null) return undefined;
  return {
    apiVersion: NETWORKING_API,
    kind: 'PublicKey',
    metadata: aboutPeer(peer, 'publicKey', { [GATEWAY_RESOURCE_LABEL]: 'true' }),
    spec: { publicKey },
  };
}
