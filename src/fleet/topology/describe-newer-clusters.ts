import { andMore } from '../../base/core/words.ts';
import type { Release } from '../../base/releases/release.ts';

/** Which clusters run releases that a setting does not fit, as the end of a message: `"rome" runs 1.2.0`. */
export function describeNewerClusters(
  first: { readonly name: string; readonly release: Release },
  others: number,
): string {
  return others > 0
    ? `"${first.name}"${andMore(others)} run later releases`
    : `"${first.name}" runs ${first.release.version}`;
}
