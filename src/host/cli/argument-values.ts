import { parseRelockTarget, type RelockTarget } from '../../fleet/lock/relock.ts';
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
