import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import { REMOTE_CLUSTER_LABEL } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * What the provider answered, in the consumer. `undefined` until the answer is recorded.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/forge/identity.go.
 */
export function lowerIdentity({ consumer, provider, identity, auth }: Share): Manifest | undefined {
  if (identity === null || auth === 'credentials') return undefined;
  return {
    apiVersion: AUTHENTICATION_API,
    kind: 'Identity',
    metadata: {
      name: `controlplane-${provider.name}`,
      namespace: namespaceIn(consumer, provider.name),
      labels: { [REMOTE_CLUSTER_LABEL]: provider.name },
    },
    spec: {
      authParams: {
        apiServer: identity.apiServer,
        ca: identity.ca ?? undefined,
        proxyURL: identity.proxyURL ?? undefined,
        signedCRT: identity.certificate,
      },
      clusterID: provider.name,
      namespace: namespaceIn(provider, consumer.name),
      type: 'ControlPlane',
    },
  };
}
