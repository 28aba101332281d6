import { basename } from 'node:path';
import { printLockKey } from '../../base/core/lock-key.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Source } from '../../base/source/source.ts';
import { compile, type Sources } from '../../compile.ts';
import type { NextDecisions } from '../../fleet/lock/decisions.ts';
import { printLock } from '../../fleet/lock/print-lock.ts';
import { adoptLive } from '../../live/adopt/adopt-live.ts';
import { liveDecisions } from '../../live/adopt/live-decisions.ts';
import type { LiveNetwork } from '../../live/adopt/live-network.ts';
import { overlappingViews } from '../../live/adopt/overlapping-views.ts';

interface AdoptLockRequest {
  /** The lock is not looked at. */
  readonly sources: Sources;
  /** Of the lock, where there is one. */
  readonly decisions: NextDecisions;
  readonly live: LiveNetwork;
  /** Path of the lock. */
  readonly path: string;
  /** The order of joining was meant, and stays where no other one explains more views. */
  readonly keepsOrder: boolean;
}

interface AdoptedLock {
  readonly lock: Source;
  readonly remapped: number;
  /** How many of the remapped views no order of joining gives. */
  readonly forced: number;
}

/** The lock of a topology with what live clusters have decided. */
export function adoptLock({ sources, decisions, live, path, keepsOrder }: AdoptLockRequest): Outcome<AdoptedLock> {
  const lockOf = (next: NextDecisions): Source => ({ path, text: printLock(basename(sources.topology.path), next) });
  const { sound, overlapping } = overlappingViews(live.views);
  const kept = { ...live, views: sound };
  // With every view and port of theirs; only the order of joining is still another one.
  const lock = lockOf(liveDecisions(kept, decisions.size > 0 ? decisions : joinsWithoutLock(sources)));
  const unordered = compile({ ...sources, lock }, { relock: [], only: [], withoutAssertions: true });
  if (!unordered.ok) return failure(unordered.diagnostics);
  const adopted = adoptLive(unordered.value.model, { live: kept, overlapping, keepsOrder });
  const forced = adopted.forced.reduce((sum, it) => sum + it.views.length, 0);
  return outcome({ lock: lockOf(adopted.decisions), remapped: adopted.remapped, forced }, adopted.diagnostics);
}

/** How weft names the links of a new fleet, and in which order they join; nothing where that cannot be compiled. */
function joinsWithoutLock(sources: Sources): NextDecisions {
  const fresh = compile({ ...sources, lock: undefined }, { relock: [], only: [], withoutAssertions: true });
  if (!fresh.ok) return new Map();
  return new Map(fresh.value.model.links.map(({ id, join }) => [printLockKey({ kind: 'join', link: id }), join]));
}

/** Without what an adopted lock has named with a reason. */
export const withoutHistory = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter((it) => it.code !== 'ipam/history');
