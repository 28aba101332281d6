import { addAll, groupBy, sortedEntries, sortedUnique } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { render } from '../../base/text/render.ts';
import { certificatesIn } from '../../fleet/certificates/certificate.ts';
import { secondsOf } from '../../fleet/certificates/der.ts';
import type { RecordedIdentities } from '../../fleet/sharing/recorded-inputs.ts';
import { type Identity, namespaceOfConsumer, type Share } from '../../fleet/sharing/shared-model.ts';
import { answerOfAnother, noLoan, noTenant, notSigned, olderAnswer, secretInAnswer } from './identity-diagnostics.ts';
import { checkAnswer, identityOf, isKeyOf, type TenantAnswer } from './tenant-answer.ts';

/** The result for one consumer and provider. */
export interface CollectedPair {
  readonly consumer: string;
  readonly provider: string;
  readonly result: PairResult;
  /** The end of the recorded certificate, e.g. `2026-01-01T00:00:00Z`; `null` when none is recorded or readable. */
  readonly notAfter: string | null;
}

interface Collected {
  /** The new content of the identities file. */
  readonly identities: RecordedIdentities;
  /** By consumer, then by provider. */
  readonly pairs: readonly CollectedPair[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Collection {
  /** Pairs that need an answer. */
  readonly shares: readonly Share[];
  /** Every pair of the topology. */
  readonly loans: readonly Share[];
  /** All recorded identities, including those of pairs that are no longer a loan. */
  readonly recorded: RecordedIdentities;
  readonly providers: readonly ProviderAnswers[];
  /** Seconds since 1970. */
  readonly nowSeconds: number;
}

/**
 * Merges the answers of providers into the recorded ones. A pair that cannot be recorded does not affect the others,
 * but a secret in any answer, needed or not, rejects all of them.
 */
export function collectAnswers({ shares, loans, recorded, providers, nowSeconds }: Collection): Collected {
  const secrets = [...providers].flatMap(({ provider, answers }) =>
    answers.flatMap((it) =>
      it.params?.hasAccess ? [secretInAnswer(it.at(), { consumer: it.consumer, provider })] : [],
    ),
  );
  const identities = new Map([...recorded].map(([consumer, answers]) => [consumer, new Map(answers)]));
  const diagnostics: Diagnostic[] = [...secrets];
  const outcomes = shares.map((share) => {
    const given = providers.find((it) => it.provider === share.provider.name);
    return { share, given, outcome: collectPair(share, given, nowSeconds) };
  });
  const judged = secrets.length > 0 ? outcomes.map(asRecorded) : withoutTwins(outcomes);
  const pairs = judged.map(({ share, outcome }): CollectedPair => {
    const [consumer, provider] = [share.consumer.name, share.provider.name];
    addAll(diagnostics, outcome.diagnostics);
    if (outcome.identity !== null) {
      const answers = identities.get(consumer) ?? new Map<string, Identity>();
      identities.set(consumer, answers.set(provider, outcome.identity));
    }
    const [certificate] = certificatesIn(outcome.identity?.certificate ?? '');
    return { consumer, provider, result: outcome.result, notAfter: certificate?.notAfter ?? null };
  });
  addAll(
    diagnostics,
    providers.flatMap((it) => [...tenantsOfNoLoan(it, loans)]),
  );
  return { identities, pairs, diagnostics };
}

interface PairAnswer {
  readonly share: Share;
  readonly given: ProviderAnswers | undefined;
  readonly outcome: PairOutcome;
}

/** When an answer contains a secret, nothing is recorded. */
const asRecorded = (it: PairAnswer): PairAnswer =>
  CHANGES.has(it.outcome.result)
    ? { ...it, outcome: { ...it.outcome, result: 'refused', identity: it.share.identity } }
    : it;

const CHANGES: ReadonlySet<PairResult> = new Set(['new', 'renewed']);

/** Two providers never sign the same certificate, so one of the two dumps was given for the wrong provider. */
function withoutTwins(pairs: readonly PairAnswer[]): readonly PairAnswer[] {
  const byAnswer = groupBy(
    pairs.filter((it) => it.outcome.identity !== null),
    ({ share, outcome }) => [`${share.consumer.name} ${outcome.identity?.certificate}`],
  );
  const twinOf = new Map(
    [...byAnswer.values()].flatMap((all) => all.map((it, i) => [it, all[i === 0 ? 1 : 0]] as const)),
  );
  return pairs.map((it) => {
    const twin = twinOf.get(it);
    const { share, given, outcome } = it;
    if (twin === undefined || given === undefined || !CHANGES.has(outcome.result)) return it;
    const pair = { consumer: share.consumer.name, provider: share.provider.name };
    const diagnostics = [...outcome.diagnostics, answerOfAnother(given.at, pair, twin.share.provider.name)];
    return { share, given, outcome: { result: 'refused', identity: share.identity, diagnostics } };
  });
}

function* tenantsOfNoLoan({ provider, at, answers }: ProviderAnswers, loans: readonly Share[]): Iterable<Diagnostic> {
  const lent = new Set(loans.filter((it) => it.provider.name === provider).map((it) => it.consumer.name));
  const others = sortedUnique(answers.map((it) => it.consumer).filter((it) => !lent.has(it)));
  if (others.length > 0) yield noLoan(at, provider, others);
}

/** The answers read from one provider's dump. */
export interface ProviderAnswers {
  readonly provider: string;
  readonly at: Span;
  readonly answers: readonly TenantAnswer[];
}

type PairResult = 'new' | 'renewed' | 'unchanged' | 'older' | 'not-signed' | 'refused' | 'not-asked';

interface PairOutcome {
  readonly result: PairResult;
  /** The identity to record. */
  readonly identity: Identity | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the result of one pair. A recorded answer is replaced only by a newer one that passes every check. */
function collectPair(share: Share, given: ProviderAnswers | undefined, nowSeconds: number): PairOutcome {
  const { identity } = share;
  if (given === undefined) return { result: 'not-asked', identity, diagnostics: [] };
  const pair = { consumer: share.consumer.name, provider: share.provider.name };
  const answer = given.answers.find((it) => it.consumer === pair.consumer);
  if (answer === undefined) return { result: 'not-signed', identity, diagnostics: [noTenant(given.at, pair)] };
  const { params } = answer;
  // Reported separately: the secret replaces the certificate.
  if (params?.hasAccess) return { result: 'refused', identity, diagnostics: [] };
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

/** The start of a certificate's validity; `null` when it is not for the consumer's key, and so unusable. */
function startOf({ certificate }: Identity, { key }: Share): string | null {
  const [found] = certificatesIn(certificate);
  return found !== undefined && isKeyOf(key, found.publicKey) ? found.notBefore : null;
}

/** Prints the identities file: sorted, with one line per field, so that pull requests rarely conflict. */
export function printIdentitiesFile(identities: RecordedIdentities): string {
  const consumers = sortedEntries(identities)
    .filter(([, answers]) => answers.size > 0)
    .map(([consumer, answers]) => ({
      consumer: JSON.stringify(consumer),
      answers: sortedEntries(answers).map(([provider, it]) => ({
        provider: JSON.stringify(provider),
        apiServer: JSON.stringify(it.apiServer),
        ca: it.ca === null ? undefined : JSON.stringify(it.ca),
        certificate: JSON.stringify(it.certificate),
        proxyURL: it.proxyURL === null ? undefined : JSON.stringify(it.proxyURL),
      })),
    }));
  return render('identities/identities-file', { consumers, none: consumers.length === 0 });
}
