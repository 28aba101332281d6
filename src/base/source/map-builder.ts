import type { DocumentEntry } from './document-node.ts';
import { type DocumentProblem, duplicateKey } from './document-problem.ts';

/** Collects the entries of one map. A key that appears again is a problem in every language; its first value stays. */
export class MapBuilder<T extends DocumentEntry = DocumentEntry> {
  readonly entries = new Map<string, T>();
  readonly #problems: DocumentProblem[];

  constructor(problems: DocumentProblem[]) {
    this.#problems = problems;
  }

  add(name: string, entry: T): void {
    const earlier = this.entries.get(name);
    if (earlier) this.#problems.push(duplicateKey(name, entry.key, earlier.key));
    else this.entries.set(name, entry);
  }
}
