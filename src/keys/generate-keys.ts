import type { GatewayName, KeyPair, PublicKeys } from './gateway.ts';
import { printKeySecret } from './print-key-secret.ts';
import { printKeysFile } from './print-keys-file.ts';

interface KeysRequest {
  readonly missing: readonly GatewayName[];
  /** Every key that the keys file contains now. */
  readonly recorded: PublicKeys;
  /** Name of the Secret in each tenant namespace. */
  readonly secretName: string;
  /** Makes a new random pair at each call. The caller passes it in, so that this room stays pure. */
  readonly newPair: () => KeyPair;
}

interface GeneratedKeys {
  /** Text of the next keys file. */
  readonly keysFile: string;
  /** Secrets by cluster, in order of name: a YAML stream each, to be applied in that cluster. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Key pairs for the gateways that have none. Recorded keys do not change. */
export function generateKeys({ missing, recorded, secretName, newPair }: KeysRequest): GeneratedKeys {
  const keys = new Map([...recorded].map(([cluster, byPeer]) => [cluster, new Map(byPeer)]));
  const secrets = new Map<string, string>();
  for (const gateway of missing) {
    const pair = newPair();
    const byPeer = keys.get(gateway.cluster) ?? new Map<string, string>();
    keys.set(gateway.cluster, byPeer.set(gateway.peer, pair.publicKey));
    const secret = printKeySecret(gateway, secretName, pair);
    secrets.set(gateway.cluster, (secrets.get(gateway.cluster) ?? '') + secret);
  }
  return { keysFile: printKeysFile(keys), secrets };
}
