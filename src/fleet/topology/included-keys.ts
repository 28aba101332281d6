import type { Topology } from '../../base/schema-types/topology.ts';

/** The lists that an included file may have: what there can be any number of. */
export const INCLUDED_LISTS = ['peerings', 'shortcuts', 'sharing', 'offloading', 'assertions', 'accept'] as const;

type IncludedKey = 'version' | 'clusters' | (typeof INCLUDED_LISTS)[number];

/** The keys that only the topology itself may have: they are about the fleet as a whole. */
const FLEET_KEYS: Readonly<Record<Exclude<keyof Topology, IncludedKey>, true>> = {
  name: true,
  renamedFrom: true,
  liqo: true,
  ipam: true,
  hub: true,
  order: true,
  include: true,
  defaults: true,
  gitops: true,
  keys: true,
};

export const isFleetKey = (key: string): boolean => Object.hasOwn(FLEET_KEYS, key);
