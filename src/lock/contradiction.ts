import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source/source.ts';

export interface Contradiction {
  /** What cannot both hold. */
  readonly message: string;
  readonly later: Span;
  readonly earlier: { readonly message: string; readonly span: Span };
  /** What `--relock` should be told: the cluster that decided, and the peer of the later decision. */
  readonly cluster: string;
  readonly peer: string | null;
}

/** Two decisions of the lock that cannot both hold: a merge kept both. */
export function contradiction({ message, later, earlier, cluster, peer }: Contradiction): Diagnostic {
  const target = peer === null ? cluster : `${cluster}/${peer}`;
  return diagnostic('lock/contradiction', later, message, {
    hint: `two branches decided this apart from each other; \`weft compile --relock ${target}\` decides only this anew`,
    related: [earlier],
  });
}
