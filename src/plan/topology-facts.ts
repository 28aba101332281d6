import type { AddressedModel } from '../ipam/addressed-model.ts';
import type { TopologyFacts } from './plan-state.ts';

/** Facts of a compiled topology that no file contains. */
export function topologyFacts({ clusters }: AddressedModel): TopologyFacts {
  const all = [...clusters.values()];
  return {
    releases: new Map(all.map((it) => [it.name, it.release.version])),
    formerNames: new Map(all.flatMap((it) => (it.renamedFrom === null ? [] : [[it.name, it.renamedFrom.value]]))),
    hubs: new Map(all.flatMap((it) => (it.hubs.length === 0 ? [] : [[it.name, it.hubs]]))),
  };
}
