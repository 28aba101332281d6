import { groupBy } from '../../base/core/group-by.ts';
import { sortedUnique } from '../../base/core/order.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { RecordedIdentities } from '../../fleet/sharing/read-identities.ts';
import type { Identity, Share } from '../../fleet/sharing/shared-model.ts';
import { certificatesIn } from './certificates-in.ts';
import { collectPair, type PairOutcome, type PairResult, type ProviderAnswers } from './collect-pair.ts';
import { answerOfAnother, noLoan, secretInAnswer } from './identity-diagnostics.ts';

/** What became of one pair. */
export interface CollectedPair {
  readonly consumer: string;
  readonly provider: string;
  readonly result: PairResult;
  /** End of the recorded certificate, as `2026-01-01T00:00:00Z`; `null` if none is recorded, or it cannot be read. */
  readonly notAfter: string | null;
}

interface Collected {
  /** What the identities file has to contain now. */
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
  /** Everything that is recorded, also for pairs that are no loan any more. */
  readonly recorded: RecordedIdentities;
  readonly providers: readonly ProviderAnswers[];
  /** Seconds since 1970. */
  readonly nowSeconds: number;
}

/**
 * The answers of providers, together with those that are recorded already. A pair that cannot be recorded keeps no other pair
 * from it; a secret in any answer, needed or not, refuses all of them.
 */
export function collectAnswers({ shares, loans, recorded, providers, nowSeconds }: Collection): Collected {
  const secrets = [...providers].flatMap(({ provider, answers }) =>
    answers.flatMap((it) => (it.hasSecret ? [secretInAnswer(it.at(), { consumer: it.consumer, provider })] : [])),
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
    diagnostics.push(...outcome.diagnostics);
    if (outcome.identity !== null) {
      const answers = identities.get(consumer) ?? new Map<string, Identity>();
      identities.set(consumer, answers.set(provider, outcome.identity));
    }
    const [certificate] = certificatesIn(outcome.identity?.certificate ?? '');
    return { consumer, provider, result: outcome.result, notAfter: certificate?.notAfter ?? null };
  });
  diagnostics.push(...providers.flatMap((it) => [...tenantsOfNoLoan(it, loans)]));
  return { identities, pairs, diagnostics };
}

interface PairAnswer {
  readonly share: Share;
  readonly given: ProviderAnswers | undefined;
  readonly outcome: PairOutcome;
}

/** A run with a secret records nothing. */
const asRecorded = (it: PairAnswer): PairAnswer =>
  CHANGES.has(it.outcome.result)
    ? { ...it, outcome: { ...it.outcome, result: 'refused', identity: it.share.identity } }
    : it;

const CHANGES: ReadonlySet<PairResult> = new Set(['new', 'renewed']);

/** Two providers never sign one certificate, so the dump of one of them was given for the other. */
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
