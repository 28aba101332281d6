import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Declaration } from '../declaration.ts';

/** One truth that a topology must meet; it yields what contradicts it. A rule's name is that truth. */
export type Rule = (topology: Declaration) => Iterable<Diagnostic>;
