import type { DocumentNode, DocumentScalar } from './document-node.ts';
import { EntryNode, ListNode, type LocatedNode, MapNode, ScalarNode } from './located-nodes.ts';
import { CONSTANTS, DEEPEST, LONGEST_KEY, OTHER_CHARACTERS } from './slow-path.ts';
import type { Source } from './source.ts';

/**
 * Reads YAML of one style: block maps and lists, two columns a level, each scalar on the line of its key or dash, literal
 * blocks, `[]` and `{}`, comments only in front of a document. The result is that of the strict reader, with the same places.
 * `undefined` for any other text, whether it is YAML or not.
 */
export function readPrintedYaml(source: Source): readonly DocumentNode[] | undefined {
  if (!source.text.endsWith('\n') || OTHER_CHARACTERS.test(source.text)) return undefined;
  return new PrintedReader(source).documents();
}

/** The code units that decide how reading continues. */
const SPACE = 32;
const NEWLINE = 10;
const QUOTE = 34;
const SINGLE_QUOTE = 39;
const HASH = 35;
const DASH = 45;
const COLON = 58;
const BACKSLASH = 92;

/** A key without quotes and its colon. Longer words that are null, and no string, do not fit. */
const PLAIN_KEY = /(?!(?:null|Null|NULL):)[A-Za-z][A-Za-z0-9._/-]*:(?=[ \n])/y;

const BLOCK_HEADER = /\|(-?)\n/y;

