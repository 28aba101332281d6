import { quoted, shortened } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { issuerAmong } from '../../certificates/issuer-among.ts';
import { controlPlaneSubject } from '../../certificates/request-body.ts';
import { recordedAnswers } from '../recorded-answers.ts';
import type { SharingRule } from './sharing-rule.ts';

/** Names that Liqo gives are short. */
const SHOWN_CHARACTERS = 120;

/**
 * A recorded certificate is one for clients with the names of its consumer, and no CA that is recorded with it denies it.
 * Another issuer than these is no mistake: the CA of an API server need not be the one that signs for clients.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const answersAreForTheirConsumer: SharingRule = function* ({ inputs }) {
  for (const answer of recordedAnswers(inputs)) {
    const why = faultOf(answer);
    if (why === undefined) continue;
    yield diagnostic(
      'identities/wrong-certificate',
      answer.text.at,
      `the recorded answer of ${quoted(answer.provider)} to ${quoted(answer.consumer)} cannot be used: ${why}`,
      { hint: 'restore it from git, or remove it and run "weft identities collect"' },
    );
  }
};

function faultOf({ consumer, certificate, authorities }: ReturnType<typeof recordedAnswers>[number]) {
  if (certificate === undefined) return '`certificate` is no certificate in PEM, encoded as base64';
  const wanted = controlPlaneSubject(consumer);
  const names = certificate.subject.map(({ type, value }) => `${type}=${value}`).join(', ');
  const expected = `O=${wanted.organization}, CN=${wanted.commonName}`;
  if (names !== expected)
    return `the certificate is for ${shortened(names, SHOWN_CHARACTERS)}; it must be for ${expected}`;
  if (!certificate.isForClients) return 'the certificate is not for clients';
  if (authorities?.length === 0) return '`ca` contains no certificate in PEM, encoded as base64';
  return issuerAmong(certificate, authorities ?? []) === 'wrong-signature'
    ? 'the certificate names an authority of `ca` as its issuer, which has not signed it'
    : undefined;
}
