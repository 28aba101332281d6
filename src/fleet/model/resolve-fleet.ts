import type { Declaration } from '../topology/declaration.ts';
import type { Fleet } from './network-model.ts';

/** The settings of the fleet as a whole. */
export function resolveFleet(declaration: Declaration): Fleet {
  return {
    name: declaration.name.value,
    topologyFile: declaration.source.path.split(/[\\/]/).at(-1) ?? declaration.source.path,
    at: declaration.name.at,
    shortcutOperator: declaration.shortcutOperator.value,
    emitConnections: declaration.emitConnections,
    carve: {
      from: declaration.carve.from.map((it) => it.value),
      length: declaration.carve.length.value,
      at: declaration.carve.length.at,
    },
    gitops: declaration.gitops,
  };
}
