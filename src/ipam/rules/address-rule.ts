import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { AddressedModel } from '../addressed-model.ts';

/** A truth about addresses, named after what it demands. Yields what contradicts it. */
export type AddressRule = (model: AddressedModel) => Iterable<Diagnostic>;
