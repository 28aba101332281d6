import { by } from '../../base/core/collections.ts';
import { render } from '../../base/text/render.ts';
import type { RecordedIdentities } from '../../fleet/sharing/recorded-inputs.ts';

/** Prints the identities file: sorted, with one line per field, so that pull requests rarely conflict. */
export function printIdentitiesFile(identities: RecordedIdentities): string {
  const consumers = sorted(identities)
    .filter(([, answers]) => answers.size > 0)
    .map(([consumer, answers]) => ({
      consumer: JSON.stringify(consumer),
      answers: sorted(answers).map(([provider, it]) => ({
        provider: JSON.stringify(provider),
        apiServer: JSON.stringify(it.apiServer),
        ca: it.ca === null ? undefined : JSON.stringify(it.ca),
        certificate: JSON.stringify(it.certificate),
        proxyURL: it.proxyURL === null ? undefined : JSON.stringify(it.proxyURL),
      })),
    }));
  return render('identities/identities-file', { consumers, none: consumers.length === 0 });
}

const sorted = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(by(([name]) => name));
