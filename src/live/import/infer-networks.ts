import { groupBy } from '../../base/core/group-by.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { ObservedCluster, OwnNetwork } from '../observed/observed-cluster.ts';
import { assumedService, inferUndumped } from './infer-undumped.ts';
import type { LiveFleet } from './live-fleet.ts';
import type { LiveLink } from './live-link.ts';
import { mostCommon } from './most-common.ts';
import { ownNetworks } from './own-networks.ts';
import { toldNetworks } from './told-networks.ts';
import { usableOwn } from './usable-own.ts';

/** The networks of every cluster: those that it has and, where it shows none that is usable, those that its peers have of it. */
export function inferNetworks({
  clusters,
  links,
  names,
}: Pick<LiveFleet, 'clusters' | 'links' | 'names'>): ReadonlyMap<string, ClusterSpec> {
  const linksOf = groupBy(links, (it) => it.ends.map((end) => end.cluster));
  const services = [...clusters.values()].flatMap(({ own }) =>
    usableOwn('service', own.service)
      .slice(0, 1)
      .map((it) => it.asked),
  );
  const most = mostCommon(services);
  const usual = most !== undefined && most.count > 1 ? [most.value] : [];
  return new Map(
    names.map((id) => {
      const observed = clusters.get(id);
      const own = linksOf.get(id) ?? [];
      if (observed === undefined) return [id, inferUndumped(id, own, usual) ?? {}];
      const told = own.flatMap(({ ends }) => ends.filter((it) => it.remote === id));
      const podOrder = told.flatMap((it) => it.configuration?.remote.pod ?? []);
      return [id, ownNetworks(completed(observed, own, usual), [...new Set(podOrder)])];
    }),
  );
}

/** With a network in each role of which a topology or the views of peers need one. */
function completed(
  { cluster, own }: ObservedCluster,
  links: readonly LiveLink[],
  services: readonly string[],
): ObservedCluster['own'] {
  const usable = {
    pod: usableOwn('pod', own.pod),
    service: usableOwn('service', own.service),
    external: usableOwn('external', own.external),
    internal: usableOwn('internal', own.internal),
    reserved: usableOwn('reserved', own.reserved),
  };
  const told = toldNetworks(cluster, links)?.networks ?? { pod: [], external: [] };
  const pod = orElse(usable.pod, told.pod);
  const external = orElse(usable.external, told.external);
  const taken = [...pod, ...external].map((it) => it.asked);
  return { ...usable, pod, external, service: orElse(usable.service, assumedService(services, taken)) };
}

const orElse = (networks: readonly OwnNetwork[], cidrs: readonly string[]): readonly OwnNetwork[] =>
  networks.length > 0 ? networks : cidrs.map((asked) => ({ name: '', asked, given: null, isFixed: false }));
