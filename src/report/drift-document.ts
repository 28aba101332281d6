import type { ClusterDrift, Finding } from '../drift/drift.ts';
import type { Json } from '../live/json.ts';
import { placeAt } from '../source/source.ts';
import type { DriftReport } from './print-drift.ts';

/** What `weft drift -o json` prints. Programs rely on it: keys are added, never removed or given another meaning. */
interface DriftDocument {
  readonly clusters: readonly ClusterRow[];
  /** Clusters of the fleet that were not looked at, by name. */
  readonly notCompared: readonly string[];
}

interface ClusterRow {
  readonly cluster: string;
  readonly compared: number;
  readonly findings: readonly FindingRow[];
  readonly uncompared: ClusterDrift['uncompared'];
}

interface FindingRow {
  readonly kind: Finding['kind'];
  readonly object: Finding['object'];
  readonly path: readonly string[] | null;
  readonly promised: Json;
  readonly live: Json;
  /** Where a bundle promises it; `null` for what git does not have. */
  readonly file: string | null;
  readonly line: number | null;
}

export const driftDocument = ({ clusters, others }: DriftReport): DriftDocument => ({
  clusters: clusters.map(({ cluster, compared, findings, uncompared }) => ({
    cluster,
    compared,
    findings: findings.map(findingRow),
    uncompared,
  })),
  notCompared: others,
});

function findingRow(it: Finding): FindingRow {
  const differs = it.kind === 'different';
  const at = it.kind === 'extra' ? null : it.at;
  return {
    kind: it.kind,
    object: it.object,
    path: differs ? it.path : null,
    promised: differs ? (it.promised ?? null) : null,
    live: differs ? (it.live ?? null) : null,
    file: at === null ? null : at.source.path,
    line: at === null ? null : placeAt(at.source, at.start).line,
  };
}
