import type { KeysDocument } from '../topology/keys-document.ts';
import type { AuthenticationKey } from './shared-model.ts';

/** What the keys file records of the authentication key of each consumer. */
export type RecordedAuthentication = ReadonlyMap<string, RecordedKey>;

/** Everything that is recorded of one consumer. */
export interface RecordedKey {
  readonly key: AuthenticationKey;
  /** Certificate requests by slice, base64 of the PEM. */
  readonly slices: ReadonlyMap<string, string>;
}

/** By consumer. The rules check signatures and requests. */
export function readAuthentication(keys: KeysDocument | undefined): RecordedAuthentication {
  const consumers = keys?.reading.at('authentication').entries() ?? [];
  return new Map(
    consumers.map(({ name, value }) => [
      name.value,
      {
        key: {
          publicKey: value.at('publicKey').orDefault('').value,
          nonce: value.at('nonce').orDefault('').value,
          signature: value.at('signature').orDefault('').value,
          request: value.at('request').orDefault('').value,
        },
        slices: new Map(Object.entries(value.at('slices').textMap())),
      },
    ]),
  );
}
