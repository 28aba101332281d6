import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** A key pair as Liqo makes it: 32 raw bytes each, in base64. */
export function newPair(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync('x25519');
  const raw = (key: string): string => Buffer.from(key, 'base64url').toString('base64');
  const { d = '' } = createPrivateKey({ key: privateKey.export({ format: 'jwk' }), format: 'jwk' }).export({
    format: 'jwk',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey: raw(d), publicKey: raw(x) };
}

interface SecretSettings {
  readonly name?: string;
  readonly namespace?: string;
  /** The label; `null` for none. */
  readonly remote?: string | null;
  readonly data?: Readonly<Record<string, string>> | null;
  readonly version?: string;
}

/** The Secret of a gateway towards a peer, as Liqo writes it. */
export function keySecret(peer: string, settings: SecretSettings = {}) {
  const { name = `gw-${peer}`, namespace = `liqo-tenant-${peer}`, remote = peer, data = newPair(), version } = settings;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name,
      namespace,
      ...(version === undefined ? {} : { resourceVersion: version }),
      labels: {
        'networking.liqo.io/gateway-resource': 'true',
        ...(remote === null ? {} : { 'liqo.io/remote-cluster-id': remote }),
      },
    },
    ...(data === null ? {} : { data }),
  };
}

/** The output of `kubectl get secrets -A -o json`, private halves included. */
export const secretsDump = (...items: readonly object[]): string =>
  `${JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }, null, 4)}\n`;
