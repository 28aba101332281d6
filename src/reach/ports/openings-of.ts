import { by } from '../../base/core/order.ts';
import type { Decisions } from '../../fleet/lock/decisions.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { apiServerOpening } from './api-server-opening.ts';
import type { Opening } from './opening.ts';
import { tunnelOpening } from './tunnel-opening.ts';

/** The networks from which packets of a cluster come outside of it, by the name of the cluster. */
export type Sources = ReadonlyMap<string, readonly string[]>;

interface OpeningFacts {
  readonly sources: Sources;
  /** Those of the lock. */
  readonly decisions: Decisions;
}

/**
 * Everything that firewalls between clusters must let through: one tunnel for each link, and for each loan the API server of
 * the provider. By name of `from`, then of `to`, the tunnel first.
 */
export function openingsOf({ links, shares }: SharedModel, { sources, decisions }: OpeningFacts): readonly Opening[] {
  const sourcesOf = (cluster: string): readonly string[] => sources.get(cluster) ?? [];
  const tunnels = links.map((it) => tunnelOpening(it, { sources: sourcesOf(it.client.cluster.name), decisions }));
  const apiServers = shares.map((it) => apiServerOpening(it, sourcesOf(it.consumer.name)));
  return [...tunnels, ...apiServers].sort(by(({ from, to }) => `${from} ${to}`));
}

/** What concerns one cluster, or two of them. */
export const openingsBetween = (openings: readonly Opening[], clusters: readonly string[]): readonly Opening[] =>
  openings.filter(({ from, to }) => clusters.every((it) => it === from || it === to));
