import { createHash } from 'node:crypto';
import type { ApiServer } from '../api-server.ts';
import { field, GATEWAY_RESOURCE, type OwnerReference, REMOTE, type SimulatedObject } from '../objects.ts';

/**
 * The Secret with the keys of a gateway: the one that its spec names, else one with the right labels, else a new one.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/wireguard/utils.go.
 */
export function ensureKeys(server: ApiServer, gateway: SimulatedObject): string | undefined {
  const { name, namespace = '', ownerReferences = [], labels = {} } = gateway.metadata;
  const wanted = keyLabels(labels[REMOTE] ?? '');
  const named = field<string>(gateway, 'spec', 'secretRef', 'name') ?? '';
  if (named !== '') {
    const secret = server.get('Secret', named, namespace);
    if (secret === undefined) return undefined;
    if ((secret.metadata.labels?.[REMOTE] ?? wanted[REMOTE]) !== wanted[REMOTE]) return undefined;
    server.update(secret, (it) => {
      it.metadata.labels = { ...it.metadata.labels, ...wanted };
    });
  }
  const found = server.list('Secret', wanted).filter((it) => it.metadata.namespace === namespace);
  if (found.length > 1) return undefined;
  const [first] = found;
  if (first !== undefined) return first.metadata.name;
  const [owner] = ownerReferences.filter((it) => it.controller);
  server.create(keySecret(`gw-${name}`, namespace, labels[REMOTE] ?? '', owner));
  return `gw-${name}`;
}

/** The label of a gateway's key Secret. */
const keyLabels = (remote: string): Record<string, string> => ({ [REMOTE]: remote, [GATEWAY_RESOURCE]: 'true' });

/** Its values belong in no output of anything, and can be searched for. */
export const SECRET_TEXT = 'private-and-never-shown';

/** The Secret of one end; the same names give the same keys. */
export function keySecret(name: string, namespace: string, remote: string, owner?: OwnerReference): SimulatedObject {
  const {
    controller: _,
    blockOwnerDeletion: __,
    ...reference
  } = owner ?? { apiVersion: '', kind: '', name: '', uid: '' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      labels: keyLabels(remote),
      ...(owner ? { ownerReferences: [reference] } : {}),
    },
    type: 'Opaque',
    data: {
      privateKey: Buffer.from(SECRET_TEXT.padEnd(32, '.')).toString('base64'),
      publicKey: publicKeyFrom(`${namespace}/${name}/${owner?.uid ?? ''}`),
    },
  };
}

/** 32 bytes that can be a public key, which is a number below 2^255. They are never used. */
export function publicKeyFrom(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  return bytes.toString('base64');
}
