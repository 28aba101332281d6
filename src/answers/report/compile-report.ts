import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { type CompileSummary, compileSummary } from './compile-summary.ts';
import { countAccepted, countDiagnostics, type DiagnosticCounts } from './count-diagnostics.ts';
import { describeLockChanges } from './describe-lock-changes.ts';

/** One run: what was decided, and which files changed. */
export interface CompileReport {
  /** Path of the topology as it is shown to the user. */
  readonly topology: string;
  /** Whether commands find that topology when none is named. */
  readonly byDefault: boolean;
  readonly summary: CompileSummary;
  readonly counts: DiagnosticCounts;
  /** Warnings and notes that the topology accepts. */
  readonly accepted: DiagnosticCounts;
  /** Decisions that the lock did not contain before: `3 views`. */
  readonly decided: readonly string[];
  readonly disk: DiskReport;
  /** Clusters that are no longer in the topology and whose folders were removed. */
  readonly gone: readonly string[];
  /** Clusters that the user named; `null` for all. */
  readonly only: readonly string[] | null;
}

export interface DiskReport {
  /** Folder of the bundles. */
  readonly out: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Path of the lock. */
  readonly lock: string;
  readonly lockChanged: boolean;
}

/** One topology after it was compiled, and written or compared. */
interface CompiledFleet {
  readonly topology: {
    readonly files: { readonly topology: string; readonly byDefault: boolean; readonly lock: string };
    readonly diagnostics: readonly Diagnostic[];
    readonly sources: { readonly lock: { readonly text: string } | undefined };
    readonly compiled: { readonly model: SharedModel; readonly lock: string };
  };
  readonly out: string;
  readonly only: readonly string[] | null;
  /** Paths below `out`. */
  readonly tree: {
    readonly created: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
    readonly unchanged: number;
    readonly lockChanged: boolean;
  };
  readonly gone: readonly string[];
}

export function compileReport({ topology, out, only, tree, gone }: CompiledFleet): CompileReport {
  const { files, diagnostics, sources, compiled } = topology;
  const { created, changed, removed, unchanged, lockChanged } = tree;
  const counts = { created: created.length, changed: changed.length, removed: removed.length, unchanged, lockChanged };
  return {
    topology: files.topology,
    byDefault: files.byDefault,
    summary: compileSummary(compiled.model),
    counts: countDiagnostics(diagnostics),
    accepted: countAccepted(diagnostics),
    decided: describeLockChanges(sources.lock?.text, compiled.lock),
    disk: { out, lock: files.lock, ...counts },
    gone,
    only,
  };
}
