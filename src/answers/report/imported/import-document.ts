import type { ClusterDrift } from '../../../live/drift/drift.ts';
import type { ChangeGroup, Moves } from '../../../live/import/changes/change-group.ts';
import type { TunnelPauses } from '../../../live/import/changes/tunnel-pauses.ts';
import { changeWords } from './change-words.ts';
import type { ImportReport } from './import-report.ts';

/** What `weft import -o json` prints. Programs rely on it: keys are added, never removed or given another meaning. */
interface ImportDocument {
  /** Files, with `--check` those that would be written. */
  readonly files: readonly string[];
  readonly written: boolean;
  /** How much applying the bundles would move. */
  readonly moves: Moves;
  readonly pauses: TunnelPauses;
  readonly changes: readonly ChangeRow[];
  readonly clusters: readonly { readonly cluster: string; readonly compared: number; readonly differences: number }[];
}

interface ChangeRow extends ChangeGroup {
  readonly text: string;
}

export const importDocument = (
  { written, isCheck, groups, moves, pauses }: ImportReport,
  clusters: readonly ClusterDrift[],
): ImportDocument => ({
  files: written,
  written: !isCheck,
  moves,
  pauses,
  changes: groups.map((it) => ({ ...it, text: changeWords(it) })),
  clusters: clusters.map((it) => ({
    cluster: it.cluster,
    compared: it.compared,
    differences: it.findings.length,
  })),
});
