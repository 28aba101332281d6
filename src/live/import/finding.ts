import type { Code } from '../../base/diagnostics/codes.ts';

/** Something in live clusters that is broken, or that a topology cannot say. It gets its place once the topology is a text. */
export interface Finding {
  readonly code: Code;
  /** The cluster that it is about, which the text has an entry for. */
  readonly cluster: string;
  /** Names the cluster and the object; of its texts, those from dumps are shortened. */
  readonly message: string;
  readonly hint: string;
}
