import { groupBy } from '../../base/core/group-by.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { inSourceOrder } from '../../base/diagnostics/in-source-order.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Span } from '../../base/source/source.ts';
import { applyAcceptances } from './apply-acceptances.ts';
import type { Declaration } from './declaration.ts';
import { readDeclaration } from './read-declaration.ts';
import { acceptancesDiffer } from './rules/acceptances-differ.ts';
import { alertsNeedThePing } from './rules/alerts-need-the-ping.ts';
import { bundlesHaveTheirOwnDestination } from './rules/bundles-have-their-own-destination.ts';
import { carveLiesInPools } from './rules/carve-lies-in-pools.ts';
import { clusterNamesAreDnsLabels } from './rules/cluster-names-are-dns-labels.ts';
import { clusterNamesLeaveFileNamesFree } from './rules/cluster-names-leave-file-names-free.ts';
import { clustersReserveNetworks } from './rules/clusters-reserve-networks.ts';
import { cnisLeaveLiqoAlone } from './rules/cnis-leave-liqo-alone.ts';
import { fleetNameIsADnsLabel } from './rules/fleet-name-is-a-dns-label.ts';
import { gatewaysHaveOneAddress } from './rules/gateways-have-one-address.ts';
import { gatewaysOnEksCanBeDialled } from './rules/gateways-on-eks-can-be-dialled.ts';
import { gitopsNamesARepository } from './rules/gitops-names-a-repository.ts';
import { linkOptionsAreInRange } from './rules/link-options-are-in-range.ts';
import { linksCanBeWritten } from './rules/links-can-be-written.ts';
import { linksJoinTwoClusters } from './rules/links-join-two-clusters.ts';
import { linksNameKnownClusters } from './rules/links-name-known-clusters.ts';
import { loansCanBeWritten } from './rules/loans-can-be-written.ts';
import { namesAppearOnceInLists } from './rules/names-appear-once-in-lists.ts';
import { namespaceNamesLeaveFileNamesFree } from './rules/namespace-names-leave-file-names-free.ts';
import { nodePortsNeedNoFlag } from './rules/node-ports-need-no-flag.ts';
import { ownCidrsAreDisjoint } from './rules/own-cidrs-are-disjoint.ts';
import { ownCidrsHoldACluster } from './rules/own-cidrs-hold-a-cluster.ts';
import { platformsReserveNodeSubnets } from './rules/platforms-reserve-node-subnets.ts';
import { platformsRunAllOfLiqo } from './rules/platforms-run-all-of-liqo.ts';
import { platformsRunTheNetwork } from './rules/platforms-run-the-network.ts';
import { podAndServiceCidrsAreNotExchanged } from './rules/pod-and-service-cidrs-are-not-exchanged.ts';
import { poolsContainOwnCidrs } from './rules/pools-contain-own-cidrs.ts';
import { releasesFitSettings } from './rules/releases-fit-settings.ts';
import { renamesNameFormerClusters } from './rules/renames-name-former-clusters.ts';
import { secretNamesHaveRoomForPeers } from './rules/secret-names-have-room-for-peers.ts';
import { sendersKeepTheirAddresses } from './rules/senders-keep-their-addresses.ts';
import type { TopologyRule } from './rules/topology-rule.ts';
import { checkReplacedTexts } from './texts/check-replaced-texts.ts';
import { checkTexts } from './texts/check-texts.ts';
import type { TopologyDocument } from './topology-document.ts';

const RULES: readonly TopologyRule[] = [
  fleetNameIsADnsLabel,
  clusterNamesAreDnsLabels,
  clusterNamesLeaveFileNamesFree,
  namespaceNamesLeaveFileNamesFree,
  renamesNameFormerClusters,
  linksNameKnownClusters,
  linksJoinTwoClusters,
  linksCanBeWritten,
  loansCanBeWritten,
  namesAppearOnceInLists,
  acceptancesDiffer,
  linkOptionsAreInRange,
  secretNamesHaveRoomForPeers,
  releasesFitSettings,
  ownCidrsAreDisjoint,
  ownCidrsHoldACluster,
  podAndServiceCidrsAreNotExchanged,
  poolsContainOwnCidrs,
  carveLiesInPools,
  bundlesHaveTheirOwnDestination,
  gatewaysHaveOneAddress,
  nodePortsNeedNoFlag,
  alertsNeedThePing,
  clustersReserveNetworks,
  platformsReserveNodeSubnets,
  gatewaysOnEksCanBeDialled,
  platformsRunTheNetwork,
  platformsRunAllOfLiqo,
  sendersKeepTheirAddresses,
  cnisLeaveLiqoAlone,
  gitopsNamesARepository,
];

/** Reads every text and applies every rule. Reports all mistakes that the topology alone shows, in source order. */
export function checkTopology(document: TopologyDocument): Outcome<Declaration> {
  const { declaration, found } = readDeclaration(document);
  const replaced = checkReplacedTexts(document.reading);
  const written = document.reading.at('defaults');
  const defaults = written.isPresent ? written.span : undefined;
  const all = [...found, ...checkTexts(document.reading), ...RULES.flatMap((rule) => [...rule(declaration)])];
  const places = new Set(all.map(placeOf));
  const others = replaced.filter((it) => !places.has(placeOf(it)));
  const inOrder = inSourceOrder(withoutRepetitions([...all, ...others], defaults), [document.source]);
  // Later stages may report what is accepted, too.
  return applyAcceptances(outcome(declaration, inOrder), { acceptances: declaration.acceptances, isComplete: false });
}

const placeOf = ({ code, span }: Diagnostic): string => `${code} ${span.source.path} ${span.start} ${span.end}`;

/** A mistake in `defaults` is found again in every cluster, and reported once, about all of them. */
function withoutRepetitions(found: readonly Diagnostic[], defaults: Span | undefined): readonly Diagnostic[] {
  const isInDefaults = ({ source, start }: Span): boolean =>
    source === defaults?.source && start >= defaults.start && start < defaults.end;
  const groups = groupBy(found, (it) => [`${placeOf(it)} ${isInDefaults(it.span) ? '' : it.message}`]);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first?.about === undefined || others.length === 0) return first ?? [];
    return { ...first, about: [...first.about, ...others.flatMap((it) => it.about ?? [])] };
  });
}
