import { encodeBase64 } from '../../../base/core/base64.ts';
import { utf8Bytes } from '../../../base/core/utf8.ts';
import { NONCE_LABEL, REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { AuthenticationKey, Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * The nonce that the consumer has signed, in the provider. It is not secret: liqoctl hands it from cluster to cluster. Liqo
 * keeps one that is there, and finds it by its labels.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/noncecreator-controller.
 */
export function lowerNonce({ consumer, provider }: Share, key: AuthenticationKey): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'liqo-nonce',
      namespace: namespaceIn(provider, consumer.name),
      labels: { [NONCE_LABEL]: 'true', [REMOTE_CLUSTER_LABEL]: consumer.name },
    },
    type: 'Opaque',
    data: { nonce: encodeBase64(utf8Bytes(key.nonce)) },
  };
}
