import { decisionLines, parseLockKey, parseLockLines } from '../base/core/lock-key.ts';
import { printPrefix } from '../base/net/text.ts';
import type { Difference } from './difference.ts';

type Picked = Difference<'decision-picked'>;

/**
 * The new decisions of a lock that a compile would not make, neither from the lock of the base nor as if they had never
 * been made: they were written by hand, or recorded from live clusters. Join numbers only record an order of links.
 *
 * @param base the lock of the base; `null` without one
 * @param chosen the lock that a compile makes, starting from another one; `null` when it makes none
 */
export function pickedDecisions(
  lock: string,
  base: string | null,
  chosen: (lock: string | null) => string | null,
): readonly Picked[] {
  const known = decisionLines(base ?? '');
  const added = new Set([...decisionLines(lock)].filter((it) => !known.has(it) && !it.includes('/join: ')));
  const written = parseLockLines(added);
  /** The values that a compile chooses instead. */
  const insteadFrom = (start: string | null): ReadonlyMap<string, string> => {
    const others = written.size === 0 ? [] : parseLockLines(decisionLines(chosen(start) ?? ''));
    return new Map([...others].filter(([key, value]) => written.has(key) && written.get(key) !== value));
  };
  // A renamed cluster keeps the decisions of the base, and `--relock` makes decisions again.
  const kept = insteadFrom(base);
  if (kept.size === 0) return [];
  const again = insteadFrom(lock.replace(/^ {2}.*\n/gm, (line) => (added.has(line.trimEnd()) ? '' : line)));
  return [...again].flatMap(([key, from]) => {
    const place = kept.has(key) ? placeOf(key) : undefined;
    return place === undefined ? [] : [{ kind: 'decision-picked', ...place, from, to: written.get(key) ?? '' }];
  });
}

/** The clusters of a decision and its subject in words. */
function placeOf(text: string): Pick<Picked, 'cluster' | 'towards' | 'what'> | undefined {
  const key = parseLockKey(text);
  switch (key?.kind) {
    case 'block':
      return { cluster: key.cluster, towards: null, what: `${key.block} CIDR` };
    case 'port':
      return { cluster: key.server, towards: otherThan(key.server, key.link), what: 'port' };
    case 'view': {
      return {
        cluster: key.viewer,
        towards: otherThan(key.viewer, key.link),
        what: `address for the ${key.role} CIDR ${printPrefix(key.cidr)}`,
      };
    }
    default:
      return undefined;
  }
}

const otherThan = (end: string, { first, second }: { readonly first: string; readonly second: string }): string =>
  end === first ? second : first;
