import { addAll, by, groupBy } from '../../../base/core/collections.ts';
import { UNKNOWN_KEY } from '../../../base/core/key-pair.ts';
import { quoted, quotedNames, shortened } from '../../../base/core/words.ts';
import { REMOTE_CLUSTER_LABEL, TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import type { ClusterSpec, OffloadingEntry, SharingEntry, Topology } from '../../../base/schema-types/topology.ts';
import type {
  RecordedAuthentication,
  RecordedIdentities,
  RecordedKey,
} from '../../../fleet/sharing/recorded-inputs.ts';
import type { Identity } from '../../../fleet/sharing/shared-model.ts';
import { isJsonMap, type Json, jsonAt, listAt } from '../../dumps/json.ts';
import type { ObservedCluster } from '../../facts/cluster.ts';
import type { ObservedOffloading } from '../../facts/sharing.ts';
import type { ImportFinding } from '../finding.ts';
import type { ImportedFleet } from '../infer-fleet.ts';
import { apiServerIn, chartSettings } from './chart-settings.ts';
import { consumerKey } from './consumer-key.ts';
import { type LiveLoan, liveApiServers, liveLoans, slicesOf } from './live-loan.ts';
import { loanAnswer, loanEntry } from './loan-entry.ts';
import {
  chartUnknown,
  halfKnown,
  loanFindings,
  loanLeftOut,
  offloadingLeftOut,
  selectorInOtherWords,
} from './sharing-findings.ts';

/** The loans of live clusters, for a topology and its files. */
interface ImportedSharing {
  readonly sharing: readonly SharingEntry[];
  readonly offloading: readonly OffloadingEntry[];
  /** By provider. */
  readonly apiServers: ReadonlyMap<string, NonNullable<ClusterSpec['apiServer']>>;
  readonly authentication: RecordedAuthentication;
  readonly identities: RecordedIdentities;
  readonly findings: readonly ImportFinding[];
}

/** @param declared clusters of the topology */
export function inferSharing(clusters: readonly ObservedCluster[], declared: ReadonlySet<string>): ImportedSharing {
  const all = liveLoans(clusters);
  const findings: ImportFinding[] = [];
  const known = all.filter((it) => declared.has(it.consumer) && declared.has(it.provider));
  for (const it of all)
    if (!declared.has(it.consumer) || !declared.has(it.provider)) addAll(findings, unknownPartner(it));
  const sharing: SharingEntry[] = [];
  const loans: LiveLoan[] = [];
  const identities = new Map<string, Map<string, Identity>>();
  const back = new Map(known.map((it) => [`${it.provider}/${it.consumer}`, it]));
  for (const loan of known) {
    const { entry, slices, findings: found } = loanEntry(loan, refusedNames(loan, back));
    addAll(findings, found);
    if (entry === null) continue;
    sharing.push(entry);
    loans.push(loan);
    addAll(findings, loanFindings(loan, slices));
    const answer = loanAnswer(loan);
    addAll(findings, answer.findings);
    if (answer.identity === null) continue;
    const byProvider = identities.get(loan.consumer) ?? new Map<string, Identity>();
    identities.set(loan.consumer, byProvider.set(loan.provider, answer.identity));
  }
  addAll(findings, partnersWithoutDump(loans));
  const authentication = new Map<string, RecordedKey | typeof UNKNOWN_KEY>();
  for (const [consumer, own] of groupBy(loans, (it) => [it.consumer])) {
    const { recorded, findings: found } = consumerKey(consumer, own);
    addAll(findings, found);
    // Every consumer has a key, even if no provider shows it.
    authentication.set(consumer, recorded ?? UNKNOWN_KEY);
  }
  const offloading = inferOffloading(clusters, { all, loans });
  addAll(findings, offloading.findings);
  return {
    sharing,
    offloading: offloading.entries,
    apiServers: liveApiServers(loans),
    authentication,
    identities,
    findings,
  };
}

/** Reports a partner that is neither dumped nor known by a link. */
function* unknownPartner({ consumer, provider, borrower, lender }: LiveLoan): Iterable<ImportFinding> {
  const [tenant, identity] = [lender?.tenants[0], borrower?.identities[0]];
  const why = (other: string): string => `nothing is known of ${quoted(other)}, so the loan is left out of \`sharing\``;
  if (tenant !== undefined) yield loanLeftOut({ kind: 'Tenant', cluster: provider, ...tenant }, why(consumer));
  else if (identity !== undefined)
    yield loanLeftOut({ kind: 'Identity', cluster: consumer, ...identity }, why(provider));
}

/**
 * Returns the slice names that both directions of a pair have: each is copied into the other's namespace, so one of
 * them was never copied. Source: liqotech/liqo@v1.2.0 internal/crdReplicator.
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

/** Reports the partners without a dump, with one message per cluster. */
function partnersWithoutDump(loans: readonly LiveLoan[]): readonly ImportFinding[] {
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
  /** The loans of the topology. */
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

/** A namespace is offloaded only to virtual nodes. */
const hasNode = ({ borrower }: LiveLoan): boolean =>
  borrower !== null && borrower.slices.length + borrower.virtualNodes.length > 0;

/** An imported fleet with its loans, and their records in the files beside the topology. */
export interface SharedFleet extends ImportedFleet, Pick<ImportedSharing, 'authentication' | 'identities'> {}

export function withSharing(fleet: ImportedFleet, observed: readonly ObservedCluster[]): SharedFleet {
  const { topology } = fleet;
  const declared = Object.entries(topology.clusters ?? {});
  const found = inferSharing(observed, new Set(declared.map(([name]) => name)));
  const { sharing, offloading, apiServers, authentication, identities, findings } = found;
  const byName = new Map(observed.map((it) => [it.cluster, it]));
  const clusters = declared.map(([name, spec]) => {
    const settings = chartSettingsOf(byName.get(name), apiServers.get(name));
    return [name, Object.keys(settings).length === 0 ? spec : { ...spec, ...settings }] as const;
  });
  const shared: Topology = {
    ...topology,
    clusters: Object.fromEntries(clusters),
    ...(sharing.length === 0 ? {} : { sharing: [...sharing] }),
    ...(offloading.length === 0 ? {} : { offloading: [...offloading] }),
  };
  const partners = new Set(sharing.flatMap((it) => [String(it.consumer), String(it.provider)]));
  const unknown = observed.filter((it) => partners.has(it.cluster) && isUnknown(it)).map((it) => it.cluster);
  return {
    ...fleet,
    topology: shared,
    authentication,
    identities,
    findings: [...fleet.findings, ...findings, ...chartUnknown(unknown)],
  };
}

const isUnknown = ({ sharing: { chart } }: ObservedCluster): boolean => Object.values(chart).some((it) => it === null);

/** Returns the chart values of a cluster; if they are unknown, the API server in the answers to its consumers. */
function chartSettingsOf(cluster: ObservedCluster | undefined, answered: ClusterSpec['apiServer']): ClusterSpec {
  const chart = cluster?.sharing.chart;
  const manager = chart?.manager ?? null;
  const apiServer = manager === null ? answered : apiServerIn(manager);
  return { ...(apiServer === undefined ? {} : { apiServer }), ...(chart === undefined ? {} : chartSettings(chart)) };
}

interface ImportedOffloading {
  /** `null` for one that a topology cannot express. */
  readonly entry: OffloadingEntry | null;
  readonly findings: readonly ImportFinding[];
}

interface Lenders {
  /** The providers whose loans are in the topology. */
  readonly written: ReadonlySet<string>;
  /** The providers of the live cluster. */
  readonly live: ReadonlySet<string>;
  /** `provider/namespace` of every existing remote namespace. */
  readonly taken: Set<string>;
}

/** Converts an offloaded namespace into an entry of `offloading`. */
function offloadingEntry(
  { cluster, liqoNamespace, sharing }: ObservedCluster,
  offloading: ObservedOffloading,
  { written, live, taken }: Lenders,
): ImportedOffloading {
  const { namespace } = offloading;
  const object = { kind: 'NamespaceOffloading', cluster, ...offloading };
  const leftOut = (why: string): ImportedOffloading => ({
    entry: null,
    findings: [offloadingLeftOut(object, `it is left out, because ${why}`)],
  });
  if (isOfSystem(namespace, liqoNamespace)) return leftOut('its namespace is one of Kubernetes or Liqo');
  const remote = remoteNameOf(offloading, cluster);
  if (!remote.ok) return leftOut(remote.why);
  const selected = selectedBy(offloading, live);
  if (selected === undefined)
    return leftOut('its selector says something else than clusters, and no status shows which');
  const unknown = selected.providers.filter((it) => !written.has(it));
  if (unknown.length > 0)
    return leftOut(`it is offloaded to ${quotedNames(unknown.slice(0, 3))}, of which no loan is in the topology`);
  const [first, ...more] = selected.providers;
  if (first === undefined) return leftOut('it selects no provider, and an entry selects at least one');
  const ids = selected.providers.map((it) => `${it}/${remote.name}`);
  if (ids.some((it) => taken.has(it))) return leftOut(`another one is called ${quoted(remote.name)} there already`);
  for (const it of ids) taken.add(it);
  const entry: OffloadingEntry = {
    cluster,
    namespace,
    ...(selected.isEvery ? {} : { to: [first, ...more] }),
    ...(offloading.pods === 'Local' || offloading.pods === 'Remote' ? { pods: offloading.pods } : {}),
    ...(remote.chosen === undefined ? {} : { remoteName: remote.chosen }),
    ...(isOfGit(sharing.namespaces.get(namespace)) ? {} : { createNamespace: false }),
  };
  const names = quotedNames(selected.providers.slice(0, 3));
  const why = `its selector is not the one that weft writes: now it selects ${names}, then by name`;
  return { entry, findings: selected.isOurs ? [] : [selectorInOtherWords(object, why)] };
}

/** The rule `sharing/system-namespace` uses the same namespaces. */
const isOfSystem = (namespace: string, liqo: string | null): boolean =>
  namespace.startsWith('kube-') || namespace === (liqo ?? 'liqo') || namespace.startsWith(TENANT_NAMESPACE_PREFIX);

/** Source: kubernetes/kubernetes@v1.32.0 pkg/controlplane/controller/systemnamespaces/system_namespaces_controller.go. */
const EVERYWHERE: ReadonlySet<string> = new Set(['default', 'liqo']);
const LONGEST_NAMESPACE = 63;

type RemoteName =
  | { readonly ok: true; readonly name: string; readonly chosen: string | undefined }
  | { readonly ok: false; readonly why: string };

function remoteNameOf({ namespace, mapping, remoteName }: ObservedOffloading, cluster: string): RemoteName {
  const chosen = mapping === 'DefaultName' ? undefined : mapping === 'SelectedName' ? remoteName : namespace;
  if (chosen === null) return { ok: false, why: 'it has no remoteNamespaceName' };
  // The strategy is immutable, and for this name weft writes the other one.
  if (mapping === 'SelectedName' && chosen === namespace)
    return { ok: false, why: 'it selects the name that the namespace has, for which weft writes EnforceSameName' };
  const name = chosen ?? `${namespace}-${cluster}`;
  if (name.length > LONGEST_NAMESPACE) return { ok: false, why: `${quoted(shortened(name, 70))} is too long` };
  if (EVERYWHERE.has(name) || isOfSystem(name, null))
    return { ok: false, why: `providers have a namespace ${quoted(name)} of their own` };
  return { ok: true, name, chosen };
}

interface Selected {
  readonly providers: readonly string[];
  /** True when all providers of the cluster are selected, now and later. */
  readonly isEvery: boolean;
  /** True when weft writes the same selector. */
  readonly isOurs: boolean;
}

/** `undefined` for a selector that cannot be expressed. */
function selectedBy({ terms, selected }: ObservedOffloading, live: ReadonlySet<string>): Selected | undefined {
  if (terms === null || terms.length === 0) return { providers: [...live].sort(), isEvery: true, isOurs: false };
  const named = terms.map(idsInTerm);
  const ids = named.flatMap((it) => it ?? []);
  if (named.every((it) => it !== undefined)) {
    const providers = [...new Set(ids)].sort();
    return { providers, isEvery: false, isOurs: terms.length === 1 && providers.join() === ids.join() };
  }
  if (selected.size === 0) return undefined;
  const providers = [...selected].flatMap(([provider, isSelected]) => (isSelected ? [provider] : []));
  return { providers: providers.sort(), isEvery: false, isOurs: false };
}

/** Returns the IDs of a term that selects clusters by ID only. */
function idsInTerm(term: Json): readonly string[] | undefined {
  const [only, ...more] = listAt(term, 'matchExpressions');
  if (!isJsonMap(only) || more.length > 0 || jsonAt(term, 'matchFields') !== undefined) return undefined;
  const { key, operator, values } = only;
  if (key !== REMOTE_CLUSTER_LABEL || operator !== 'In' || !Array.isArray(values)) return undefined;
  return (values as readonly Json[]).filter((it) => typeof it === 'string');
}

/** True when a bundle of weft created the namespace, with annotations against pruning. */
const isOfGit = (annotations: Readonly<Record<string, string>> | undefined): boolean =>
  annotations?.['kustomize.toolkit.fluxcd.io/prune'] === 'disabled' &&
  annotations['argocd.argoproj.io/sync-options']?.includes('Prune=false') === true;
