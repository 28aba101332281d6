import { render } from '../../base/text/render.ts';
import type { KeylessGateway, KeyPair } from './gateway.ts';

/**
 * The Secret that a gateway mounts. Both labels are needed: Liqo searches by them, and the value under `data` is the
 * base64 of the raw bytes. Source: liqotech/liqo pkg/liqo-controller-manager/networking/external-network/wireguard, v1.2.0.
 */
export function printKeySecret({ cluster, peer, namespace, secretName }: KeylessGateway, pair: KeyPair): string {
  return render('keys/key-secret', {
    cluster,
    peer,
    name: JSON.stringify(secretName),
    namespace: JSON.stringify(namespace),
    remote: JSON.stringify(peer),
    privateKey: JSON.stringify(pair.privateKey),
    publicKey: JSON.stringify(pair.publicKey),
  });
}
