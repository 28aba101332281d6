import type { ClusterSpec, Topology } from '../../../base/schema-types/topology.ts';
import type { ObservedCluster } from '../../observed/observed-cluster.ts';
import type { ImportedFleet } from '../imported-fleet.ts';
import { apiServerIn, chartSettings } from './chart-settings.ts';
import { type ImportedSharing, inferSharing } from './infer-sharing.ts';
import { chartUnknown } from './sharing-findings.ts';

/** An imported fleet with what its clusters lend to each other, and what the files beside the topology record of it. */
export interface SharedFleet extends ImportedFleet, Pick<ImportedSharing, 'authentication' | 'identities'> {}

export function withSharing(fleet: ImportedFleet, observed: readonly ObservedCluster[]): SharedFleet {
  const { topology } = fleet;
  const declared = Object.entries(topology.clusters ?? {});
  const found = inferSharing(observed, new Set(declared.map(([name]) => name)));
  const { sharing, offloading, apiServers, authentication, identities, findings } = found;
  const byName = new Map(observed.map((it) => [it.cluster, it]));
  const clusters = declared.map(([name, spec]) => {
    const settings = settingsOf(byName.get(name), apiServers.get(name));
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

/** What the chart of a cluster was given; where that is not known, where its consumers were sent. */
function settingsOf(cluster: ObservedCluster | undefined, answered: ClusterSpec['apiServer']): ClusterSpec {
  const chart = cluster?.sharing.chart;
  const manager = chart?.manager ?? null;
  const apiServer = manager === null ? answered : apiServerIn(manager);
  return { ...(apiServer === undefined ? {} : { apiServer }), ...(chart === undefined ? {} : chartSettings(chart)) };
}
