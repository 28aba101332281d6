import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { AddressedModel } from '../addressed-model.ts';

/** A rule about addresses, named after what it requires. Yields a diagnostic for each violation. */
export type AddressRule = (model: AddressedModel) => Iterable<Diagnostic>;
