import { sortedUnique } from '../core/order.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { RecordedIdentities } from '../sharing/read-identities.ts';
import type { Identity, Share } from '../sharing/shared-model.ts';
import { certificatesIn } from './certificates-in.ts';
import { collectPair, type PairResult, type ProviderAnswers } from './collect-pair.ts';
import { noLoan, secretInAnswer } from './identity-diagnostics.ts';

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
  const pairs = shares.map((share): CollectedPair => {
    const [consumer, provider] = [share.consumer.name, share.provider.name];
    const given = providers.find((it) => it.provider === provider);
    const outcome = collectPair(share, given, nowSeconds);
    diagnostics.push(...outcome.diagnostics);
    if (outcome.identity !== null) {
      const answers = identities.get(consumer) ?? new Map<string, Identity>();
      identities.set(consumer, answers.set(provider, outcome.identity));
    }
    const [certificate] = certificatesIn(outcome.identity?.certificate ?? '');
    return { consumer, provider, result: outcome.result, notAfter: certificate?.notAfter ?? null };
  });
  diagnostics.push(...providers.flatMap((it) => [...tenantsOfNoLoan(it, loans)]));
  return secrets.length > 0 ? { identities: recorded, pairs, diagnostics } : { identities, pairs, diagnostics };
}

function* tenantsOfNoLoan({ provider, at, answers }: ProviderAnswers, loans: readonly Share[]): Iterable<Diagnostic> {
  const lent = new Set(loans.filter((it) => it.provider.name === provider).map((it) => it.consumer.name));
  const others = sortedUnique(answers.map((it) => it.consumer).filter((it) => !lent.has(it)));
  if (others.length > 0) yield noLoan(at, provider, others);
}
