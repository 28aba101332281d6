import { groupBy } from '../../base/core/collections.ts';
import { type Diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Span } from '../../base/source/source.ts';
import { applyAcceptances } from './acceptances.ts';
import { checkReplacedTexts, checkTexts } from './check-texts.ts';
import type { Declaration } from './declaration.ts';
import type { TopologyDocument } from './parse-topology.ts';
import { readDeclaration } from './read-declaration.ts';
import {
  alertsNeedThePing,
  gatewayAddressesNameNoCluster,
  gatewaysHaveOneAddress,
  gatewaysOnEksCanBeDialled,
  lostTunnelsAreNoticed,
  nodePortsNeedNoFlag,
  nodesBelongToOneCluster,
} from './rules/gateways.ts';
import { apiServersAreOfOneCluster, bundlesHaveTheirOwnDestination, gitopsNamesARepository } from './rules/gitops.ts';
import {
  linkOptionsAreInRange,
  linksCanBeWritten,
  linksJoinTwoClusters,
  linksNameKnownClusters,
  loansCanBeWritten,
  repeatedPartsCanBeWritten,
  rulesCanBeWritten,
  spokesHaveAHub,
} from './rules/links.ts';
import {
  acceptancesDiffer,
  clusterNamesAreDnsLabels,
  clusterNamesLeaveFileNamesFree,
  fleetNameIsADnsLabel,
  namesAppearOnceInLists,
  namespaceNamesLeaveFileNamesFree,
  renamesNameFormerClusters,
  secretNamesHaveRoomForPeers,
} from './rules/names.ts';
import {
  ownCidrsAreDisjoint,
  ownCidrsHoldACluster,
  podAndServiceCidrsAreNotExchanged,
  podCidrsArePrivate,
} from './rules/networks.ts';
import {
  clustersReserveNetworks,
  cnisLeaveLiqoAlone,
  platformsReserveNodeSubnets,
  platformsRunAllOfLiqo,
  platformsRunTheNetwork,
  platformsTakeTheirSettings,
  releasesFitSettings,
  sendersKeepTheirAddresses,
} from './rules/platforms.ts';
import { carveLiesInPools, poolsContainOwnCidrs } from './rules/pools.ts';
import type { TopologyRule } from './rules/topology-rule.ts';
import { amountsOfBytesHaveASuffix, countsAreModest, helmValuesAreInTheRelease } from './rules/values.ts';

const RULES: readonly TopologyRule[] = [
  fleetNameIsADnsLabel,
  clusterNamesAreDnsLabels,
  clusterNamesLeaveFileNamesFree,
  namespaceNamesLeaveFileNamesFree,
  renamesNameFormerClusters,
  linksNameKnownClusters,
  linksJoinTwoClusters,
  linksCanBeWritten,
  rulesCanBeWritten,
  loansCanBeWritten,
  repeatedPartsCanBeWritten,
  namesAppearOnceInLists,
  acceptancesDiffer,
  linkOptionsAreInRange,
  secretNamesHaveRoomForPeers,
  releasesFitSettings,
  helmValuesAreInTheRelease,
  ownCidrsAreDisjoint,
  ownCidrsHoldACluster,
  podAndServiceCidrsAreNotExchanged,
  podCidrsArePrivate,
  poolsContainOwnCidrs,
  carveLiesInPools,
  bundlesHaveTheirOwnDestination,
  apiServersAreOfOneCluster,
  gatewaysHaveOneAddress,
  gatewayAddressesNameNoCluster,
  nodesBelongToOneCluster,
  nodePortsNeedNoFlag,
  alertsNeedThePing,
  lostTunnelsAreNoticed,
  clustersReserveNetworks,
  platformsReserveNodeSubnets,
  gatewaysOnEksCanBeDialled,
  platformsRunTheNetwork,
  platformsTakeTheirSettings,
  platformsRunAllOfLiqo,
  sendersKeepTheirAddresses,
  cnisLeaveLiqoAlone,
  gitopsNamesARepository,
  amountsOfBytesHaveASuffix,
  countsAreModest,
  spokesHaveAHub,
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
