import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source/source.ts';
import { printRelockTarget, type RelockTarget } from './relock-target.ts';

/** With the cluster that decided, and the peer of the later decision. */
export interface Contradiction extends RelockTarget {
  /** What cannot both hold. */
  readonly message: string;
  readonly later: Span;
  readonly earlier: { readonly message: string; readonly span: Span };
}

/** Two decisions of the lock that cannot both hold: a merge kept both. */
export function contradiction({ message, later, earlier, ...decider }: Contradiction): Diagnostic {
  const target = printRelockTarget(decider);
  return diagnostic('lock/contradiction', later, message, {
    hint: `two branches decided this apart from each other; \`weft compile --relock ${target}\` decides only this anew`,
    related: [earlier],
  });
}
