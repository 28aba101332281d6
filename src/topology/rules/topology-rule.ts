import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Declaration } from '../declaration.ts';

/** A statement that must be true of a topology; it yields what contradicts it. A rule's name is that statement. */
export type TopologyRule = (topology: Declaration) => Iterable<Diagnostic>;
