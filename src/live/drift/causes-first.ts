import type { Code } from '../../base/diagnostics/codes.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { isDrift, type Problem, problem } from './drift.ts';
import type { ExplainedCluster } from './explain-cluster.ts';

/** A problem with the cluster whose objects show it. */
export interface ClusterProblem {
  readonly cluster: string;
  readonly problem: Problem;
}

/** A cluster whose dump cannot be compared. */
export interface NotComparable {
  readonly cluster: string;
  readonly why: Diagnostic;
}

/**
 * Returns the problems of some clusters without notes, causes before what may only follow from them: a tunnel is down for a
 * reason, and a rollout that goes on is none.
 *
 * @param isAbout true for a pair in question; the peer is `null` for a problem of no peer, or of all peers
 */
export function causesFirst(
  clusters: readonly (ExplainedCluster | NotComparable)[],
  isAbout: (it: { readonly cluster: string; readonly peer: string | null }) => boolean,
): readonly ClusterProblem[] {
  return clusters
    .flatMap((it) => ('why' in it ? [notCompared(it)] : driftOf(it)))
    .filter(({ cluster, problem: { peer } }) => isAbout({ cluster, peer }))
    .sort((a, b) => rankOf(a.problem) - rankOf(b.problem));
}

/** The first problem of a link, or of a cluster whose links follow from it; any other when there is none. `found` has causes first. */
export const causeOfLink = (found: readonly ClusterProblem[]): ClusterProblem | null =>
  found.find(({ problem: { peer, diagnostic } }) => peer !== null || CAUSES_OF_LINKS.includes(diagnostic.code)) ??
  found[0] ??
  null;

const driftOf = ({ drift: { cluster }, problems }: ExplainedCluster): readonly ClusterProblem[] =>
  problems.filter(isDrift).map((it) => ({ cluster, problem: it }));

const notCompared = ({ cluster, why }: NotComparable): ClusterProblem => ({
  cluster,
  problem: problem(why.code, {
    peer: null,
    at: why.span,
    message: why.message,
    ...(why.hint === undefined ? {} : { hint: why.hint }),
    findings: [],
  }),
});

/** Causes in the cluster itself, of which a link is an effect. */
const CAUSES_OF_LINKS: readonly Code[] = ['drift/own-network', 'live/looks-like-another'];

function rankOf({ diagnostic: { code, severity }, peer, isWaiting }: Problem): number {
  if (isWaiting) return 6;
  if (code === 'drift/not-connected') return 5;
  if (severity !== 'error') return 4;
  // A namespace in a provider follows from the NamespaceOffloading, which is about no peer.
  if (peer !== null) return code === 'drift/offloading' ? 3 : 1;
  return CAUSES_OF_LINKS.includes(code) ? 0 : 2;
}
