import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../base/source/located.ts';
import type { Declaration } from '../topology/declaration.ts';
import type { KeysDocument } from '../topology/keys-document.ts';
import type { NetworkModel } from './network-model.ts';
import type { ServedLink } from './served-link.ts';

/** The resolved model and the texts that it was made from, which is the input of a rule of this stage. */
export interface ResolvedLinks {
  readonly declaration: Declaration;
  readonly keysDocument: KeysDocument | undefined;
  /** Recorded public keys, by `gatewayKey`. */
  readonly keys: ReadonlyMap<string, Located<string>>;
  readonly model: NetworkModel;
  /** The links of the model, in the same order, with the options that the topology gives them. */
  readonly served: readonly ServedLink[];
}

/** A rule about links, named after what it requires. Yields a diagnostic for each violation. */
export type ModelRule = (resolved: ResolvedLinks) => Iterable<Diagnostic>;
