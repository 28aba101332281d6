import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import type { BoundaryDeclaration } from '../../topology/declaration.ts';
import type { BoundedModel, Opening } from '../bounded-model.ts';

/** A rule about what may cross links. Its diagnostics have the place of the text that declares it. */
export type BoundaryRule = (bounded: BoundariesToCheck) => Iterable<Diagnostic>;

interface BoundariesToCheck {
  readonly model: BoundedModel;
  /** In source order. */
  readonly entries: readonly ResolvedEntry[];
}

/** An entry of `boundaries` with the clusters that it selects. */
export interface ResolvedEntry {
  readonly entry: BoundaryDeclaration;
  /** The selected clusters that are not retired, without providers of offloaded namespaces. */
  readonly senders: readonly AddressedCluster[];
  readonly receivers: readonly AddressedCluster[];
  /** Number of pairs with a link, open or closed. */
  readonly linked: number;
  /** One for each direction of a closed link that it opens. */
  readonly openings: readonly Opening[];
}
