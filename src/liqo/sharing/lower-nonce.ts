import { encodeBase64 } from '../../core/base64.ts';
import { utf8Bytes } from '../../core/utf8.ts';
import { NONCE_LABEL, REMOTE_CLUSTER_LABEL } from '../../releases/labels.ts';
import { tenantNamespace } from '../../releases/tenant-namespace.ts';
import type { AuthenticationKey } from '../../sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * The nonce that the consumer has signed, in the provider. It is not secret: liqoctl hands it from cluster to cluster. Liqo
 * keeps one that is there, and finds it by its labels.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/noncecreator-controller.
 */
export function lowerNonce(consumer: string, key: AuthenticationKey): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'liqo-nonce',
      namespace: tenantNamespace(consumer),
      labels: { [NONCE_LABEL]: 'true', [REMOTE_CLUSTER_LABEL]: consumer },
    },
    type: 'Opaque',
    data: { nonce: encodeBase64(utf8Bytes(key.nonce)) },
  };
}
