import { countOf } from './count-of.ts';

/** Kinds of decisions in the lock, told from their keys, with the words for them. Source: lock/decisions.ts. */
const KINDS = [
  { matches: /\/join$/, one: 'place in the join order', many: 'places in the join order' },
  { matches: /\/view\//, one: 'view', many: 'views' },
  { matches: /\/port\//, one: 'port', many: 'ports' },
  { matches: /^[^/]+\/(external|internal)$/, one: 'address block', many: 'address blocks' },
] as const;

/** What a lock says that the one before did not: `["3 views", "1 port"]`. A lock has a line a decision. */
export function describeLockChanges(before: string | undefined, after: string): readonly string[] {
  const known = new Set(before?.split('\n'));
  const keys = after.split('\n').flatMap((line) => (known.has(line) ? [] : (/^ {2}(\S+): /.exec(line)?.[1] ?? [])));
  return KINDS.flatMap(({ matches, one, many }) => {
    const count = keys.filter((it) => matches.test(it)).length;
    return count === 0 ? [] : [countOf(count, one, many)];
  });
}
