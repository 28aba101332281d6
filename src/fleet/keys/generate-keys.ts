import { by } from '../../base/core/order.ts';
import type { KeylessGateway, KeyPair } from './gateway.ts';
import { makeAuthentication, type RandomBytes } from './make-authentication.ts';
import type { KeylessConsumer } from './missing-authentication.ts';
import { printAuthenticationSecret } from './print-authentication-secret.ts';
import { printKeySecret } from './print-key-secret.ts';
import { printKeysFile } from './print-keys-file.ts';
import type { RecordedKeys } from './recorded-keys.ts';

interface KeysRequest {
  readonly gateways: readonly KeylessGateway[];
  readonly consumers: readonly KeylessConsumer[];
  /** Everything that the keys file contains now. */
  readonly recorded: RecordedKeys;
  /** Makes a new random pair at each call. The caller passes it in, so that this room stays pure. */
  readonly newPair: () => KeyPair;
  readonly randomBytes: RandomBytes;
}

interface GeneratedKeys {
  /** Text of the next keys file. */
  readonly keysFile: string;
  /** Secrets by cluster, in order of name: a YAML stream each, to be applied in that cluster. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Keys for the gateways and the consumers that have none. Recorded keys do not change. */
export function generateKeys(request: KeysRequest): GeneratedKeys {
  const { gateways, consumers, recorded, newPair, randomBytes } = request;
  const keys = new Map([...recorded.gateways].map(([cluster, byPeer]) => [cluster, new Map(byPeer)]));
  const authentication = new Map(recorded.authentication);
  const secrets = new Map<string, string>();
  // Before those of gateways: it is needed before Liqo is installed.
  for (const consumer of consumers) {
    const made = makeAuthentication(consumer, randomBytes);
    authentication.set(consumer.cluster, made.recorded);
    secrets.set(consumer.cluster, printAuthenticationSecret(consumer, made.key));
  }
  for (const gateway of gateways) {
    const pair = newPair();
    const byPeer = keys.get(gateway.cluster) ?? new Map<string, string>();
    keys.set(gateway.cluster, byPeer.set(gateway.peer, pair.publicKey));
    const secret = printKeySecret(gateway, pair);
    secrets.set(gateway.cluster, (secrets.get(gateway.cluster) ?? '') + secret);
  }
  const inOrder = new Map([...secrets].sort(by(([cluster]) => cluster)));
  return { keysFile: printKeysFile({ gateways: keys, authentication }), secrets: inOrder };
}
