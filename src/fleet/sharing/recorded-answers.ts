import { decodeBase64 } from '../../base/core/base64.ts';
import type { Located } from '../../base/source/located.ts';
import { withoutNulls } from '../certificates/pem.ts';
import { type Certificate, readCertificates } from '../certificates/read-certificate.ts';
import type { IdentitiesDocument } from '../topology/identities-document.ts';
import type { SharingInputs } from './sharing-inputs.ts';

/** What the identities file has of one provider for one consumer, with the places of the texts. */
interface RecordedAnswer {
  readonly consumer: string;
  readonly provider: string;
  readonly text: Located<string>;
  /** `undefined` if the text is no certificate. */
  readonly certificate: Certificate | undefined;
  /** `null` where the system's authorities are trusted; empty if the text contains no certificate. */
  readonly authorities: readonly Certificate[] | null;
}

/** Several rules read the answers of one file, and certificates take time. */
const READ = new WeakMap<IdentitiesDocument, readonly RecordedAnswer[]>();

/** In the order of the file. */
export function recordedAnswers({ identities }: SharingInputs): readonly RecordedAnswer[] {
  if (identities === undefined) return [];
  const answers = READ.get(identities) ?? readAnswers(identities);
  READ.set(identities, answers);
  return answers;
}

const readAnswers = ({ reading }: IdentitiesDocument): readonly RecordedAnswer[] =>
  reading
    .at('identities')
    .entries()
    .flatMap(({ name: consumer, value: providers }) =>
      providers.entries().map(({ name: provider, value }) => {
        const text = value.at('certificate').orDefault('');
        const ca = value.at('ca').scalar();
        return {
          consumer: consumer.value,
          provider: provider.value,
          text,
          certificate: certificatesIn(text.value)[0],
          authorities: ca === undefined ? null : certificatesIn(ca.value),
        };
      }),
    );

function certificatesIn(base64: string): readonly Certificate[] {
  const { kind, bytes } = decodeBase64(base64);
  if (kind !== 'bytes') return [];
  const read = readCertificates(withoutNulls(bytes.map((it) => String.fromCharCode(it)).join('')));
  return read.kind === 'certificates' ? read.certificates : [];
}
