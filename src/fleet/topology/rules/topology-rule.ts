import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Declaration } from '../declaration.ts';

/** A rule about the topology, named after what it requires. Yields a diagnostic for each violation. */
export type TopologyRule = (topology: Declaration) => Iterable<Diagnostic>;
