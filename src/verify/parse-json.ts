import type { Source, Span } from '../source/source.ts';
import type { YamlEntry, YamlNode } from '../source/yaml-node.ts';

export type JsonReading =
  | { readonly ok: true; readonly root: YamlNode }
  | { readonly ok: false; readonly message: string; readonly at: Span };

/** A token of JSON with the blanks before it. Numbers and strings are as strict as RFC 8259 has them. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows no control character inside a string.
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/** Deeper than any file of ours by far. */
const DEEPEST = 64;

/** Thrown and caught in this file alone. */
class JsonProblem extends Error {}

/** Reads JSON as YAML's nodes are, with the place of every part: `JSON.parse` keeps no places. */
export function parseJson(source: Source): JsonReading {
  const reader = new Reader(source);
  try {
    const root = reader.value(0);
    return reader.isAtEnd() ? { ok: true, root } : reader.problem('the file goes on behind its end');
  } catch (error) {
    if (error instanceof JsonProblem) return reader.problem(error.message);
    throw error;
  }
}

class Reader {
  readonly source: Source;
  /** Behind the last token. */
  private at = 0;
  private token = '';

  constructor(source: Source) {
    this.source = source;
  }

  value(depth: number): YamlNode {
    this.next();
    return this.valueHere(depth);
  }

  isAtEnd(): boolean {
    return /^[ \t\n\r]*$/.test(this.source.text.slice(this.at));
  }

  problem(message: string): JsonReading {
    const { source } = this;
    const blanks = /^[ \t\n\r]*/.exec(source.text.slice(this.at))?.[0].length ?? 0;
    const start = Math.min(this.at + blanks, Math.max(0, source.text.length - 1));
    return { ok: false, message: `this is not JSON: ${message}`, at: { source, start, end: start + 1 } };
  }

  private next(): string {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.source.text);
    if (!found) throw new JsonProblem('something else should stand here');
    this.token = found[1] ?? found[2] ?? found[3] ?? '';
    this.at = TOKEN.lastIndex;
    return this.token;
  }

  private span(): Span {
    return { source: this.source, start: this.at - this.token.length, end: this.at };
  }

  private valueHere(depth: number): YamlNode {
    if (depth > DEEPEST) throw new JsonProblem('it is nested too deep');
    const { token } = this;
    const span = this.span();
    if (token === '{') return this.map(span, depth);
    if (token === '[') return this.list(span, depth);
    if (/^[}\],:]$/.test(token)) return this.unexpected();
    return { kind: 'scalar', span, value: JSON.parse(token) as string | number | boolean | null };
  }

  private unexpected(): never {
    const { token } = this;
    this.at -= token.length;
    throw new JsonProblem(`"${token}" does not belong here`);
  }

  private map(start: Span, depth: number): YamlNode {
    const entries = new Map<string, YamlEntry>();
    if (this.next() !== '}') {
      for (;;) {
        if (!this.token.startsWith('"')) this.unexpected();
        const [key, name] = [this.span(), JSON.parse(this.token) as string];
        if (entries.has(name)) this.unexpected();
        if (this.next() !== ':') this.unexpected();
        entries.set(name, { key, value: this.value(depth + 1) });
        if (this.next() === '}') break;
        if (this.token !== ',') this.unexpected();
        this.next();
      }
    }
    return { kind: 'map', span: { ...start, end: this.at }, entries };
  }

  private list(start: Span, depth: number): YamlNode {
    const items: YamlNode[] = [];
    if (this.next() !== ']') {
      for (;;) {
        items.push(this.valueHere(depth + 1));
        if (this.next() === ']') break;
        if (this.token !== ',') this.unexpected();
        this.next();
      }
    }
    return { kind: 'list', span: { ...start, end: this.at }, items };
  }
}
