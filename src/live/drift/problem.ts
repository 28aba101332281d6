import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import type { Finding } from './drift.ts';

/** Clusters, the first of them by name. */
export interface SomeClusters {
  readonly names: readonly string[];
  /** How many there are besides. */
  readonly more: number;
}

/** Clusters that no longer reach others under the addresses that git promises. */
export interface BrokenPairs {
  readonly from: SomeClusters;
  readonly to: SomeClusters;
  /** The cluster that forwards the packets; `null` over a link of the two. */
  readonly through: string | null;
  /** An address that people dial, as git promises it. */
  readonly dialled: string;
  /** The one that has to be dialled now; `null` as long as there is none. */
  readonly now: string | null;
  /** What the dialled address reaches now: `10.202.3.7 of turin`; `null` for nothing that Liqo knows. */
  readonly reaches: string | null;
}

/** One thing that is not as git promises, in the language of the network, with every finding that it explains. */
export interface Problem {
  /** `null` for what is about no peer, or about all of them. */
  readonly peer: string | null;
  readonly diagnostic: Diagnostic;
  /**
   * True when nothing that is there contradicts git: a rollout that goes on resolves it. It is still something that git
   * promises and the cluster does not have.
   */
  readonly isWaiting: boolean;
  /** Further sentences: evidence, the other end, what it means. */
  readonly details: readonly string[];
  /** What is wrong, and what only follows from it. */
  readonly findings: readonly Finding[];
  readonly effects: readonly Finding[];
  readonly pairs: readonly BrokenPairs[];
}

interface ProblemParts {
  readonly peer: string | null;
  readonly at: Span;
  readonly message: string;
  readonly hint?: string;
  readonly isWaiting?: boolean;
  readonly details?: readonly string[];
  readonly findings: readonly Finding[];
  readonly effects?: readonly Finding[];
  readonly pairs?: readonly BrokenPairs[];
}

/** Its place is that of the first finding that has one, else `at`. */
export function problem(code: Code, { at, message, hint, ...parts }: ProblemParts): Problem {
  const place = parts.findings.flatMap((it) => (it.kind === 'extra' ? [] : [it.at]))[0] ?? at;
  return {
    peer: parts.peer,
    diagnostic: diagnostic(code, place, message, { hint }),
    isWaiting: parts.isWaiting ?? false,
    details: parts.details ?? [],
    findings: parts.findings,
    effects: parts.effects ?? [],
    pairs: parts.pairs ?? [],
  };
}

export const withEffects = (it: Problem, effects: readonly Finding[]): Problem => ({
  ...it,
  effects: [...it.effects, ...effects],
});

export const withDetails = (it: Problem, details: readonly string[]): Problem => ({
  ...it,
  details: [...it.details, ...details],
});

/** Notes are not drift. */
export const isDrift = ({ diagnostic: { severity } }: Problem): boolean => severity !== 'note';
