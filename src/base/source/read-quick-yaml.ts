import type { DocumentScalar } from './document-node.ts';
import { EntryNode, ListNode, type LocatedNode, MapNode, ScalarNode } from './located-nodes.ts';
import type { Source } from './source.ts';

/** The limits of a text: documents, and UTF-16 code units. */
interface QuickSettings {
  readonly documents: 'one' | 'several';
  readonly longest: number;
}

/** The limits for files of weft. */
export const PRINTED: QuickSettings = { documents: 'several', longest: Number.POSITIVE_INFINITY };

/** The limits for files of users; a text of this length has at most as many tokens as weft supports. */
export const WRITTEN: QuickSettings = { documents: 'one', longest: 4_000_000 };

/**
 * Reads YAML as weft prints it and as users mostly write it: documents of block maps, lists, brackets and braces on one
 * line, scalars on one line, literal blocks, comments. The result equals that of the `yaml` package, with the same
 * places, in a small part of its time and memory. `undefined` for any other text, and for every mistake.
 */
export function readQuickYaml(source: Source, { documents, longest }: QuickSettings): readonly MapNode[] | undefined {
  const { text } = source;
  if (text.length > longest || !text.endsWith('\n') || OTHER_CHARACTERS.test(text)) return undefined;
  try {
    return new QuickReader(source).documents(documents);
  } catch (error) {
    if (error === OTHER_STYLE) return undefined;
    throw error;
  }
}

/** Thrown only inside this file, for a text that the package must read. */
const OTHER_STYLE = Symbol('other style');

/** Tabs, Windows line ends, byte order marks, and characters that parsers may treat differently. */
const OTHER_CHARACTERS = /[^\n\x20-\x7e\xa1-\u167f]/;

/** The maximum of levels. The package allows more, counted in another way. */
const DEEPEST = 24;

/** Characters. Parsers need not accept a longer key. Source: YAML 1.2.2, 7.4.2 "Flow Mappings". */
const LONGEST_KEY = 1000;

/** Words that are not strings. Source: YAML 1.2.2, 10.3.2 "Tag Resolution". */
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ...['null', 'Null', 'NULL'].map((it) => [it, null] as const),
  ...['true', 'True', 'TRUE'].map((it) => [it, true] as const),
  ...['false', 'False', 'FALSE'].map((it) => [it, false] as const),
]);

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
const BAR = 124;
const CLOSE_MAP = 125;

/** A name, a path, a network, a key in base64: no part has a meaning in YAML, inside or outside brackets. */
const WORD = /[A-Za-z0-9./+][A-Za-z0-9._/+=-]*(?::(?=[A-Za-z0-9./])[A-Za-z0-9._/+=-]*)*/y;

