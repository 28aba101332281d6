import { type DocumentNode, type DocumentPath, nodeAt } from '../../source/document-node.ts';
import { quotedPiece } from '../../source/quoted-piece.ts';
import type { SchemaFile } from './schema-file.ts';

/** The names of the places of a file in messages. */
export class PlaceNames {
  readonly #root: DocumentNode;
  readonly #file: SchemaFile;

  constructor(root: DocumentNode, file: SchemaFile) {
    this.#root = root;
    this.#file = file;
  }

  /** The value at a path: `"mtu"`, `cluster "rome"`, `an entry of "shortcuts"`. */
  ofValue(path: DocumentPath): string {
    const { what, named } = this.#file;
    if (path.length === 0) return what;
    if (path.length === 2 && path[0] === named.key) return `${named.noun} ${quotedPiece(String(path[1]))}`;
    const parent = path.slice(0, -1);
    if (this.#isItem(path)) return `${this.#isItem(parent) ? 'a part' : 'an entry'} of ${this.ofValue(parent)}`;
    return quotedPiece(String(path.at(-1)));
  }

  /** The map at a path, with its owner: `"gateway.ping" of cluster "rome"`. */
  ofMap(path: DocumentPath): string {
    const { key, noun } = this.#file.named;
    if (path.length === 0) return this.#file.what;
    if (path[0] === key && path.length >= 2) {
      const owner = `${noun} ${quotedPiece(String(path[1]))}`;
      return path.length === 2 ? owner : `${this.#dotted(path, 2)} of ${owner}`;
    }
    return this.#dotted(path, 0);
  }

  /** `"gateway.ping"`, or `an entry of "shortcuts"`, and so on downwards. */
  #dotted(path: DocumentPath, from: number): string {
    for (let length = path.length; length > from; length--) {
      if (!this.#isItem(path.slice(0, length))) continue;
      const entry = `an entry of ${this.#dotted(path.slice(0, length - 1), from)}`;
      return length === path.length ? entry : `${quotedPiece(path.slice(length).join('.'))} of ${entry}`;
    }
    return quotedPiece(path.slice(from).join('.'));
  }

  #isItem(path: DocumentPath): boolean {
    return nodeAt(this.#root, path.slice(0, -1))?.kind === 'list';
  }
}
