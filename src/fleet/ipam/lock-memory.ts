import { sameValues } from '../../base/core/same-values.ts';
import { printLock } from '../lock/print-lock.ts';
import { type Decided, decisionsOf, printedDecisions } from './next-decisions.ts';
import type { nextLock } from './next-lock.ts';

/** What a lock was printed from, and its text. */
interface Last {
  readonly decisions: readonly Decided[];
  readonly text: string;
}

/**
 * `nextLock` for a process that compiles the same topologies again and again: a text is printed only if a decision is another one
 * than the last time.
 */
export function lockMemory(): typeof nextLock {
  const last = new Map<string, Last>();
  return (model) => {
    const { at, topologyFile } = model.fleet;
    const before = last.get(at.source.path);
    const decisions = decisionsOf(model);
    if (before !== undefined && sameValues(() => undefined)(before.decisions, decisions)) return before.text;
    const text = printLock(topologyFile, printedDecisions(decisions));
    last.set(at.source.path, { decisions, text });
    return text;
  };
}
