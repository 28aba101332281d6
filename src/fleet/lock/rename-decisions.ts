import type { LinkId } from '../../base/core/link-id.ts';
import { type LockKey, parseLockKey, printLockKey } from '../../base/core/lock-key.ts';
import { type Decisions, decisionAbout } from './decisions.ts';

/**
 * The decisions about renamed clusters, under their new names. A decision that is recorded under a new name already wins
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

/** Every cluster that a decision is recorded about. */
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
