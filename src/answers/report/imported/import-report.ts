import type { ChangeGroup, Moves } from '../../../live/import/changes/change-group.ts';
import type { TunnelPauses } from '../../../live/import/changes/tunnel-pauses.ts';

/** What a run of `weft import` found and wrote. */
export interface ImportReport {
  readonly files: {
    readonly topology: string;
    readonly keys: string;
    readonly lock: string;
  };
  readonly written: readonly string[];
  /** Whether nothing was to be written. */
  readonly isCheck: boolean;
  readonly clusters: number;
  readonly links: number;
  /** Objects that the bundles and the dumps both have. */
  readonly compared: number;
  readonly groups: readonly ChangeGroup[];
  readonly moves: Moves;
  readonly pauses: TunnelPauses;
}
