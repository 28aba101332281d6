import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { ExplainedCluster } from '../../live/drift/explain-cluster.ts';
import { pairsText } from './drift-pairs.ts';

/** Every problem as a diagnostic at the place that promises otherwise, with its evidence in the message. */
export const driftDiagnostics = (clusters: readonly ExplainedCluster[]): readonly Diagnostic[] =>
  clusters.flatMap(({ problems }) =>
    problems.map(({ diagnostic, pairs, details }) => ({
      ...diagnostic,
      message: [diagnostic.message, ...pairs.map(pairsText), ...details].join('; '),
    })),
  );
