import type { DocumentEntry, DocumentMap, DocumentNode, DocumentScalar } from './document-node.ts';
import { CONSTANTS, DEEPEST, LONGEST_KEY, OTHER_CHARACTERS } from './slow-path.ts';
import type { Source, Span } from './source.ts';

/**
 * Reads YAML as people mostly write it: block maps and lists, brackets and braces on one line, scalars on one line, comments.
 * The result is that of the `yaml` package, with the same places, in a tenth of its time and memory. `undefined` for any other
 * text, and for every mistake.
 */
export function readWrittenYaml(source: Source): DocumentMap | undefined {
  const { text } = source;
  if (text.length > LONGEST || !text.endsWith('\n') || OTHER_CHARACTERS.test(text)) return undefined;
  return new WrittenReader(source).document();
}

/** UTF-16 code units. A text without more of them has no more tokens than weft supports. */
const LONGEST = 4_000_000;

const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const COMMA = 44;
const DASH = 45;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_MAP = 123;
const CLOSE_MAP = 125;

/** A name, a path, a network, a key in base64: nothing in it has a meaning in YAML, in or outside brackets. */
const WORD = /[A-Za-z0-9./+](?:[A-Za-z0-9._/+=-]|:(?=[A-Za-z0-9./]))*/y;

/** Words with single spaces between them, which may contain colons and commas; outside brackets only. */
const WORDS = /[A-Za-z0-9./+](?:[A-Za-z0-9._/+=@()$%,;!?*&<>-]|:(?=[^ \n])| (?=[^ #\n]))*/y;

/** Source: YAML 1.2.2, 10.3.2 "Tag Resolution". */
const NUMBER =
  /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Any parser reads these as the same number, exactly. */
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;

/** Thrown inside this file alone, where a text is to be read by the package. */
const OTHER_STYLE = Symbol('other style');

class WrittenReader {
  readonly #source: Source;
  readonly #text: string;
  /** Where reading continues. */
  #at = 0;
  #depth = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#text = source.text;
  }

  document(): DocumentMap | undefined {
    try {
      if (this.#lineFrom(0) !== 0) return undefined;
      const root = this.#blockMap(0);
      return this.#at === this.#text.length ? root : undefined;
    } catch (error) {
      if (error === OTHER_STYLE) return undefined;
      throw error;
    }
  }

  /** A map whose keys begin in this column; the first one is here. */
  #blockMap(column: number): DocumentMap {
    this.#deeper();
    const start = this.#at;
    const entries = new Map<string, DocumentEntry>();
    let end = start;
    do {
      if (this.#isDash()) throw OTHER_STYLE;
      const key = this.#key(entries);
      const value = this.#blockValue(column);
      entries.set(key.name, { key: key.at, value });
      end = Math.max(key.at.end, value.span.end);
    } while (this.#column() === column);
    this.#depth--;
    return { kind: 'map', span: this.#span(start, end), entries };
  }

  /** A list whose dashes are in this column; the first one is here. */
  #blockList(column: number): DocumentNode {
    this.#deeper();
    const start = this.#at;
    const items: DocumentNode[] = [];
    let end = start;
    do {
      this.#at += 2;
      const item = this.#blockItem(column);
      items.push(item);
      end = item.span.end;
    } while (this.#column() === column && this.#isDash());
    this.#depth--;
    return { kind: 'list', span: this.#span(start, end), items };
  }

  /** After a dash and a space: a scalar, brackets, or a map that begins on this line. */
  #blockItem(column: number): DocumentNode {
    const start = this.#at;
    WORD.lastIndex = start;
    const isKey = WORD.test(this.#text) && this.#text.charCodeAt(WORD.lastIndex) === COLON;
    if (isKey && this.#endsWord(WORD.lastIndex + 1)) return this.#blockMap(column + 2);
    return this.#lineValue();
  }

  /** What follows the colon of a key. */
  #blockValue(column: number): DocumentNode {
    const code = this.#code();
    if (code === SPACE) {
      this.#spaces();
      return this.#lineValue();
    }
    if (code !== NEWLINE) throw OTHER_STYLE;
    const colon = this.#at - 1;
    const below = this.#nextLine();
    if (below === column && this.#isDash()) return this.#blockList(below);
    if (below <= column) return { kind: 'scalar', span: this.#span(colon + 1, colon + 1), value: null };
    return this.#isDash() ? this.#blockList(below) : this.#blockMap(below);
  }

  /** A value up to the end of its line, and on to the next line with content. */
  #lineValue(): DocumentNode {
    const value = this.#value(true);
    const before = this.#at;
    this.#spaces();
    if (this.#code() === HASH && this.#at === before) throw OTHER_STYLE;
    if (this.#code() !== HASH && this.#code() !== NEWLINE) throw OTHER_STYLE;
    this.#nextLine();
    return value;
  }

  #value(isBlock: boolean): DocumentNode {
    switch (this.#code()) {
      case OPEN_MAP:
        return this.#flowMap();
      case OPEN_LIST:
        return this.#flowList();
      case QUOTE:
      case APOSTROPHE:
        return this.#quoted();
      default:
        return this.#plain(isBlock ? WORDS : WORD);
    }
  }

  #flowMap(): DocumentMap {
    this.#deeper();
    const start = this.#at++;
    const entries = new Map<string, DocumentEntry>();
    this.#spaces();
    while (this.#code() !== CLOSE_MAP) {
      const key = this.#key(entries);
      if (this.#code() !== SPACE) throw OTHER_STYLE;
      this.#spaces();
      entries.set(key.name, { key: key.at, value: this.#value(false) });
      this.#separator(CLOSE_MAP);
    }
    this.#depth--;
    return { kind: 'map', span: this.#span(start, ++this.#at), entries };
  }

  #flowList(): DocumentNode {
    this.#deeper();
    const start = this.#at++;
    const items: DocumentNode[] = [];
    this.#spaces();
    while (this.#code() !== CLOSE_LIST) {
      items.push(this.#value(false));
      this.#separator(CLOSE_LIST);
    }
    this.#depth--;
    return { kind: 'list', span: this.#span(start, ++this.#at), items };
  }

  /** A comma and what follows it, or the closing bracket. */
  #separator(close: number): void {
    this.#spaces();
    if (this.#code() === close) return;
    if (this.#code() !== COMMA) throw OTHER_STYLE;
    this.#at++;
    if (this.#code() !== SPACE) throw OTHER_STYLE;
    this.#spaces();
    if (this.#code() === close) throw OTHER_STYLE;
  }

  /** A key, to behind its colon. */
  #key(known: ReadonlyMap<string, unknown>): { readonly name: string; readonly at: Span } {
    const start = this.#at;
    const { value } = this.#code() === QUOTE ? this.#quoted() : this.#plain(WORD);
    const end = this.#at;
    const isName = typeof value === 'string' && !known.has(value) && end - start <= LONGEST_KEY;
    if (!isName || this.#code() !== COLON) throw OTHER_STYLE;
    this.#at++;
    return { name: value, at: this.#span(start, end) };
  }

  /** A string in quotes, without escapes and without a quote in it. */
  #quoted(): DocumentScalar {
    const start = this.#at;
    const end = this.#text.indexOf(this.#text.charAt(start), start + 1);
    const value = this.#text.slice(start + 1, end);
    if (end === -1 || /[\n\\'"]/.test(value)) throw OTHER_STYLE;
    this.#at = end + 1;
    return { kind: 'scalar', span: this.#span(start, this.#at), value };
  }

  #plain(form: RegExp): DocumentScalar {
    const start = this.#at;
    form.lastIndex = start;
    if (!form.test(this.#text)) throw OTHER_STYLE;
    this.#at = form.lastIndex;
    return { kind: 'scalar', span: this.#span(start, this.#at), value: plainValue(this.#text.slice(start, this.#at)) };
  }

  /** Moves to the next line that has more than a comment; `from` is the start of a line. Gives its column, -1 at the end. */
  #lineFrom(from: number): number {
    let start = from;
    while (start < this.#text.length) {
      this.#at = start;
      this.#spaces();
      const code = this.#code();
      if (code !== HASH && code !== NEWLINE) return this.#at - start;
      start = this.#lineEnd() + 1;
    }
    this.#at = start;
    return -1;
  }

  #nextLine(): number {
    return this.#lineFrom(this.#lineEnd() + 1);
  }

  /** The column of what is here, the first of its line; -1 at the end of the text. */
  #column(): number {
    return this.#at >= this.#text.length ? -1 : this.#at - this.#text.lastIndexOf('\n', this.#at - 1) - 1;
  }

  #deeper(): void {
    if (++this.#depth > DEEPEST) throw OTHER_STYLE;
  }

  #spaces(): void {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
  }

  #isDash(): boolean {
    return this.#code() === DASH && this.#text.charCodeAt(this.#at + 1) === SPACE;
  }

  #endsWord(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === SPACE || code === NEWLINE;
  }

  #lineEnd(): number {
    return this.#text.indexOf('\n', this.#at);
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #span(start: number, end: number): Span {
    return { source: this.#source, start, end };
  }
}

function plainValue(text: string): string | number | boolean | null {
  const first = text.charCodeAt(0);
  // Digits, signs and dots come before all letters.
  if (first <= COLON && NUMBER.test(text)) {
    if (!WHOLE_NUMBER.test(text)) throw OTHER_STYLE;
    return Number(text);
  }
  const constant = CONSTANTS.get(text);
  return constant === undefined ? text : constant;
}