/** Its methods return `undefined` where the text has another style. */
class PrintedReader {
  readonly #source: Source;
  readonly #text: string;
  /** Where reading continues. */
  #at = 0;
  #depth = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#text = source.text;
  }

  documents(): readonly DocumentNode[] | undefined {
    const documents: LocatedNode[] = [];
    for (;;) {
      while (this.#code() === HASH) this.#at = this.#lineEnd() + 1;
      const root = this.#map(0);
      if (root === undefined) return undefined;
      documents.push(root);
      if (this.#at === this.#text.length) return documents;
      if (!this.#text.startsWith('---\n', this.#at)) return undefined;
      this.#at += 4;
    }
  }

  /** A map whose keys begin in this column; the first one is here. */
  #map(column: number): LocatedNode | undefined {
    if (++this.#depth > DEEPEST) return undefined;
    const entries = new Map<string, EntryNode>();
    const start = this.#at;
    let end = start;
    do {
      const keyStart = this.#at;
      const name = this.#key();
      if (name === undefined || entries.has(name)) return undefined;
      const keyEnd = this.#at - 1;
      const value = this.#code() === NEWLINE ? this.#valueBelow(column) : this.#valueAfterSpace(column);
      if (value === undefined) return undefined;
      entries.set(name, new EntryNode(keyStart, keyEnd, value));
      end = value.end;
    } while (this.#nextLine(column, false));
    this.#depth--;
    return new MapNode(this.#source, start, end, entries);
  }

  /** A list whose dashes are in this column; the first one is here. */
  #list(column: number): LocatedNode | undefined {
    if (++this.#depth > DEEPEST) return undefined;
    const items: LocatedNode[] = [];
    const start = this.#at;
    let end = start;
    do {
      this.#at++;
      const item = this.#item(column);
      if (item === undefined) return undefined;
      items.push(item);
      end = item.end;
    } while (this.#nextLine(column, true));
    this.#depth--;
    return new ListNode(this.#source, start, end, items);
  }

  /** The item of a list, after its dash. */
  #item(column: number): LocatedNode | undefined {
    if (this.#isDash(this.#at + 1)) {
      this.#at++;
      return this.#list(column + 2);
    }
    const before = this.#at++;
    const isMap = this.#key() !== undefined;
    this.#at = before;
    if (!isMap) return this.#valueAfterSpace(column);
    this.#at++;
    return this.#text.charCodeAt(before) === SPACE ? this.#map(column + 2) : undefined;
  }

  /** Moves to the next line of a map or a list in this column; `false` at any other line. */
  #nextLine(column: number, isList: boolean): boolean {
    const at = this.#indented();
    if (at - this.#at !== column || at === this.#text.length || this.#isDash(at) !== isList) return false;
    if (column === 0 && this.#text.startsWith('---', at)) return false;
    this.#at = at;
    return true;
  }

  /** A key, to behind its colon. */
  #key(): string | undefined {
    const start = this.#at;
    if (this.#code() !== QUOTE) {
      PLAIN_KEY.lastIndex = start;
      if (!PLAIN_KEY.test(this.#text)) return undefined;
      this.#at = PLAIN_KEY.lastIndex;
      return this.#at - start > LONGEST_KEY ? undefined : this.#text.slice(start, this.#at - 1);
    }
    const name = this.#quoted();
    if (name === undefined || this.#code() !== COLON || this.#at - start > LONGEST_KEY) return undefined;
    const next = this.#text.charCodeAt(++this.#at);
    return next === SPACE || next === NEWLINE ? name : undefined;
  }

  /** A list or a map in the lines below the line of its key. */
  #valueBelow(column: number): LocatedNode | undefined {
    this.#at++;
    const at = this.#indented();
    const found = at - this.#at;
    this.#at = at;
    if (this.#isDash(at)) return found === column || found === column + 2 ? this.#list(found) : undefined;
    return found === column + 2 ? this.#map(found) : undefined;
  }

  /** A value on the line of its key or dash, to the start of the line after it. */
  #valueAfterSpace(column: number): LocatedNode | undefined {
    const text = this.#text;
    if (this.#code() !== SPACE) return undefined;
    const start = ++this.#at;
    switch (text.charAt(start)) {
      case '"': {
        const value = this.#quoted();
        return value === undefined ? undefined : this.#scalar(start, value);
      }
      case "'": {
        const value = this.#singleQuoted();
        return value === undefined ? undefined : this.#scalar(start, value);
      }
      case '|':
        return this.#block(start, column + 2);
      case '[':
        this.#at += 2;
        return text.startsWith('[]\n', start) ? new ListNode(this.#source, start, this.#at++, []) : undefined;
      case '{':
        this.#at += 2;
        return text.startsWith('{}\n', start) ? new MapNode(this.#source, start, this.#at++, new Map()) : undefined;
      default: {
        this.#at = this.#lineEnd();
        const value = plainScalar(text.slice(start, this.#at));
        return value === undefined ? undefined : this.#scalar(start, value);
      }
    }
  }

  /** A scalar that ends here, where its line must end, too; the line break is passed. */
  #scalar(start: number, value: DocumentScalar['value']): LocatedNode | undefined {
    return this.#code() === NEWLINE ? new ScalarNode(this.#source, start, this.#at++, value) : undefined;
  }

  /** A string in double quotes, to behind them. */
  #quoted(): string | undefined {
    const text = this.#text;
    const start = ++this.#at;
    let escapes = false;
    for (let code = this.#code(); code !== QUOTE; code = text.charCodeAt(++this.#at)) {
      if (code === BACKSLASH) {
        escapes = true;
        code = text.charCodeAt(++this.#at);
      }
      if (code === NEWLINE) return undefined;
    }
    const inside = text.slice(start, this.#at++);
    return escapes ? unescaped(inside) : inside;
  }

  /** A string in single quotes, where two of them are one, to behind them. */
  #singleQuoted(): string | undefined {
    const text = this.#text;
    const start = ++this.#at;
    let doubled = false;
    for (; ; this.#at++) {
      const code = this.#code();
      if (code === NEWLINE) return undefined;
      if (code !== SINGLE_QUOTE) continue;
      if (text.charCodeAt(this.#at + 1) !== SINGLE_QUOTE) break;
      doubled = true;
      this.#at++;
    }
    const inside = text.slice(start, this.#at++);
    return doubled ? inside.replaceAll("''", "'") : inside;
  }

  /** A literal block, whose lines begin in this column. The last one has text: how many empty ones follow would matter. */
  #block(start: number, column: number): LocatedNode | undefined {
    const text = this.#text;
    BLOCK_HEADER.lastIndex = start;
    const header = BLOCK_HEADER.exec(text);
    if (header === null) return undefined;
    this.#at = BLOCK_HEADER.lastIndex;
    if (this.#indented() - this.#at !== column) return undefined;
    const lines: string[] = [];
    let lastIsEmpty = true;
    while (this.#at < text.length) {
      const lineEnd = this.#lineEnd();
      const first = this.#indented();
      const isEmpty = lineEnd === this.#at;
      if (!isEmpty && first - this.#at < column) break;
      // Parsers do not agree on lines of spaces.
      if (!isEmpty && first === lineEnd) return undefined;
      lines.push(isEmpty ? '' : text.slice(this.#at + column, lineEnd));
      lastIsEmpty = isEmpty;
      this.#at = lineEnd + 1;
    }
    if (lastIsEmpty) return undefined;
    const value = lines.join('\n') + (header[1] === '' ? '\n' : '');
    return new ScalarNode(this.#source, start, this.#at, value);
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #isDash(at: number): boolean {
    return this.#text.charCodeAt(at) === DASH && this.#text.charCodeAt(at + 1) === SPACE;
  }

  #lineEnd(): number {
    return this.#text.indexOf('\n', this.#at);
  }

  /** Where the spaces end that begin here. */
  #indented(): number {
    let at = this.#at;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    return at;
  }
}

/** The escapes that are read; YAML has more of them. Source: YAML 1.2.2, 5.7 "Escaped Characters". */
const ESCAPE = /\\(?:(["\\ntr])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5})|)/g;

const SHORT: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r' };

/** The inside of a string in double quotes; `undefined` if it has an escape that is not read. */
function unescaped(inside: string): string | undefined {
  let isKnown = true;
  const value = inside.replace(ESCAPE, (_, short?: string, two?: string, four?: string, eight?: string) => {
    const digits = two ?? four ?? eight;
    if (short !== undefined) return SHORT[short] as string;
    if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16));
    isKnown = false;
    return '';
  });
  return isKnown ? value : undefined;
}

/** What is a string in every version of YAML: it begins like a name, a path or an address, and contains no indicator. */
const WORD = /^[A-Za-z0-9/](?:[^ :#]|:(?![ ]|$)|(?<! )#| (?![ #]|$))*$/;

/** Source: YAML 1.2.2, 10.3.2 "Tag Resolution". */
const NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)$/;

/** Any parser reads these as the same number, exactly. */
const WHOLE_NUMBER = /^-?(?:0|[1-9][0-9]{0,14})$/;

/** The value of a scalar without quotes, on one line; `undefined` for what a stricter reader has to look at. */
function plainScalar(text: string): string | number | boolean | null | undefined {
  if (WHOLE_NUMBER.test(text)) return Number(text);
  if (!WORD.test(text) || NUMBER.test(text)) return undefined;
  const constant = CONSTANTS.get(text);
  return constant === undefined ? text : constant;
}
