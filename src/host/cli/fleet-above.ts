import { join, relative } from 'node:path';
import { TOPOLOGIES } from '../app/find-topology.ts';
import { folderAbove, pathExists } from '../disk/repository.ts';
import { isNamedDump, isTopologyPath } from './argument-values.ts';
import type { CommandSpec } from './command-table.ts';

/**
 * The relative path (`../..`) of the fleet's folder, for a call in a folder below that names no topology. `undefined`
 * if the call names one, if one is in this folder, or if the command reads none.
 */
export function fleetAbove(spec: CommandSpec, args: readonly string[], cwd: string): string | undefined {
  if (!spec.args.some((it) => it.name === 'topology') || namesTopology(spec, args)) return undefined;
  if (pathExists(join(cwd, TOPOLOGIES))) return undefined;
  const above = folderAbove(cwd, TOPOLOGIES);
  return above === undefined ? undefined : relative(cwd, above);
}

/** The arguments of such a call with the folder of topologies added. */
export function withTopologies(
  { args: known }: CommandSpec,
  args: readonly string[],
  fleet: string,
): readonly string[] {
  const at = known.findIndex((it) => it.name === 'topology');
  return [...args.slice(0, at), join(fleet, TOPOLOGIES), ...args.slice(at)];
}

/** True when the arguments contain a topology: clusters and addresses are no paths, and dumps name a cluster. */
function namesTopology({ args: known }: CommandSpec, args: readonly string[]): boolean {
  const others = known.filter((it) => it.name !== 'topology');
  if (known[0]?.name !== 'topology') return args.length > others.length;
  if (others.some((it) => it.variadic)) return args.some((it) => !isNamedDump(it));
  return others.length === 0 ? args.length > 0 : isTopologyPath(args[0]) || isTopologyPath(args.at(-1));
}
