import { decodeBase64 } from '../../base/core/base64.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { secondsOf } from '../../fleet/certificates/instant.ts';
import { type PublicKey, readPublicKey } from '../../fleet/certificates/public-key.ts';
import type { AuthenticationKey, Share } from '../../fleet/sharing/shared-model.ts';
import { namespaceOfConsumer } from '../../fleet/sharing/tenant-namespaces.ts';
import { certificateFault, urlFaults } from './answer-faults.ts';
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
  const why = certificateFault(answer.params, pair.consumer);
  if (why !== undefined) yield wrongCertificate(at, pair, why);
  if (certificate !== undefined) {
    if (!isKeyOf(share.key, certificate.publicKey)) yield otherKey(at, pair, 'the certificate that');
    if (secondsOf(certificate.notAfter) <= nowSeconds) {
      yield expired(at, pair, { notAfter: certificate.notAfter, namespace: namespaceOfConsumer(share) });
    }
  }
  yield* checkApiServer(share, answer, pair);
}

function* checkApiServer({ provider }: Share, { params, at }: SignedAnswer, pair: AnsweredPair): Iterable<Diagnostic> {
  const { apiServer } = params;
  for (const why of urlFaults(params)) yield wrongCertificate(at(), pair, why);
  const declared = provider.apiServer;
  if (declared === null) return;
  if (declared.url !== apiServer) yield otherApiServer(at(), pair, apiServer, declared.url);
  const wanted = declared.trustedCA ? '' : declared.ca;
  if (wanted !== null && !isSameText(wanted, params.ca)) yield otherAuthority(at(), pair);
}

const isSameText = (a: string, b: string): boolean => textOfBase64(a)?.trim() === textOfBase64(b)?.trim();

function keyOf(base64: string | undefined): PublicKey | undefined {
  return base64 === undefined ? undefined : readPublicKey(decodeBase64(base64).bytes);
}

/** Whether a key is the recorded one of the consumer. */
export function isKeyOf(recorded: AuthenticationKey | null, found: PublicKey | undefined): boolean {
  const key = keyOf(recorded?.publicKey);
  return found !== undefined && key !== undefined && found.spki.join() === key.spki.join();
}
