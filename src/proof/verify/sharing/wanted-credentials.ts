import type { ExpectedShare } from '../expected/expect-shares.ts';
import { aboutRemote, type WantedObject } from './wanted-object.ts';

/**
 * The reference from which the kubeconfig of a consumer is made, in the form in which Liqo finds it.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go; external-secrets/external-secrets@v0.17.0
 * apis/externalsecrets/v1.
 */
export function wantedCredentials(share: ExpectedShare): readonly WantedObject[] {
  const { consumer, provider, credentials, namespaceOfConsumer, namespaceOfProvider: namespace } = share;
  if (credentials === null) return [];
  const name = `kubeconfig-controlplane-${provider}`;
  const key = credentials.key.split('{consumer}').join(consumer).split('{provider}').join(provider);
  const labels = { ...aboutRemote(provider), 'liqo.io/identity-type': 'ControlPlane' };
  const annotations = { 'liqo.io/remote-tenant-namespace': namespaceOfConsumer };
  const where = credentials.property === null ? { key } : { key, property: credentials.property };
  const remoteRef = { ...where, conversionStrategy: 'Default', decodingStrategy: 'None', metadataPolicy: 'None' };
  return [
    {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name, namespace },
      spec: {
        data: [{ remoteRef, secretKey: 'kubeconfig' }],
        refreshInterval: '1h0m0s',
        refreshPolicy: 'Periodic',
        secretStoreRef: { kind: credentials.storeKind, name: credentials.store },
        target: {
          creationPolicy: 'Owner',
          deletionPolicy: 'Retain',
          name,
          template: {
            engineVersion: 'v2',
            mergePolicy: 'Replace',
            metadata: { annotations, labels },
            type: 'Opaque',
          },
        },
      },
    },
  ];
}
