import type { Declaration } from '../topology/declaration.ts';
import type { IdentitiesDocument } from '../topology/identities-document.ts';
import type { KeysDocument } from '../topology/keys-document.ts';

/** What is written about sharing: in the topology, and beside it. */
export interface SharingInputs {
  readonly declaration: Declaration;
  readonly keys: KeysDocument | undefined;
  readonly identities: IdentitiesDocument | undefined;
}
