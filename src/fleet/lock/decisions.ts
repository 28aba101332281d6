import { reverseLinkId } from '../../base/core/link-id.ts';
import { type LinkLockKey, type LockKey, printLockKey } from '../../base/core/lock-key.ts';
import type { Located } from '../../base/source/located.ts';

/** The recorded decisions, by printed lock key. One line a decision, so that two pull requests rarely conflict. */
export type Decisions = ReadonlyMap<string, Located<string | number>>;

/** A decision to be written, by printed lock key: a network, a port, or a join number. */
export type NextDecisions = ReadonlyMap<string, string | number>;

/** The decision with this key. A link that changes its kind may change its identity, and keeps its decisions. */
export function decisionAbout<T extends string | number>(decisions: Decisions, key: LockKey): Located<T> | undefined {
  const found = decisions.get(printLockKey(key)) ?? (key.kind === 'block' ? undefined : decisions.get(reversed(key)));
  return found as Located<T> | undefined;
}

const reversed = (key: LinkLockKey): string => printLockKey({ ...key, link: reverseLinkId(key.link) });