/** Words with single spaces between them, which may contain colons and commas; outside brackets only. */
const WORDS = /(?:[A-Za-z0-9./+]|-(?=[0-9]))[^ :#\n]*(?:(?:#|:(?=[^ \n])| (?=[^ #\n]))[^ :#\n]*)*/y;

const IN_QUOTES = /"([^"\\\n]*(?:\\[^\n][^"\\\n]*)*)"/y;
const IN_APOSTROPHES = /'([^'\n]*(?:''[^'\n]*)*)'/y;
const LITERAL_HEADER = /\|(-?)\n/y;

class QuickReader {
  readonly #source: Source;
  readonly #text: string;
  /** The current offset. */
  #at = 0;
  /** The column of the current token, the first of its line; -1 at the end of the text. */
  #column = -1;
  #depth = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#text = source.text;
  }

  documents(count: 'one' | 'several'): readonly MapNode[] {
    const documents: MapNode[] = [];
    for (;;) {
      this.#lineFrom(this.#at);
      if (this.#column !== 0) throw OTHER_STYLE;
      documents.push(this.#blockMap(0));
      if (this.#at === this.#text.length) return documents;
      const isNext = count === 'several' && this.#column === 0 && this.#text.startsWith('---\n', this.#at);
      if (!isNext) throw OTHER_STYLE;
      this.#at += 4;
    }
  }

  /** Reads a map whose keys begin in this column, from its first key. */
  #blockMap(column: number): MapNode {
    this.#deeper();
    const start = this.#at;
    const entries = new Map<string, EntryNode>();
    let end = start;
    do {
      const keyStart = this.#at;
      const name = this.#key();
      if (entries.has(name)) throw OTHER_STYLE;
      const keyEnd = this.#at - 1;
      const value = this.#blockValue(column);
      entries.set(name, new EntryNode(keyStart, keyEnd, value));
      end = value.end;
    } while (this.#column === column && this.#code() !== DASH);
    this.#depth--;
    return new MapNode(this.#source, start, end, entries);
  }

  /** Reads a list whose dashes are in this column, from its first dash. */
  #blockList(column: number): ListNode {
    this.#deeper();
    const start = this.#at;
    const items: LocatedNode[] = [];
    let end = start;
    do {
      this.#at += 2;
      const item = this.#blockItem(column);
      items.push(item);
      end = item.end;
    } while (this.#column === column && this.#isDash());
    this.#depth--;
    return new ListNode(this.#source, start, end, items);
  }

  /** Reads after a dash and a space: a value on this line, or a list or a map that begins on it. */
  #blockItem(column: number): LocatedNode {
    if (this.#isDash()) return this.#blockList(column + 2);
    const end = this.#nameEnd();
    const next = end === undefined || this.#text.charCodeAt(end) !== COLON ? 0 : this.#text.charCodeAt(end + 1);
    return next === SPACE || next === NEWLINE ? this.#blockMap(column + 2) : this.#lineValue(column);
  }

  /** Reads the value after the colon of a key in this column. */
  #blockValue(column: number): LocatedNode {
    const code = this.#code();
    if (code === SPACE) {
      this.#spaces();
      return this.#lineValue(column);
    }
    if (code !== NEWLINE) throw OTHER_STYLE;
    const end = this.#at;
    this.#lineFrom(end + 1);
    const below = this.#column;
    const isDash = this.#isDash();
    if (below > column || (below === column && isDash)) return isDash ? this.#blockList(below) : this.#blockMap(below);
    return new ScalarNode(this.#source, end, end, null);
  }

  /** Reads a value and moves to the next line with content. `column` is that of its key or dash. */
  #lineValue(column: number): LocatedNode {
    if (this.#code() === BAR) return this.#literal(column + 2);
    const value = this.#value(WORDS);
    this.#spaces();
    const code = this.#code();
    if (code !== NEWLINE && (code !== HASH || this.#at === value.end)) throw OTHER_STYLE;
    this.#lineFrom(this.#lineEnd() + 1);
    return value;
  }

  /** @param form the form of a value without quotes */
  #value(form: RegExp): LocatedNode {
    switch (this.#code()) {
      case OPEN_MAP:
        return this.#flowMap();
      case OPEN_LIST:
        return this.#flowList();
      case QUOTE:
      case APOSTROPHE: {
        const start = this.#at;
        const value = this.#quoted();
        return new ScalarNode(this.#source, start, this.#at, value);
      }
      default: {
        const start = this.#at;
        this.#at = endOf(form, this.#text, start) ?? otherStyle();
        return new ScalarNode(this.#source, start, this.#at, plainValue(this.#text.slice(start, this.#at)));
      }
    }
  }

  #flowMap(): MapNode {
    this.#deeper();
    const start = this.#at++;
    const entries = new Map<string, EntryNode>();
    this.#spaces();
    while (this.#code() !== CLOSE_MAP) {
      const keyStart = this.#at;
      const name = this.#key();
      if (entries.has(name) || this.#code() !== SPACE) throw OTHER_STYLE;
      const keyEnd = this.#at - 1;
      this.#spaces();
      entries.set(name, new EntryNode(keyStart, keyEnd, this.#value(WORD)));
      this.#separator(CLOSE_MAP);
    }
    this.#depth--;
    return new MapNode(this.#source, start, ++this.#at, entries);
  }

  #flowList(): ListNode {
    this.#deeper();
    const start = this.#at++;
    const items: LocatedNode[] = [];
    this.#spaces();
    while (this.#code() !== CLOSE_LIST) {
      items.push(this.#value(WORD));
      this.#separator(CLOSE_LIST);
    }
    this.#depth--;
    return new ListNode(this.#source, start, ++this.#at, items);
  }

  /** Reads a comma with the white space after it, or the closing bracket. */
  #separator(close: number): void {
    this.#spaces();
    if (this.#code() === close) return;
    if (this.#code() !== COMMA || this.#text.charCodeAt(++this.#at) !== SPACE) throw OTHER_STYLE;
    this.#spaces();
    if (this.#code() === close) throw OTHER_STYLE;
  }

  /** Reads a literal block in this column. Its last line has text, because trailing empty lines would matter. */
  #literal(column: number): ScalarNode {
    const text = this.#text;
    const start = this.#at;
    LITERAL_HEADER.lastIndex = start;
    const [header, chomping] = LITERAL_HEADER.exec(text) ?? otherStyle();
    this.#at += header.length;
    const first = this.#at;
    const lines: string[] = [];
    while (this.#at < text.length) {
      const [lineStart, lineEnd] = [this.#at, this.#lineEnd()];
      this.#spaces();
      const indent = this.#at - lineStart;
      // Parsers treat lines of spaces differently.
      if ((indent > 0 && this.#at === lineEnd) || (lineStart === first && indent !== column)) throw OTHER_STYLE;
      this.#at = lineStart;
      if (indent < column && lineEnd > lineStart) break;
      lines.push(text.slice(lineStart + column, lineEnd));
      this.#at = lineEnd + 1;
    }
    if ((lines.at(-1) ?? '') === '') throw OTHER_STYLE;
    const end = this.#at;
    this.#lineFrom(end);
    return new ScalarNode(this.#source, start, end, lines.join('\n') + (chomping === '' ? '\n' : ''));
  }

  /** Reads a key and its colon. */
  #key(): string {
    const start = this.#at;
    const end = this.#nameEnd() ?? otherStyle();
    if (end - start > LONGEST_KEY || this.#text.charCodeAt(end) !== COLON) throw OTHER_STYLE;
    const name = this.#code() === QUOTE ? this.#quoted() : this.#text.slice(start, end);
    if (this.#text.charCodeAt(start) !== QUOTE && typeof plainValue(name) !== 'string') throw OTHER_STYLE;
    this.#at = end + 1;
    return name;
  }

  /** The end of the key that begins here. */
  #nameEnd(): number | undefined {
    return endOf(this.#code() === QUOTE ? IN_QUOTES : WORD, this.#text, this.#at);
  }

  /** Reads a string in quotes or apostrophes. */
  #quoted(): string {
    const isQuote = this.#code() === QUOTE;
    const form = isQuote ? IN_QUOTES : IN_APOSTROPHES;
    const start = this.#at;
    this.#at = endOf(form, this.#text, start) ?? otherStyle();
    const inside = this.#text.slice(start + 1, this.#at - 1);
    if (isQuote) return inside.includes('\\') ? unescaped(inside) : inside;
    return inside.replaceAll("''", "'");
  }

  /** Moves to the next line with content; `from` is the start of a line. */
  #lineFrom(from: number): void {
    let start = from;
    while (start < this.#text.length) {
      this.#at = start;
      this.#spaces();
      const code = this.#code();
      if (code !== HASH && code !== NEWLINE) {
        this.#column = this.#at - start;
        return;
      }
      start = this.#lineEnd() + 1;
    }
    this.#at = start;
    this.#column = -1;
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

  #lineEnd(): number {
    return this.#text.indexOf('\n', this.#at);
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }
}

function otherStyle(): never {
  throw OTHER_STYLE;
}

/** The end of the text of a form that starts here. */
function endOf(form: RegExp, text: string, start: number): number | undefined {
  form.lastIndex = start;
  return form.test(text) ? form.lastIndex : undefined;
}

/** The supported escapes; YAML has more. Source: YAML 1.2.2, 5.7 "Escaped Characters". */
const ESCAPE = /\\(?:(["\\ntr])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5})|)/g;

const SHORT: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r' };

/** Resolves the escapes inside a string in double quotes. */
const unescaped = (inside: string): string =>
  inside.replace(ESCAPE, (_, short?: string, two?: string, four?: string, eight?: string) => {
    const digits = two ?? four ?? eight;
    if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16));
    return SHORT[short ?? ''] ?? otherStyle();
  });

/** Source: YAML 1.2.2, 10.3.2 "Tag Resolution". */
const NUMBER =
  /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Whole numbers that every parser reads exactly. */
const WHOLE_NUMBER = /^-?(?:0|[1-9][0-9]{0,14})$/;

/** The value of a scalar without quotes. */
function plainValue(text: string): DocumentScalar['value'] {
  // Digits, signs and dots have smaller codes than letters.
  if (text.charCodeAt(0) <= COLON && NUMBER.test(text)) return WHOLE_NUMBER.test(text) ? Number(text) : otherStyle();
  const constant = CONSTANTS.get(text);
  return constant === undefined ? text : constant;
}
