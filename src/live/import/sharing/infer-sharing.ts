import { groupBy } from '../../../base/core/group-by.ts';
import { by } from '../../../base/core/order.ts';
import { UNKNOWN_KEY } from '../../../base/core/unknown-key.ts';
import { quoted } from '../../../base/core/words.ts';
import type { ClusterSpec, OffloadingEntry, SharingEntry } from '../../../base/schema-types/topology.ts';
import type { RecordedAuthentication, RecordedKey } from '../../../fleet/sharing/read-authentication.ts';
import type { RecordedIdentities } from '../../../fleet/sharing/read-identities.ts';
import type { Identity } from '../../../fleet/sharing/shared-model.ts';
import type { ObservedCluster } from '../../observed/observed-cluster.ts';
import type { Finding } from '../finding.ts';
import { consumerKey } from './consumer-key.ts';
import { liveApiServers } from './live-api-servers.ts';
import { type LiveLoan, liveLoans, slicesOf } from './live-loan.ts';
import { loanAnswer } from './loan-answer.ts';
import { loanEntry } from './loan-entry.ts';
import { loanFindings } from './loan-findings.ts';
import { offloadingEntry } from './offloading-entry.ts';
import { halfKnown, loanLeftOut } from './sharing-findings.ts';

/** What live clusters lend to each other, as a topology and the files beside it say it. */
export interface ImportedSharing {
  readonly sharing: readonly SharingEntry[];
  readonly offloading: readonly OffloadingEntry[];
  /** By provider. */
  readonly apiServers: ReadonlyMap<string, NonNullable<ClusterSpec['apiServer']>>;
  readonly authentication: RecordedAuthentication;
  readonly identities: RecordedIdentities;
  readonly findings: readonly Finding[];
}

/** @param declared clusters that the topology has an entry for */
export function inferSharing(clusters: readonly ObservedCluster[], declared: ReadonlySet<string>): ImportedSharing {
  const all = liveLoans(clusters);
  const findings: Finding[] = [];
  const known = all.filter((it) => declared.has(it.consumer) && declared.has(it.provider));
  for (const it of all) if (!declared.has(it.consumer) || !declared.has(it.provider)) findings.push(...stranger(it));
  const sharing: SharingEntry[] = [];
  const loans: LiveLoan[] = [];
  const identities = new Map<string, Map<string, Identity>>();
  const back = new Map(known.map((it) => [`${it.provider}/${it.consumer}`, it]));
  for (const loan of known) {
    const { entry, slices, findings: found } = loanEntry(loan, refusedNames(loan, back));
    findings.push(...found);
    if (entry === null) continue;
    sharing.push(entry);
    loans.push(loan);
    findings.push(...loanFindings(loan, slices));
    const answer = loanAnswer(loan);
    findings.push(...answer.findings);
    if (answer.identity === null) continue;
    const byProvider = identities.get(loan.consumer) ?? new Map<string, Identity>();
    identities.set(loan.consumer, byProvider.set(loan.provider, answer.identity));
  }
  findings.push(...partnersWithoutDump(loans));
  const authentication = new Map<string, RecordedKey | typeof UNKNOWN_KEY>();
  for (const [consumer, own] of groupBy(loans, (it) => [it.consumer])) {
    const { recorded, findings: found } = consumerKey(consumer, own);
    findings.push(...found);
    // Every consumer has a key, also where no provider shows it.
    authentication.set(consumer, recorded ?? UNKNOWN_KEY);
  }
  const offloading = inferOffloading(clusters, { all, loans });
  findings.push(...offloading.findings);
  return {
    sharing,
    offloading: offloading.entries,
    apiServers: liveApiServers(loans),
    authentication,
    identities,
    findings,
  };
}

/** A partner that is neither dumped nor known by a link. */
function* stranger({ consumer, provider, borrower, lender }: LiveLoan): Iterable<Finding> {
  const [tenant, identity] = [lender?.tenants[0], borrower?.identities[0]];
  const why = (other: string): string => `nothing is known of ${quoted(other)}, so the loan is left out of \`sharing\``;
  if (tenant !== undefined) yield loanLeftOut({ kind: 'Tenant', cluster: provider, ...tenant }, why(consumer));
  else if (identity !== undefined)
    yield loanLeftOut({ kind: 'Identity', cluster: consumer, ...identity }, why(provider));
}

/**
 * Names of slices that the other direction of a pair has too: each is copied to where the other one is, so one of them has
 * never been. Source: liqotech/liqo@v1.2.0 internal/crdReplicator.
 */
function refusedNames(loan: LiveLoan, back: ReadonlyMap<string, LiveLoan>): ReadonlySet<string> {
  const other = back.get(`${loan.consumer}/${loan.provider}`);
  if (other === undefined) return new Set();
  const isAnswered = (it: LiveLoan): Set<string> =>
    new Set(slicesOf(it).flatMap((slice) => (slice.conditions.size > 0 ? [slice.name] : [])));
  const [here, there] = [isAnswered(loan), isAnswered(other)];
  const names = new Set(slicesOf(other).map((it) => it.name));
  const loses = (name: string): boolean =>
    here.has(name) === there.has(name) ? loan.consumer > loan.provider : there.has(name);
  return new Set(
    slicesOf(loan)
      .map((it) => it.name)
      .filter((it) => names.has(it) && loses(it)),
  );
}

/** One message for each cluster whose partners were not dumped. */
function partnersWithoutDump(loans: readonly LiveLoan[]): readonly Finding[] {
  const lent = groupBy(
    loans.filter((it) => it.borrower === null),
    (it) => [it.provider],
  );
  const borrowed = groupBy(
    loans.filter((it) => it.lender === null),
    (it) => [it.consumer],
  );
  return [
    ...[...lent].map(([provider, its]) =>
      halfKnown(
        provider,
        its.map((it) => it.consumer),
        'lends to it: slices are those of which it has copies, and namespaces that are offloaded are unknown',
      ),
    ),
    ...[...borrowed].map(([consumer, its]) =>
      halfKnown(
        consumer,
        its.map((it) => it.provider),
        'borrows from it: the key and the nonce that the provider knows are missing in the keys file; do not generate another key',
      ),
    ),
  ];
}

interface Loans {
  readonly all: readonly LiveLoan[];
  /** Those that are in the topology. */
  readonly loans: readonly LiveLoan[];
}

function inferOffloading(clusters: readonly ObservedCluster[], { all, loans }: Loans) {
  const providersOf = (its: readonly LiveLoan[]): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map([...groupBy(its, (it) => [it.consumer])].map(([id, of]) => [id, new Set(of.map((it) => it.provider))]));
  const [live, written] = [providersOf(all.filter(hasNode)), providersOf(loans)];
  const none: ReadonlySet<string> = new Set();
  const taken = new Set<string>();
  const found = clusters.toSorted(by((it) => it.cluster)).flatMap((it) =>
    it.sharing.offloadings.toSorted(by(({ namespace }) => namespace)).map((one) =>
      offloadingEntry(it, one, {
        live: live.get(it.cluster) ?? none,
        written: written.get(it.cluster) ?? none,
        taken,
      }),
    ),
  );
  return {
    entries: found.flatMap(({ entry }) => entry ?? []),
    findings: found.flatMap((it) => it.findings),
  };
}

/** A namespace goes to where a virtual node is. */
const hasNode = ({ borrower }: LiveLoan): boolean =>
  borrower !== null && borrower.slices.length + borrower.virtualNodes.length > 0;
