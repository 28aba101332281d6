import { parseRelockTarget, type RelockTarget } from '../../fleet/lock/relock.ts';
import type { ContextRequest } from '../app/read-context.ts';
import type { DumpRequest, LiveRequest } from '../app/read-dumps.ts';
import { CommandFailure } from '../front/command-failure.ts';

/**
 * True for an argument that names a topology: it ends in .yaml, or begins like the path of a folder. A cluster with an
 * address, `rome/10.202.0.5`, and a network are none.
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

/** `rome=dump.json`: the name of a cluster in front, which a path with an equals sign in a folder does not have. */
const NAMED = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=(.+)$/s;

/** True for an argument that can be nothing but a dump. */
export const isNamedDump = (argument: string): boolean => argument === '-' || NAMED.test(argument);

/** `rome=dump.json`, or a path alone. */
export const dumpRequests = (given: readonly string[]): readonly DumpRequest[] =>
  given.map((it) => {
    const [, cluster, path] = NAMED.exec(it) ?? [];
    return cluster === undefined || path === undefined ? { cluster: null, path: it } : { cluster, path };
  });

/** `rome=admin@rome`, or a context that is named like its cluster. */
export const contextRequests = (given: readonly string[]): readonly ContextRequest[] =>
  given.map((it) => {
    const [, cluster, context] = NAMED.exec(it) ?? [];
    return cluster === undefined || context === undefined ? { cluster: it, context: it } : { cluster, context };
  });

/** The sources of `--live` and `--context`; `undefined` without either, when git is asked. */
export const liveRequest = ({
  live,
  context,
}: {
  readonly live: readonly string[];
  readonly context: readonly string[];
}): LiveRequest | undefined =>
  live.length + context.length === 0 ? undefined : { dumps: dumpRequests(live), contexts: contextRequests(context) };
