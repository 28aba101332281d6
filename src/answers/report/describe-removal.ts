import { countOf, someOf } from '../../base/core/words.ts';
import type { Removal } from '../../plan/removal-guard.ts';

const MAX_NAMED = 10;

/** `3 of 7 clusters would be removed: milan, paris, rome`. */
export function describeRemoval({ what, gone, of }: Removal): string {
  switch (what) {
    case 'keys':
      return `${gone.length} of ${of} gateways had a key and would have none: ${named(gone, ' towards ')}`;
    case 'moved-keys':
      return `${gone.length} of ${of} gateways would have the key that another gateway had: ${named(gone, ' towards ')}`;
    case 'authentication':
      return `${countOf(gone.length, 'cluster')} had an authentication key and would have none: ${named(gone, '')}`;
    case 'namespaces':
      return `${countOf(gone.length, 'namespace')} of providers would be deleted with all volumes: ${named(gone, ' in ')}`;
    case 'links-of-loans':
      return `${countOf(gone.length, 'loan')} would go on without a link: ${named(gone, ' from ')}`;
    default:
      return `${gone.length} of ${of} ${what} would be removed: ${named(gone, ' and ')}`;
  }
}

const named = (gone: Removal['gone'], between: string): string =>
  someOf(
    gone.map((it) => it.join(between)),
    MAX_NAMED,
  );
