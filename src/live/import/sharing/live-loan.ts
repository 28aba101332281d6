import { byCodeUnit, mostCommon } from '../../../base/core/collections.ts';
import type { ClusterSpec } from '../../../base/schema-types/topology.ts';
import type { ObservedCluster } from '../../facts/cluster.ts';
import type {
  ObservedAnswer,
  ObservedIdentity,
  ObservedKubeconfig,
  ObservedNonce,
  ObservedSharing,
  ObservedTenant,
} from '../../facts/sharing.ts';
import type { ObservedSlice, ObservedVirtualNode } from '../../facts/slices.ts';

/** A loan in the objects of its two clusters. */
export interface LiveLoan {
  readonly consumer: string;
  readonly provider: string;
  /** `null` without a dump of the consumer. */
  readonly borrower: Borrower | null;
  /** `null` without a dump of the provider. */
  readonly lender: Lender | null;
}

/** The consumer's objects of a loan. */
interface Borrower {
  readonly identities: readonly ObservedIdentity[];
  readonly kubeconfigs: readonly ObservedKubeconfig[];
  readonly slices: readonly ObservedSlice[];
  readonly virtualNodes: readonly ObservedVirtualNode[];
  readonly externalSecrets: ObservedSharing['externalSecrets'];
}

/** The provider's objects of a loan. */
interface Lender {
  readonly tenants: readonly ObservedTenant[];
  readonly nonces: readonly ObservedNonce[];
  /** Copies of slices that the consumer sent. */
  readonly copies: readonly ObservedSlice[];
  /** By `namespace/name`. */
  readonly accounts: ObservedSharing['accounts'];
}

interface Draft {
  readonly identities: ObservedIdentity[];
  readonly kubeconfigs: ObservedKubeconfig[];
  readonly slices: ObservedSlice[];
  readonly virtualNodes: ObservedVirtualNode[];
  readonly tenants: ObservedTenant[];
  readonly nonces: ObservedNonce[];
  readonly copies: ObservedSlice[];
}

/** Returns every pair of clusters of which one has objects of a loan, by consumer, then by provider. */
export function liveLoans(clusters: readonly ObservedCluster[]): readonly LiveLoan[] {
  const sharingOf = new Map(clusters.map((it) => [it.cluster, it.sharing]));
  const drafts = new Map<string, Map<string, Draft>>();
  const of = (consumer: string, provider: string): Draft => {
    const byProvider = drafts.get(consumer) ?? new Map<string, Draft>();
    drafts.set(consumer, byProvider);
    const draft = byProvider.get(provider) ?? emptyDraft();
    byProvider.set(provider, draft);
    return draft;
  };
  for (const { cluster, sharing } of clusters) {
    for (const it of sharing.tenants) of(it.consumer, cluster).tenants.push(it);
    for (const it of sharing.identities) of(cluster, it.provider).identities.push(it);
    for (const it of sharing.virtualNodes) of(cluster, it.provider).virtualNodes.push(it);
    for (const it of sharing.slices) {
      if (it.consumer === null || it.provider === null) continue;
      const draft = of(it.consumer, it.provider);
      (it.isCopy ? draft.copies : draft.slices).push(it);
    }
    // These alone are no loan, because they stay when it ends.
    for (const it of sharing.nonces) drafts.get(it.consumer)?.get(cluster)?.nonces.push(it);
    for (const it of sharing.kubeconfigs) drafts.get(cluster)?.get(it.provider)?.kubeconfigs.push(it);
  }
  return sortedDrafts(drafts).map(([consumer, provider, it]) => {
    const [borrower, lender] = [sharingOf.get(consumer), sharingOf.get(provider)];
    return {
      consumer,
      provider,
      borrower: borrower === undefined ? null : { ...it, externalSecrets: borrower.externalSecrets },
      lender: lender === undefined ? null : { ...it, accounts: lender.accounts },
    };
  });
}

const emptyDraft = (): Draft => ({
  identities: [],
  kubeconfigs: [],
  slices: [],
  virtualNodes: [],
  tenants: [],
  nonces: [],
  copies: [],
});

const sortedDrafts = (drafts: ReadonlyMap<string, ReadonlyMap<string, Draft>>) =>
  [...drafts]
    .flatMap(([consumer, byProvider]) => [...byProvider].map(([provider, it]) => [consumer, provider, it] as const))
    .sort((a, b) => byCodeUnit(a[0], b[0]) || byCodeUnit(a[1], b[1]));

/** Returns the authentication of the consumer. */
export function authOf({ borrower, lender }: LiveLoan): 'handshake' | 'credentials' {
  const [tenant] = lender?.tenants ?? [];
  if (tenant !== undefined) return tenant.policy === 'TolerateNoHandshake' ? 'credentials' : 'handshake';
  const hasCredentials = borrower !== null && borrower.identities.length === 0 && borrower.kubeconfigs.length > 0;
  return hasCredentials ? 'credentials' : 'handshake';
}

/** The slices of a loan: the consumer's or, if only the provider was dumped, the copies. */
export const slicesOf = ({ borrower, lender }: LiveLoan): readonly ObservedSlice[] =>
  borrower?.slices ?? lender?.copies ?? [];

type ApiServerSpec = NonNullable<ClusterSpec['apiServer']>;

const ADDRESS = /^https:\/\/([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(\/[^\s?#]*)?$/;

/**
 * Infers the API servers of providers from most of their answers. Without an authority, the system's are trusted;
 * otherwise it is Liqo's default or one from the chart, which answers do not show.
 */
export function liveApiServers(loans: readonly LiveLoan[]): ReadonlyMap<string, ApiServerSpec> {
  const answers = new Map<string, ObservedAnswer[]>();
  for (const { provider, borrower, lender } of loans) {
    const answer = lender?.tenants[0]?.answer ?? borrower?.identities[0]?.answer ?? null;
    if (answer === null || answer.certificate === '' || !ADDRESS.test(answer.apiServer)) continue;
    const known = answers.get(provider);
    if (known === undefined) answers.set(provider, [answer]);
    else known.push(answer);
  }
  return new Map(
    [...answers].flatMap(([provider, all]) => {
      const usual = mostCommon(all, (it) => `${it.apiServer} ${it.ca === ''}`)?.value;
      return usual === undefined ? [] : [[provider, specOf(usual)] as const];
    }),
  );
}

const specOf = ({ apiServer, ca }: ObservedAnswer): ApiServerSpec =>
  ca === '' ? { address: apiServer, trustedCA: true } : apiServer;
