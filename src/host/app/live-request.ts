import type { DumpRequest } from './list-dumps.ts';
import type { ContextRequest } from './read-context.ts';

/** Where a user says that live clusters can be read. */
export interface LiveRequest {
  readonly dumps: readonly DumpRequest[];
  readonly contexts: readonly ContextRequest[];
}
