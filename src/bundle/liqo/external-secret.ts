import { EXTERNAL_SECRETS_API } from '../../base/releases/labels.ts';
import type { Field, Manifest } from './manifest.ts';

/** A Secret that the External Secrets Operator makes from a store of a secret manager. */
interface ExternalSecret {
  /** The name of the Secret, too. */
  readonly name: string;
  readonly namespace: string;
  readonly store: string;
  readonly storeKind: string;
  /** Labels and annotations of the Secret. */
  readonly metadata: { readonly [key: string]: Field };
  readonly data: readonly StoredValue[];
}

interface StoredValue {
  /** The key in the Secret. */
  readonly secretKey: string;
  /** The key in the store. */
  readonly key: string;
  /** A part of what is stored there; `undefined` for all of it. */
  readonly property: string | undefined;
  readonly decodingStrategy: 'None' | 'Base64';
}

/**
 * The reference from which a secret manager makes a Secret. Every field that a webhook would fill in is written. Source:
 * external-secrets/external-secrets@v0.17.0 apis/externalsecrets/v1.
 */
export const externalSecret = ({ name, namespace, store, storeKind, metadata, data }: ExternalSecret): Manifest => ({
  apiVersion: EXTERNAL_SECRETS_API,
  kind: 'ExternalSecret',
  metadata: { name, namespace },
  spec: {
    refreshPolicy: 'Periodic',
    refreshInterval: '1h0m0s',
    secretStoreRef: { kind: storeKind, name: store },
    target: {
      name,
      creationPolicy: 'Owner',
      deletionPolicy: 'Retain',
      template: { engineVersion: 'v2', mergePolicy: 'Replace', type: 'Opaque', metadata },
    },
    data: data.map(({ secretKey, key, property, decodingStrategy }) => ({
      secretKey,
      remoteRef: { key, property, decodingStrategy, conversionStrategy: 'Default', metadataPolicy: 'None' },
    })),
  },
});
