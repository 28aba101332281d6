import { join, relative } from 'node:path';
import { TOPOLOGIES } from '../app/find-topology.ts';
import { folderAbove, pathExists } from '../disk/repository.ts';
import { isNamedDump, isTopologyPath } from './argument-values.ts';
import type { CommandSpec } from './command-table.ts';

/**
 * The folder of the fleet for a call that names no topology in a folder below: `../..`, as a person who stands there would write
 * it. `undefined` if the call names one, if one is here, or if the command reads none.
 */
export function fleetAbove(spec: CommandSpec, args: readonly string[], cwd: string): string | undefined {
  if (!spec.args.some((it) => it.name === 'topology') || namesTopology(spec, args)) return undefined;
  if (pathExists(join(cwd, TOPOLOGIES))) return undefined;
  const above = folderAbove(cwd, TOPOLOGIES);
  return above === undefined ? undefined : relative(cwd, above);
}

/** The arguments of such a call with the topologies of that fleet. */
export function withTopologies(
  { args: known }: CommandSpec,
  args: readonly string[],
  fleet: string,
): readonly string[] {
  const at = known.findIndex((it) => it.name === 'topology');
  return [...args.slice(0, at), join(fleet, TOPOLOGIES), ...args.slice(at)];
}

/** What else a command takes tells its topology apart: clusters and addresses are no paths, and dumps name a cluster. */
function namesTopology({ args: known }: CommandSpec, args: readonly string[]): boolean {
  const others = known.filter((it) => it.name !== 'topology');
  if (known[0]?.name !== 'topology') return args.length > others.length;
  if (others.some((it) => it.variadic)) return args.some((it) => !isNamedDump(it));
  return others.length === 0 ? args.length > 0 : isTopologyPath(args[0]) || isTopologyPath(args.at(-1));
}
