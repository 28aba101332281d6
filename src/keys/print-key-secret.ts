import { tenantNamespace } from '../releases/tenant-namespace.ts';
import { render } from '../text/render.ts';
import type { GatewayName, KeyPair } from './gateway.ts';

/**
 * The Secret that a gateway mounts. Both labels are needed: Liqo searches by them, and the value under `data` is the
 * base64 of the raw bytes. Source: liqotech/liqo pkg/liqo-controller-manager/networking/external-network/wireguard, v1.2.0.
 */
export function printKeySecret({ cluster, peer }: GatewayName, secretName: string, pair: KeyPair): string {
  return render('keys/key-secret', {
    cluster,
    peer,
    name: JSON.stringify(secretName),
    namespace: JSON.stringify(tenantNamespace(peer)),
    remote: JSON.stringify(peer),
    privateKey: JSON.stringify(pair.privateKey),
    publicKey: JSON.stringify(pair.publicKey),
  });
}
