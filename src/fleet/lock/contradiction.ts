import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import { printRelockTarget, type RelockTarget } from './relock-target.ts';

/** The relock target is the cluster that the later decision belongs to, and its peer. */
interface Contradiction extends RelockTarget {
  /** Which two decisions contradict each other. */
  readonly message: string;
  readonly later: Span;
  readonly earlier: { readonly message: string; readonly span: Span };
}

/** Two decisions of the lock that contradict each other: a merge kept both. */
export function contradiction({ message, later, earlier, ...relockTarget }: Contradiction): Diagnostic {
  const target = printRelockTarget(relockTarget);
  return diagnostic('lock/contradiction', later, message, {
    hint: `two branches decided this separately; run "weft compile --relock ${target}" to decide it again`,
    related: [earlier],
  });
}
