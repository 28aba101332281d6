import { join, relative } from 'node:path';
import { parseRelockTarget, type RelockTarget } from '../../fleet/lock/relock.ts';
import type { ContextRequest, DumpRequest, LiveRequest } from '../app/live-sources.ts';
import { OUT, TOPOLOGIES } from '../app/ports.ts';
import { folderAbove, pathExists } from '../disk/repository.ts';
import { CommandFailure } from '../front/command-failure.ts';
import type { CommandSpec } from './command-table.ts';

/**
 * True for an argument that names a topology: it ends in .yaml, or begins like the path of a folder. Clusters with an
 * address, such as `rome/10.202.0.5`, and networks do not.
 */
export const isTopologyPath = (argument: string | undefined): boolean =>
  argument !== undefined && /\.ya?ml$|^\.{0,2}[/\\]|[/\\]$|\\/.test(argument);

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `10m` or `1h` in milliseconds. */
export function durationOf(option: string, value: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(value) ?? [];
  const milliseconds = Number(count) * (MILLISECONDS[unit] ?? Number.NaN);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new CommandFailure(`--${option} requires a duration, not "${value}"`, `write --${option} 90s, 10m or 1h`);
}

/** The cluster or link of each `--relock X[/Y]`. */
export const relockTargets = ({ relock }: { readonly relock: readonly string[] }): readonly RelockTarget[] =>
  relock.map(relockTarget);

function relockTarget(value: string): RelockTarget {
  const target = parseRelockTarget(value);
  if (target !== undefined) return target;
  throw new CommandFailure(
    `--relock requires a cluster or a link, not "${value}"`,
    'write --relock rome or --relock rome/milan',
  );
}

/** A cluster and its dump: `rome=dump.json`. A path with an equals sign in one of its folders does not match. */
const NAMED = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=(.+)$/s;

/** True for an argument that can only be a dump. */
export const isNamedDump = (argument: string): boolean => argument === '-' || NAMED.test(argument);

/** The dumps of `--from` or `--live`: `rome=dump.json`, or only a path. */
export const dumpRequests = (given: readonly string[]): readonly DumpRequest[] =>
  given.map((it) => {
    const [, cluster, path] = NAMED.exec(it) ?? [];
    return cluster === undefined || path === undefined ? { cluster: null, path: it } : { cluster, path };
  });

/** The contexts of `--context`: `rome=admin@rome`, or a context with the name of its cluster. */
export const contextRequests = (given: readonly string[]): readonly ContextRequest[] =>
  given.map((it) => {
    const [, cluster, context] = NAMED.exec(it) ?? [];
    return cluster === undefined || context === undefined ? { cluster: it, context: it } : { cluster, context };
  });

/** The sources of `--live` and `--context`; `undefined` without either. */
export const liveRequest = ({
  live,
  context,
}: {
  readonly live: readonly string[];
  readonly context: readonly string[];
}): LiveRequest | undefined =>
  live.length + context.length === 0 ? undefined : { dumps: dumpRequests(live), contexts: contextRequests(context) };

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

interface CallArguments {
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Such a call with the topologies of the fleet; the bundles are beside them, as if weft had been called there. */
export function callInFleet(
  { args: known }: CommandSpec,
  { args, values }: CallArguments,
  fleet: string,
): CallArguments {
  const at = known.findIndex((it) => it.name === 'topology');
  return {
    args: [...args.slice(0, at), join(fleet, TOPOLOGIES), ...args.slice(at)],
    values: { out: join(fleet, OUT), ...values },
  };
}

/** True when the arguments contain a topology: clusters and addresses are no paths, and dumps name a cluster. */
function namesTopology({ args: known }: CommandSpec, args: readonly string[]): boolean {
  const others = known.filter((it) => it.name !== 'topology');
  if (known[0]?.name !== 'topology') return args.length > others.length;
  if (others.some((it) => it.variadic)) return args.some((it) => !isNamedDump(it));
  return others.length === 0 ? args.length > 0 : isTopologyPath(args[0]) || isTopologyPath(args.at(-1));
}
