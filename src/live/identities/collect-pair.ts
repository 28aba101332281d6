import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { secondsOf } from '../../fleet/certificates/instant.ts';
import type { Identity, Share } from '../../fleet/sharing/shared-model.ts';
import { namespaceOfConsumer } from '../../fleet/sharing/tenant-namespaces.ts';
import { certificatesIn } from './certificates-in.ts';
import { checkAnswer, isKeyOf } from './check-answer.ts';
import { noTenant, notSigned, olderAnswer } from './identity-diagnostics.ts';
import { identityOf } from './identity-of.ts';
import type { TenantAnswer } from './tenant-answer.ts';

/** What was read of one provider. */
export interface ProviderAnswers {
  readonly provider: string;
  readonly at: Span;
  readonly answers: readonly TenantAnswer[];
}

export type PairResult = 'new' | 'renewed' | 'unchanged' | 'older' | 'not-signed' | 'refused' | 'not-asked';

export interface PairOutcome {
  readonly result: PairResult;
  /** What is recorded from now on. */
  readonly identity: Identity | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What becomes of one pair: a recorded answer goes only for a newer one that passes every check. */
export function collectPair(share: Share, given: ProviderAnswers | undefined, nowSeconds: number): PairOutcome {
  const { identity } = share;
  if (given === undefined) return { result: 'not-asked', identity, diagnostics: [] };
  const pair = { consumer: share.consumer.name, provider: share.provider.name };
  const answer = given.answers.find((it) => it.consumer === pair.consumer);
  if (answer === undefined) return { result: 'not-signed', identity, diagnostics: [noTenant(given.at, pair)] };
  const { params } = answer;
  // Reported by itself: a secret takes the place of the certificate.
  if (answer.hasSecret) return { result: 'refused', identity, diagnostics: [] };
  if (params === null)
    return { result: 'not-signed', identity, diagnostics: [notSigned(answer.at(), pair, namespaceOfConsumer(share))] };
  const diagnostics = [...checkAnswer(share, { ...answer, params }, nowSeconds)];
  if (diagnostics.length > 0) return { result: 'refused', identity, diagnostics };
  const found = identityOf(params);
  if (identity === null) return { result: 'new', identity: found, diagnostics };
  if (isEqual(found, identity)) return { result: 'unchanged', identity, diagnostics };
  const recordedAt = startOf(identity, share);
  if (recordedAt === null || secondsOf(startOf(found, share) ?? '') >= secondsOf(recordedAt))
    return { result: 'renewed', identity: found, diagnostics };
  return { result: 'older', identity, diagnostics: [olderAnswer(answer.at(), pair, recordedAt)] };
}

const FIELDS = ['apiServer', 'ca', 'certificate', 'proxyURL'] as const;

const isEqual = (a: Identity, b: Identity): boolean => FIELDS.every((it) => a[it] === b[it]);

/** From when a certificate is valid; `null` for one that is not of the consumer's key, and worth nothing. */
function startOf({ certificate }: Identity, { key }: Share): string | null {
  const [found] = certificatesIn(certificate);
  return found !== undefined && isKeyOf(key, found.publicKey) ? found.notBefore : null;
}
