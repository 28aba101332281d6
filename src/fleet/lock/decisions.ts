import {
  type LinkId,
  type LinkLockKey,
  type LockKey,
  parseLockKey,
  printLockKey,
  reverseLinkId,
} from '../../base/core/lock-key.ts';
import type { Located, Source } from '../../base/source/source.ts';

/** The recorded decisions, by printed lock key. Each is on one line, so that two pull requests rarely conflict. */
export type Decisions = ReadonlyMap<string, Located<string | number>>;

/** A decision to be written, by printed lock key: a network, a port, or a join number. */
export type NextDecisions = ReadonlyMap<string, string | number>;

/** The decision with this key. A link whose kind changes may change its identity, and keeps its decisions. */
export function decisionAbout<T extends string | number>(decisions: Decisions, key: LockKey): Located<T> | undefined {
  const found = decisions.get(printLockKey(key)) ?? (key.kind === 'block' ? undefined : decisions.get(reversed(key)));
  return found as Located<T> | undefined;
}

const reversed = (key: LinkLockKey): string => printLockKey({ ...key, link: reverseLinkId(key.link) });

/** All decisions of a lock; none without one. */
export const decisionsOf = (lock: LockDocument | undefined): Decisions => lock?.decisions ?? new Map();

/** A lock that follows its schema. */
export interface LockDocument {
  readonly source: Source;
  readonly decisions: Decisions;
}

/**
 * The decisions about renamed clusters, under their new names. An existing decision under a new name takes precedence
 * over one under the former name: two branches may have been merged.
 *
 * @param names new names by former name
 */
export function renameDecisions(decisions: Decisions, names: ReadonlyMap<string, string>): Decisions {
  const renamed = new Map(decisions);
  for (const [text, decision] of decisions) {
    const key = parseLockKey(text);
    if (key === undefined || !namesIn(key).some((it) => names.has(it))) continue;
    renamed.delete(text);
    const now = withNames(key, (it) => names.get(it) ?? it);
    if (decisionAbout(decisions, now) === undefined) renamed.set(printLockKey(now), decision);
  }
  return renamed;
}

/** Every cluster with a recorded decision. */
export function namesInDecisions(decisions: Decisions): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of decisions.keys()) {
    const key = parseLockKey(text);
    for (const it of key === undefined ? [] : namesIn(key)) names.add(it);
  }
  return names;
}

const namesIn = (key: LockKey): readonly string[] =>
  key.kind === 'block' ? [key.cluster] : [key.link.first, key.link.second];

function withNames(key: LockKey, name: (old: string) => string): LockKey {
  if (key.kind === 'block') return { ...key, cluster: name(key.cluster) };
  const link: LinkId = { first: name(key.link.first), second: name(key.link.second) };
  switch (key.kind) {
    case 'join':
      return { ...key, link };
    case 'port':
      return { ...key, link, server: name(key.server) };
    case 'view':
      return { ...key, link, viewer: name(key.viewer) };
  }
}
