import type { IdentitiesDocument } from '../../../fleet/topology/identities-document.ts';
import type { KeysDocument } from '../../../fleet/topology/keys-document.ts';

/** What the keys file records of a consumer. */
export function keysOfConsumers(document: KeysDocument | undefined) {
  return (consumer: string, provider: string) => {
    const found = document?.reading.at('authentication').at(consumer);
    // A text is in place of a key that exists and is not known here.
    if (!found?.isPresent || found.scalar() !== undefined) return null;
    // A provider may have a nonce of its own, with its signature.
    const own = found.at('providers').at(provider);
    const text = (key: 'publicKey' | 'nonce' | 'signature' | 'request'): string => found.at(key).scalar()?.value ?? '';
    return {
      publicKey: text('publicKey'),
      nonce: own.at('nonce').scalar()?.value ?? text('nonce'),
      signature: own.at('signature').scalar()?.value ?? text('signature'),
      request: text('request'),
      slices: found.at('slices').textMap(),
    };
  };
}

/** What the identities file records of the answer of a provider. */
export function answersOfProviders(document: IdentitiesDocument | undefined) {
  return (consumer: string, provider: string) => {
    const found = document?.reading.at('identities').at(consumer).at(provider);
    if (!found?.isPresent) return null;
    return {
      apiServer: found.at('apiServer').scalar()?.value ?? '',
      ca: found.at('ca').scalar()?.value ?? null,
      certificate: found.at('certificate').scalar()?.value ?? '',
      proxyURL: found.at('proxyURL').scalar()?.value ?? null,
    };
  };
}
