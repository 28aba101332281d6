import { type LockKey, parseLockKey } from '../../base/core/lock-key.ts';
import { decisionLines, parseLockLines } from '../../base/core/lock-line.ts';
import { countOf } from '../../base/core/words.ts';

/** The words for each kind of decision, in the order in which they are listed. */
const KINDS: Readonly<Record<LockKey['kind'], { readonly one: string; readonly many: string }>> = {
  join: { one: 'place in the join order', many: 'places in the join order' },
  view: { one: 'view', many: 'views' },
  port: { one: 'port', many: 'ports' },
  block: { one: 'address block', many: 'address blocks' },
};

/** What a lock contains that the one before did not: `["3 views", "1 port"]`. A lock has one line per decision. */
export function describeLockChanges(before: string | undefined, after: string): readonly string[] {
  if (before === after) return [];
  const known = decisionLines(before ?? '');
  const made = parseLockLines([...decisionLines(after)].filter((it) => !known.has(it)));
  const kinds = [...made.keys()].map((it) => parseLockKey(it)?.kind);
  return Object.entries(KINDS).flatMap(([kind, { one, many }]) => {
    const count = kinds.filter((it) => it === kind).length;
    return count === 0 ? [] : [countOf(count, one, many)];
  });
}
