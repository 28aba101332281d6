import { EXTERNAL_SECRETS_API } from '../../../base/releases/api-versions.ts';
import { IDENTITY_TYPE_LABEL, REMOTE_CLUSTER_LABEL, REMOTE_TENANT_ANNOTATION } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';

/**
 * The reference from which a secret manager makes the kubeconfig of a consumer. Liqo finds that Secret by its labels and
 * takes the namespace in the provider from its annotation. `undefined` when the Secret is made by hand.
 * Every field that a webhook would fill in is written.
 * Source: liqotech/liqo@v1.2.0 docs/advanced/peering/peering-via-cr.md, pkg/utils/getters/k8sGetters.go.
 */
export function lowerCredentials({ consumer, provider, credentials }: Share): Manifest | undefined {
  if (credentials === null) return undefined;
  const { store, storeKind, property } = credentials;
  const key = credentials.key.replaceAll('{consumer}', consumer.name).replaceAll('{provider}', provider.name);
  const name = `kubeconfig-controlplane-${provider.name}`;
  const remoteRef = { key, property: property ?? undefined };
  return {
    apiVersion: EXTERNAL_SECRETS_API,
    kind: 'ExternalSecret',
    metadata: { name, namespace: namespaceIn(consumer, provider.name) },
    spec: {
      refreshPolicy: 'Periodic',
      refreshInterval: '1h0m0s',
      secretStoreRef: { kind: storeKind, name: store },
      target: {
        name,
        creationPolicy: 'Owner',
        deletionPolicy: 'Retain',
        template: {
          engineVersion: 'v2',
          mergePolicy: 'Replace',
          type: 'Opaque',
          metadata: {
            labels: { [IDENTITY_TYPE_LABEL]: 'ControlPlane', [REMOTE_CLUSTER_LABEL]: provider.name },
            annotations: { [REMOTE_TENANT_ANNOTATION]: namespaceIn(provider, consumer.name) },
          },
        },
      },
      data: [
        {
          secretKey: 'kubeconfig',
          remoteRef: { ...remoteRef, decodingStrategy: 'None', conversionStrategy: 'Default', metadataPolicy: 'None' },
        },
      ],
    },
  };
}
