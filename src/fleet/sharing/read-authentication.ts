import { UNKNOWN_KEY } from '../../base/core/unknown-key.ts';
import type { KeysDocument } from '../topology/keys-document.ts';
import type { AuthenticationKey } from './shared-model.ts';

/** What the keys file records of the authentication key of each consumer; `unknown` for a key that is not known here. */
export type RecordedAuthentication = ReadonlyMap<string, RecordedKey | typeof UNKNOWN_KEY>;

/** Everything that is recorded of one consumer. */
export interface RecordedKey {
  readonly key: AuthenticationKey;
  /** Certificate requests by slice, base64 of the PEM. */
  readonly slices: ReadonlyMap<string, string>;
  /** Providers with a nonce of their own, which the same key has signed. */
  readonly providers?: ReadonlyMap<string, SignedNonce>;
}

type SignedNonce = Pick<AuthenticationKey, 'nonce' | 'signature'>;

/** By consumer. The rules check signatures and requests. */
export function readAuthentication(keys: KeysDocument | undefined): RecordedAuthentication {
  const consumers = keys?.reading.at('authentication').entries() ?? [];
  return new Map(
    consumers.map(({ name, value }): [string, RecordedKey | typeof UNKNOWN_KEY] => {
      if (value.scalar() !== undefined) return [name.value, UNKNOWN_KEY];
      const providers = value
        .at('providers')
        .entries()
        .map(({ name: provider, value: own }): [string, SignedNonce] => [
          provider.value,
          { nonce: own.at('nonce').orDefault('').value, signature: own.at('signature').orDefault('').value },
        ]);
      return [
        name.value,
        {
          key: {
            publicKey: value.at('publicKey').orDefault('').value,
            nonce: value.at('nonce').orDefault('').value,
            signature: value.at('signature').orDefault('').value,
            request: value.at('request').orDefault('').value,
          },
          slices: new Map(Object.entries(value.at('slices').textMap())),
          ...(providers.length === 0 ? {} : { providers: new Map(providers) }),
        },
      ];
    }),
  );
}
