import { CommandFailure } from '../front/command-failure.ts';
import { parseRelockTarget, type RelockTarget } from '../lock/relock-target.ts';

/** What each `--relock X[/Y]` names: a cluster or a link. */
export const relockTargets = ({ relock }: { readonly relock: readonly string[] }): readonly RelockTarget[] =>
  relock.map(relockTarget);

function relockTarget(value: string): RelockTarget {
  const target = parseRelockTarget(value);
  if (target !== undefined) return target;
  throw new CommandFailure(
    `--relock takes a cluster or a link, not "${value}"`,
    'for instance --relock rome or --relock rome/milan',
  );
}
