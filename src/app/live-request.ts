import type { ContextRequest } from './read-context.ts';
import type { DumpRequest } from './read-dumps.ts';

/** Where a user says that live clusters can be read. */
export interface LiveRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}
