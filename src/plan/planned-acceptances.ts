import type { Code } from '../base/diagnostics/codes.ts';

/** What the topology accepts after a change. No file of `out/` contains it. */
export interface PlannedAcceptances {
  /** How many warnings and notes are accepted in all. */
  readonly warnings: number;
  readonly notes: number;
  /** The entries of `accept` that the change adds, in source order. */
  readonly added: readonly AddedAcceptance[];
}

export interface AddedAcceptance {
  readonly code: Code;
  /** One cluster, the two ends of a link, or none for the whole fleet. */
  readonly clusters: readonly string[];
  readonly reason: string;
  /** How many warnings or notes it accepts now. */
  readonly count: number;
}

export const NO_ACCEPTANCES: PlannedAcceptances = { warnings: 0, notes: 0, added: [] };
