import type { BrokenPairs, Finding, Problem, Uncompared } from '../../live/drift/drift.ts';
import type { ExplainedCluster } from '../../live/drift/explain-cluster.ts';
import type { Rollout } from '../../live/drift/rollout.ts';
import type { Json } from '../../live/dumps/json.ts';
import { placeRow } from './diagnostics-document.ts';
import type { DriftReport } from './drift.ts';

/** The document of `weft drift -o json`. Programs rely on it: keys are added, never removed or changed in meaning. */
interface DriftDocument {
  readonly clusters: readonly DriftRow[];
  /** Clusters of the fleet that were not compared, by name. */
  readonly others: readonly string[];
}

interface DriftRow {
  readonly cluster: string;
  readonly state: Rollout['state'];
  readonly compared: number;
  readonly there: number;
  readonly waitsFor: string | null;
  readonly problems: readonly ProblemRow[];
  /** Findings of all problems, in the order of the problems. */
  readonly findings: readonly FindingRow[];
  readonly uncompared: readonly Uncompared[];
}

interface ProblemRow {
  readonly code: string;
  readonly severity: string;
  readonly peer: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly isWaiting: boolean;
  readonly details: readonly string[];
  readonly pairs: readonly BrokenPairs[];
  readonly file: string;
  readonly line: number;
}

interface FindingRow {
  /** The index of its problem. */
  readonly problem: number;
  /** True for a consequence of the problem. */
  readonly isEffect: boolean;
  readonly kind: Finding['kind'];
  readonly peer: string | null;
  readonly object: Finding['object'];
  readonly path: readonly string[] | null;
  readonly promised: Json;
  readonly live: Json;
  /** The place in the bundle that promises it; `null` when it is not in git. */
  readonly file: string | null;
  readonly line: number | null;
}

export const driftDocument = ({ clusters, others }: DriftReport): DriftDocument => ({
  clusters: clusters.map(clusterRow),
  others,
});

const clusterRow = ({ drift, problems, rollout }: ExplainedCluster): DriftRow => ({
  cluster: drift.cluster,
  state: rollout.state,
  compared: drift.compared,
  there: rollout.there,
  waitsFor: rollout.waitsFor,
  problems: problems.map(problemRow),
  findings: problems.flatMap((it, problem) => [
    ...it.findings.map((one) => findingRow(one, { problem, isEffect: false })),
    ...it.effects.map((one) => findingRow(one, { problem, isEffect: true })),
  ]),
  uncompared: drift.uncompared,
});

function problemRow({ diagnostic, peer, isWaiting, details, pairs }: Problem): ProblemRow {
  const { code, severity, message, hint, span } = diagnostic;
  const { file, line } = placeRow(span);
  return { code, severity, peer, message, hint: hint ?? null, isWaiting, details, pairs, file, line };
}

function findingRow(it: Finding, of: Pick<FindingRow, 'problem' | 'isEffect'>): FindingRow {
  const differs = it.kind === 'different';
  const at = it.kind === 'extra' ? null : placeRow(it.at);
  return {
    ...of,
    kind: it.kind,
    peer: it.peer,
    object: it.object,
    path: differs ? it.path : null,
    promised: differs ? (it.promised ?? null) : null,
    live: differs ? (it.live ?? null) : null,
    file: at?.file ?? null,
    line: at?.line ?? null,
  };
}
