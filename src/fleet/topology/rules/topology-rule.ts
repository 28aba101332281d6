import { andMore } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Release } from '../../../base/releases/release.ts';
import type { ClusterDeclaration, Declaration } from '../declaration.ts';

/** A rule about the topology, named after what it requires. Yields a diagnostic for each violation. */
export type TopologyRule = (topology: Declaration) => Iterable<Diagnostic>;

/** The first cluster and how many others there are, as a message begins: `"rome" and 12 more`. */
export const describeClusters = ([first, ...others]: readonly ClusterDeclaration[]): string =>
  `"${first?.name ?? ''}"${andMore(others.length)}`;

/** Which clusters run releases that a setting does not fit, as the end of a message: `"rome" runs 1.2.0`. */
export function describeNewerClusters(
  first: { readonly name: string; readonly release: Release },
  others: number,
): string {
  return others > 0
    ? `"${first.name}"${andMore(others)} run later releases`
    : `"${first.name}" runs ${first.release.version}`;
}
