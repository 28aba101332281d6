import type { RelockTarget } from '../compile.ts';
import { CommandFailure } from '../front/command-failure.ts';

/** What each `--relock X[/Y]` names: a cluster or a link. */
export const relockTargets = ({ relock }: { readonly relock: readonly string[] }): readonly RelockTarget[] =>
  relock.map(relockTarget);

function relockTarget(value: string): RelockTarget {
  const [cluster = '', peer, ...rest] = value.split('/');
  if (cluster === '' || peer === '' || rest.length > 0) {
    throw new CommandFailure(
      `--relock takes a cluster or a link, not "${value}"`,
      'for instance --relock rome or --relock rome/milan',
    );
  }
  return { cluster, peer: peer ?? null };
}
