import type { Topology } from '../schema-types/topology.ts';
import type { LiveFleet } from './live-fleet.ts';

/** Comments by path. */
export function fleetComments(_live: LiveFleet, _topology: Topology): ReadonlyMap<string, string> {
  return new Map();
}
