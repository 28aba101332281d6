import type { DocumentNode } from '../source/document-node.ts';
import type { Source } from '../source/source.ts';
import type { KeysFile } from './keys-types.ts';

/** A keys file that follows its schema: the value, and the same with the place of every part. */
export interface KeysDocument {
  readonly source: Source;
  readonly root: DocumentNode;
  readonly value: KeysFile;
}
