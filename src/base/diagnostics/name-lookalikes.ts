import { lookalikeIn } from '../core/lookalike.ts';
import { maskSecrets } from '../core/mask-secrets.ts';
import type { Diagnostic } from './diagnostic.ts';
import { failure, type Outcome } from './outcome.ts';

/** UTF-16 code units of a place that are looked at: a value is shorter, and a span may be a whole map. */
const LONGEST = 200;

/**
 * The same outcome, where errors about text with a no-break space, a typographic dash and the like say so: on a screen such a
 * text looks right, and no other advice helps.
 */
export const nameLookalikes = <T>(read: Outcome<T>): Outcome<T> =>
  read.ok ? read : failure(read.diagnostics.map(withName));

function withName(it: Diagnostic): Diagnostic {
  const { source, start, end } = it.span;
  const text = source.text.slice(start, Math.min(end, start + LONGEST));
  const lookalike = it.severity === 'error' ? lookalikeIn(text) : undefined;
  const meant = maskSecrets(lookalike?.meant.trim() ?? '');
  return lookalike === undefined || meant === ''
    ? it
    : { ...it, hint: `it contains ${lookalike.name}; write ${meant}` };
}
