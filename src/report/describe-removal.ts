import { someOf } from '../core/words.ts';
import type { Removal } from '../plan/removal-guard.ts';

const MAX_NAMED = 10;

/** `3 of 7 clusters would be removed: milan, paris, rome`. */
export function describeRemoval({ what, gone, of }: Removal): string {
  switch (what) {
    case 'keys':
      return `${gone.length} of ${of} gateways had a key and would have none: ${named(gone, ' towards ')}`;
    case 'moved-keys':
      return `${gone.length} of ${of} gateways would have the key that another gateway had: ${named(gone, ' towards ')}`;
    default:
      return `${gone.length} of ${of} ${what} would be removed: ${named(gone, ' and ')}`;
  }
}

const named = (gone: Removal['gone'], between: string): string =>
  someOf(
    gone.map((it) => it.join(between)),
    MAX_NAMED,
  );
