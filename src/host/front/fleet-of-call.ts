import { basename, join, relative, sep } from 'node:path';
import { visibleText } from '../../base/core/visible-text.ts';
import { someOf } from '../../base/core/words.ts';
import { diskPorts } from '../app/disk-ports.ts';
import { topologiesIn } from '../app/find-topology.ts';
import { OUT, TOPOLOGIES, TOPOLOGY } from '../app/ports.ts';
import { folderAbove, pathExists } from '../disk/repository.ts';
import { type ArgumentNames, isNamedDump, isTopologyPath } from './argument-values.ts';
import type { Host } from './host.ts';

/** The fleet in whose folder or below a command is called. */
interface NearestFleet {
  /** The relative path of its folder (`../..`); empty for the working folder. */
  readonly folder: string;
  /** The default topology, or the folder of topologies: relative to the working folder. */
  readonly topology: string;
}

/**
 * The fleet that a call without a topology is about. `undefined` if the call names one, if the command reads none, or
 * if there is no fleet.
 */
export const fleetOfCall = (spec: ArgumentNames, args: readonly string[], cwd: string): NearestFleet | undefined =>
  spec.args.some((it) => it.name === 'topology') && !namesTopology(spec, args) ? fleetAround(cwd) : undefined;

/** The fleet in this folder or above it. */
export function fleetAround(cwd: string): NearestFleet | undefined {
  const here = fleetHere(cwd);
  if (here !== undefined) return here;
  const above = folderAbove(cwd, isFleet);
  if (above !== undefined) return fleetIn(cwd, relative(cwd, above));
  return pathExists(join(cwd, TOPOLOGY)) ? fleetIn(cwd, '') : undefined;
}

/** The fleet in this folder. */
export const fleetHere = (cwd: string): NearestFleet | undefined =>
  isFleet(cwd, (name) => pathExists(join(cwd, name))) ? fleetIn(cwd, '') : undefined;

function fleetIn(cwd: string, folder: string): NearestFleet {
  const own = join(folder, TOPOLOGY);
  return { folder, topology: pathExists(join(cwd, own)) ? own : join(folder, TOPOLOGIES) };
}

/** A `topology.yaml` in a folder of topologies belongs to the fleet above, unless the repository begins there. */
function isFleet(folder: string, has: (name: string, kind: 'file' | 'folder') => boolean): boolean {
  if (has(TOPOLOGIES, 'folder')) return true;
  return has(TOPOLOGY, 'file') && (basename(folder) !== TOPOLOGIES || pathExists(join(folder, '.git')));
}

/**
 * Reports on stderr which fleet is used if it is one above, and which topology if there are two default ones: those of
 * `topologies/` are then left out.
 */
export async function announceFleet({ cwd, stderr }: Host, { folder, topology }: NearestFleet, isAll: boolean) {
  if (folder !== '') await stderr.write(`Using the fleet in ${visibleText(folder)}${sep}\n`);
  if (isAll || basename(topology) !== TOPOLOGY) return;
  const others = await topologiesIn(diskPorts(cwd).files, join(folder, TOPOLOGIES));
  if (others.length > 0) await stderr.write(`Using ${visibleText(topology)}, not ${visibleText(someOf(others, 2))}\n`);
}

interface CallArguments {
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Such a call with the topologies of a fleet above; the bundles are beside them, as if weft had been called there. */
export function callInFleet(
  { name, args: known }: ArgumentNames & { readonly name: string },
  { args, values }: CallArguments,
  { folder, topology }: NearestFleet,
): CallArguments {
  const at = known.findIndex((it) => it.name === 'topology');
  return {
    args: [...args.slice(0, at), topology, ...args.slice(at)],
    // A picture has bundles only where it shows a plan.
    values: { ...(name === 'graph' && !values['plan'] ? {} : { out: join(folder, OUT) }), ...values },
  };
}

/** True when the arguments contain a topology: clusters and addresses are no paths, and dumps name a cluster. */
function namesTopology({ args: known }: ArgumentNames, args: readonly string[]): boolean {
  const others = known.filter((it) => it.name !== 'topology');
  if (known[0]?.name !== 'topology') return args.length > others.length;
  if (others.some((it) => it.variadic && it.values !== 'cluster')) return args.some((it) => !isNamedDump(it));
  return others.length === 0 ? args.length > 0 : isTopologyPath(args[0]) || isTopologyPath(args.at(-1));
}
