import type { Decisions } from './decisions.ts';

/** What `--relock CLUSTER[/PEER]` names. */
export interface RelockTarget {
  readonly cluster: string;
  readonly peer: string | null;
}

/**
 * Leaves out what a cluster decided, or what it decided about one peer: its views, the ports of its server ends, its
 * carved blocks. Join numbers stay, so that deciding anew follows the order in which links were made.
 */
export function forget(decisions: Decisions, targets: readonly RelockTarget[]): Decisions {
  if (targets.length === 0) return decisions;
  return new Map([...decisions].filter(([key]) => !targets.some((it) => concerns(key.split('/'), it))));
}

function concerns([first, second, what, decider]: readonly string[], { cluster, peer }: RelockTarget): boolean {
  if (what === undefined) return first === cluster && peer === null;
  if (what === 'join' || decider !== cluster) return false;
  return peer === null || first === peer || second === peer;
}
