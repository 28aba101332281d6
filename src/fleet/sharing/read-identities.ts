import type { IdentitiesDocument } from '../topology/identities-document.ts';
import type { Identity } from './shared-model.ts';

/** What providers answered, by consumer, then by provider. */
export type RecordedIdentities = ReadonlyMap<string, ReadonlyMap<string, Identity>>;

/** The rules check the certificates. */
export function readIdentities(document: IdentitiesDocument | undefined): RecordedIdentities {
  const consumers = document?.reading.at('identities').entries() ?? [];
  return new Map(
    consumers.map(({ name, value }) => [
      name.value,
      new Map(
        value.entries().map(({ name: provider, value: answer }): [string, Identity] => [
          provider.value,
          {
            apiServer: answer.at('apiServer').orDefault('').value,
            ca: answer.at('ca').scalar()?.value ?? null,
            certificate: answer.at('certificate').orDefault('').value,
            proxyURL: answer.at('proxyURL').scalar()?.value ?? null,
          },
        ]),
      ),
    ]),
  );
}
