import type { Attribute } from '../certificates/distinguished-name.ts';
import { secondsOf } from '../certificates/instant.ts';
import { issuerAmong } from '../certificates/issuer-among.ts';
import { type PublicKey, readPublicKey } from '../certificates/public-key.ts';
import type { Certificate } from '../certificates/read-certificate.ts';
import { controlPlaneSubject } from '../certificates/request-body.ts';
import { decodeBase64 } from '../core/base64.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { AuthenticationKey, Share } from '../sharing/shared-model.ts';
import { namespaceOfConsumer } from '../sharing/tenant-namespaces.ts';
import { certificatesIn, textOfBase64 } from './certificates-in.ts';
import {
  type AnsweredPair,
  expired,
  otherApiServer,
  otherAuthority,
  otherKey,
  wrongCertificate,
} from './identity-diagnostics.ts';
import type { AnswerParams, TenantAnswer } from './tenant-answer.ts';

/** An answer of a provider that has signed. */
interface SignedAnswer extends TenantAnswer {
  readonly params: AnswerParams;
}

/** Everything that makes an answer unusable for its consumer; nothing for one that can be recorded. */
export function* checkAnswer(share: Share, answer: SignedAnswer, nowSeconds: number): Iterable<Diagnostic> {
  const pair: AnsweredPair = { consumer: share.consumer.name, provider: share.provider.name };
  const at = answer.at();
  if (!isKeyOf(share.key, keyOf(answer.publicKey))) yield otherKey(at, pair, 'the Tenant that');
  const [certificate] = certificatesIn(answer.params.certificate);
  if (certificate === undefined) yield wrongCertificate(at, pair, 'signedCRT is no certificate');
  else {
    const why = faultOf(certificate, pair, answer.params);
    if (why !== undefined) yield wrongCertificate(at, pair, why);
    if (!isKeyOf(share.key, certificate.publicKey)) yield otherKey(at, pair, 'the certificate that');
    if (secondsOf(certificate.notAfter) <= nowSeconds) {
      yield expired(at, pair, { notAfter: certificate.notAfter, namespace: namespaceOfConsumer(share) });
    }
  }
  yield* checkApiServer(share, answer, pair);
}

function faultOf(certificate: Certificate, { consumer }: AnsweredPair, { ca }: AnswerParams): string | undefined {
  const { organization, commonName } = controlPlaneSubject(consumer);
  const [first, second, ...more] = certificate.subject;
  if (!isAttribute(first, 'O', organization) || !isAttribute(second, 'CN', commonName) || more.length > 0)
    return `the certificate is for ${nameText(certificate.subject)}, and not for O=${organization}, CN=${commonName}`;
  if (!certificate.isForClients) return 'the certificate is not for clients';
  const authorities = certificatesIn(ca);
  if (ca !== '' && authorities.length === 0) return 'ca has no certificates';
  // The authority for clients may be another one than that of the API server, so only a wrong signature is a mistake.
  return issuerAmong(certificate, authorities) === 'wrong-signature'
    ? 'the certificate names an authority of ca as its issuer, which has not signed it'
    : undefined;
}

const isAttribute = (found: Attribute | undefined, type: string, value: string): boolean =>
  found?.type === type && found.value === value;

const nameText = (subject: readonly Attribute[]): string =>
  subject.length === 0 ? 'no name' : subject.map((it) => `${it.type}=${it.value}`).join(', ');

function* checkApiServer({ provider }: Share, { params, at }: SignedAnswer, pair: AnsweredPair): Iterable<Diagnostic> {
  const { apiServer, proxyURL } = params;
  if (!isURL(apiServer, /^https:$/)) yield wrongCertificate(at(), pair, 'apiServer is no URL with https');
  if (proxyURL !== '' && !isURL(proxyURL, /^https?:$/)) yield wrongCertificate(at(), pair, 'proxyURL is no URL');
  const declared = provider.apiServer;
  if (declared === null) return;
  if (declared.url !== apiServer) yield otherApiServer(at(), pair, apiServer, declared.url);
  const wanted = declared.trustedCA ? '' : declared.ca;
  if (wanted !== null && !isSameText(wanted, params.ca)) yield otherAuthority(at(), pair);
}

/** Without a password, which would be a secret: `scheme://host[:port][/path]`. */
const isURL = (text: string, scheme: RegExp): boolean => {
  const [, found = ''] = /^([a-z]+:)\/\/[^\s/@?#]+(?:\/[^\s@?#]*)?$/.exec(text) ?? [];
  return scheme.test(found);
};

const isSameText = (a: string, b: string): boolean => textOfBase64(a)?.trim() === textOfBase64(b)?.trim();

function keyOf(base64: string | undefined): PublicKey | undefined {
  return base64 === undefined ? undefined : readPublicKey(decodeBase64(base64).bytes);
}

/** Whether a key is the recorded one of the consumer. */
export function isKeyOf(recorded: AuthenticationKey | null, found: PublicKey | undefined): boolean {
  const key = keyOf(recorded?.publicKey);
  return found !== undefined && key !== undefined && found.spki.join() === key.spki.join();
}
