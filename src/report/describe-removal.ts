import { someOf } from '../core/words.ts';
import type { Removal } from '../plan/removal-guard.ts';

const MAX_NAMED = 10;

/** `3 of 7 clusters would be removed: milan, paris, rome`. */
export function describeRemoval({ what, gone, of }: Removal): string {
  const names = gone.map((it) => it.join(' and '));
  return `${names.length} of ${of} ${what} would be removed: ${someOf(names, MAX_NAMED)}`;
}
