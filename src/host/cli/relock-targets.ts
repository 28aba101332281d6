import { parseRelockTarget, type RelockTarget } from '../../fleet/lock/relock-target.ts';
import { CommandFailure } from '../front/command-failure.ts';

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
