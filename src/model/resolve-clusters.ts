import { by, sortedUnique } from '../core/order.ts';
import type { ClusterDeclaration, Declaration } from '../topology/declaration.ts';
import type { Cluster } from './network-model.ts';

/** The clusters by name, in order of name, each with the hubs that it is a spoke of. */
export function resolveClusters(declaration: Declaration): ReadonlyMap<string, Cluster> {
  const declared = [...declaration.clusters].sort(by((it) => it.name));
  const live = new Set(declared.filter((it) => !it.retired).map((it) => it.name));
  const fleetHubs = declaration.hubs.map((it) => it.value);
  const hubsOf = ({ name, hubs }: ClusterDeclaration): readonly string[] => {
    const named = hubs?.map((it) => it.value) ?? (fleetHubs.includes(name) ? [] : fleetHubs);
    return sortedUnique(named.filter((it) => it !== name && live.has(it)));
  };
  return new Map(declared.map((it) => [it.name, { ...it, hubs: it.retired ? [] : hubsOf(it) }]));
}
