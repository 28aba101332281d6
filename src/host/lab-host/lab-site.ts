import type { LabPlan } from '../../reach/lab/lab-plan.ts';
import { namespaceIn } from '../../reach/lab/print-scripts.ts';
import type { LabParts } from './find-parts.ts';
import type { LongProcess } from './long-process.ts';

/** One lab: what every step needs. */
export interface LabSite {
  readonly plan: LabPlan;
  /** Id of the run: six hexadecimal digits. */
  readonly run: string;
  readonly parts: LabParts;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the lab stays up when weft ends. */
  readonly keep: boolean;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Every process that a step started and that has not ended by itself. */
  readonly processes: Set<LongProcess>;
}

/** How many programs of the system run at once: they mostly wait for locks of the kernel. */
export const TOOLS_AT_ONCE = 4;

/** Arguments of `ip` to run something inside a namespace. */
export const inside = ({ run }: LabSite, namespace: string): readonly string[] => [
  'netns',
  'exec',
  namespaceIn(run, namespace),
];
