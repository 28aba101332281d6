import type { DocumentEntry, DocumentList, DocumentMap, DocumentScalar } from './document-node.ts';
import { type DocumentProblem, duplicateKey } from './document-problem.ts';
import type { Source, Span } from './source.ts';

/** A node that creates its `span` on demand: a fleet has millions of nodes, and most spans are never read. */
export type LocatedNode = MapNode | RowNode | ListNode | ScalarNode;

class LocatedPart {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  #span: Span | undefined;

  constructor(source: Source, start: number, end: number) {
    this.source = source;
    this.start = start;
    this.end = end;
  }

  get span(): Span {
    this.#span ??= { source: this.source, start: this.start, end: this.end };
    return this.#span;
  }
}

export class MapNode extends LocatedPart implements DocumentMap {
  readonly entries: ReadonlyMap<string, EntryNode>;

  constructor(source: Source, start: number, end: number, entries: ReadonlyMap<string, EntryNode>) {
    super(source, start, end);
    this.entries = entries;
  }

  get kind() {
    return 'map' as const;
  }
}

/** A map whose entries are parsed again on every access. */
export class RowNode extends LocatedPart implements DocumentMap {
  readonly #entriesOf: (row: RowNode) => DocumentMap['entries'];

  constructor(source: Source, start: number, end: number, entriesOf: (row: RowNode) => DocumentMap['entries']) {
    super(source, start, end);
    this.#entriesOf = entriesOf;
  }

  get kind() {
    return 'map' as const;
  }

  get entries(): DocumentMap['entries'] {
    return this.#entriesOf(this);
  }
}

export class ListNode extends LocatedPart implements DocumentList {
  readonly items: readonly LocatedNode[];

  constructor(source: Source, start: number, end: number, items: readonly LocatedNode[]) {
    super(source, start, end);
    this.items = items;
  }

  get kind() {
    return 'list' as const;
  }
}

export class ScalarNode extends LocatedPart implements DocumentScalar {
  readonly value: DocumentScalar['value'];

  constructor(source: Source, start: number, end: number, value: DocumentScalar['value']) {
    super(source, start, end);
    this.value = value;
  }

  get kind() {
    return 'scalar' as const;
  }
}

/** A key, with its place, and its value. */
export class EntryNode implements DocumentEntry {
  readonly start: number;
  readonly end: number;
  readonly value: LocatedNode;
  #key: Span | undefined;

  /** @param start the start of the key; `end` is its end */
  constructor(start: number, end: number, value: LocatedNode) {
    this.start = start;
    this.end = end;
    this.value = value;
  }

  get key(): Span {
    this.#key ??= { source: this.value.source, start: this.start, end: this.end };
    return this.#key;
  }
}

/** Collects the entries of one map. A repeated key is a problem in every language; its first value is kept. */
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
