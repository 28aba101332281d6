import type { Prefix } from '../../base/net/prefix.ts';
import { readPrintedAddress, readPrintedPrefix } from '../../base/net/text.ts';
import type { Source, Span } from '../../base/source/source.ts';

/** A file of rules for `nft -f`, in the subset that weft writes: tables of base chains whose rules translate. */
export interface NftFile {
  readonly source: Source;
  readonly tables: readonly NftTable[];
}

interface NftTable {
  readonly family: string;
  readonly name: string;
  readonly at: Span;
  readonly chains: readonly NftChain[];
}

export interface NftChain {
  readonly name: string;
  readonly at: Span;
  readonly type: string;
  readonly hook: string;
  readonly priority: number;
  readonly policy: string;
  /** The line between the name and the rules. */
  readonly declaration: Span;
  readonly rules: readonly NftRule[];
}

export interface NftRule {
  readonly at: Span;
  readonly matches: readonly NftMatch[];
  readonly nat: NftNat;
  /** The name of the rule, which is its comment; `null` without one. */
  readonly name: { readonly text: string; readonly at: Span } | null;
}

export type NftMatch =
  | { readonly key: 'saddr' | 'daddr'; readonly negated: boolean; readonly value: Prefix; readonly at: Span }
  | { readonly key: 'iifname' | 'oifname'; readonly negated: boolean; readonly value: string; readonly at: Span };

export interface NftNat {
  readonly kind: 'dnat' | 'snat';
  /** True when host bits are kept; otherwise `to` is one address. */
  readonly keepsHost: boolean;
  readonly to: Prefix;
  readonly at: Span;
}

type NftReading =
  | { readonly ok: true; readonly file: NftFile }
  | { readonly ok: false; readonly message: string; readonly at: Span };

/** Thrown and caught in this file only: a parser that returns problems from every function is hard to read. */
class NftProblem extends Error {
  readonly at: Span;
  constructor(message: string, at: Span) {
    super(message);
    this.at = at;
  }
}

/** Reads rules for `nft -f`, in the subset that translates addresses. */
export function parseNft(source: Source): NftReading {
  try {
    return { ok: true, file: { source, tables: tablesOf(new Words(source)) } };
  } catch (error) {
    if (error instanceof NftProblem) return { ok: false, message: error.message, at: error.at };
    throw error;
  }
}

/** A cursor in the tokens. */
class Words {
  readonly source: Source;
  readonly #text: string;
  /** The next token. */
  token: NftToken;

  constructor(source: Source) {
    this.source = source;
    this.#text = source.text;
    this.token = nftTokenAt(this.#text, 0);
  }

  next(): NftToken {
    const { token } = this;
    this.token = nftTokenAt(this.#text, token.end);
    return token;
  }

  skip(...kinds: readonly NftToken['kind'][]): void {
    while (kinds.includes(this.token.kind)) this.next();
  }

  is(text: string): boolean {
    return this.token.text === text && this.token.kind !== 'string';
  }

  take(text: string): NftToken {
    if (!this.is(text)) this.fail(`"${text}" is missing`);
    return this.next();
  }

  word(what: string): NftToken {
    if (this.token.kind !== 'word') this.fail(`${what} is missing`);
    return this.next();
  }

  spanOf({ start, end }: Pick<NftToken, 'start' | 'end'>): Span {
    return { source: this.source, start, end };
  }

  fail(message: string, token: NftToken = this.token): never {
    const { kind, text, start } = token;
    const found = kind === 'end' ? 'the file ends' : kind === 'line' ? 'the line ends' : `"${text}" is found`;
    const at = this.spanOf(kind === 'line' ? { start, end: start } : token);
    throw new NftProblem(`nft cannot read this: ${message} where ${found}`, at);
  }
}

function tablesOf(words: Words): readonly NftTable[] {
  const tables: NftTable[] = [];
  for (;;) {
    words.skip('line', 'semicolon');
    if (words.token.kind === 'end') return tables;
    words.take('table');
    const family = words.word('a family').text;
    const name = words.word('the name of the table');
    tables.push({ family, name: name.text, at: words.spanOf(name), chains: block(words, chainOf) });
  }
}

/** The items between braces, in order. */
function block<T>(words: Words, read: (words: Words) => T): readonly T[] {
  const items: T[] = [];
  words.take('{');
  for (;;) {
    words.skip('line', 'semicolon');
    if (words.is('}')) break;
    items.push(read(words));
  }
  words.take('}');
  return items;
}

function chainOf(words: Words): NftChain {
  words.take('chain');
  const name = words.word('the name of the chain');
  words.take('{');
  words.skip('line');
  const { start } = words.take('type');
  const type = words.word('the type of the chain').text;
  words.take('hook');
  const hook = words.word('a hook').text;
  words.take('priority');
  const priority = numberOf(words);
  words.take(';');
  words.take('policy');
  const policy = words.word('a policy').text;
  const { end } = words.take(';');
  const rules: NftRule[] = [];
  for (;;) {
    words.skip('line', 'semicolon');
    if (words.is('}')) break;
    rules.push(ruleOf(words));
  }
  words.take('}');
  const declaration = words.spanOf({ start, end });
  return { name: name.text, at: words.spanOf(name), type, hook, priority, policy, declaration, rules };
}

function numberOf(words: Words): number {
  if (!/^-?\d+$/.test(words.token.text)) words.fail('a number is missing');
  return Number(words.next().text);
}

function ruleOf(words: Words): NftRule {
  const { start } = words.token;
  const matches: NftMatch[] = [];
  while (!words.is('dnat') && !words.is('snat')) matches.push(matchOf(words));
  const nat = natOf(words);
  let end = nat.at.end;
  let name: NftRule['name'] = null;
  if (words.is('comment')) {
    words.next();
    if (words.token.kind !== 'string') words.fail('the text of the comment is missing');
    const comment = words.next();
    name = { text: comment.text, at: words.spanOf(comment) };
    end = comment.end;
  }
  if (!['line', 'semicolon', 'end'].includes(words.token.kind)) words.fail('the end of the rule is missing');
  return { at: words.spanOf({ start, end }), matches, nat, name };
}

function matchOf(words: Words): NftMatch {
  const { start } = words.token;
  if (words.is('ip')) {
    words.next();
    const word = words.word('"saddr" or "daddr"');
    const key = word.text;
    if (key !== 'saddr' && key !== 'daddr') words.fail('"saddr" or "daddr" is missing', word);
    const negated = isNegated(words);
    const { value, end } = networkOf(words);
    return { key, negated, value, at: words.spanOf({ start, end }) };
  }
  const key = words.token.text;
  if (key !== 'iifname' && key !== 'oifname') words.fail('a match or a translation is missing');
  words.next();
  const negated = isNegated(words);
  if (words.token.kind !== 'string') words.fail('the name of an interface is missing');
  const { text, end } = words.next();
  return { key, negated, value: text, at: words.spanOf({ start, end }) };
}

function isNegated(words: Words): boolean {
  if (!words.is('!=')) return false;
  words.next();
  return true;
}

function natOf(words: Words): NftNat {
  const { text, start } = words.next();
  const kind = text === 'dnat' ? 'dnat' : 'snat';
  if (words.is('ip')) words.next();
  const keepsHost = words.is('prefix');
  if (keepsHost) words.next();
  words.take('to');
  const { token } = words;
  const to = networkOf(words);
  if (!keepsHost && to.value.length !== 32) words.fail('a single address is missing', token);
  return { kind, keepsHost, to: to.value, at: words.spanOf({ start, end: to.end }) };
}

/** A network, or one address. */
function networkOf(words: Words): { readonly value: Prefix; readonly end: number } {
  const { text, end } = words.token;
  const value = text.includes('/') ? readPrintedPrefix(text) : addressIn(text);
  if (value === undefined) words.fail('a network is missing');
  words.next();
  return { value, end };
}

function addressIn(text: string): Prefix | undefined {
  const base = readPrintedAddress(text);
  return base === undefined ? undefined : { base, length: 32 };
}

/** A token of a file of rules and its place: offsets in UTF-16 code units, `end` exclusive. */
interface NftToken {
  readonly kind: 'word' | 'string' | 'mark' | 'semicolon' | 'line' | 'unknown' | 'end';
  /** For a string the text between its quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The code units that tokens begin or end with. */
const TAB = 9;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;

const OTHERS: Readonly<Record<string, NftToken['kind']>> = { '{': 'mark', '}': 'mark', ';': 'semicolon', '\n': 'line' };

/**
 * The first token of an nft file at or after an offset. Comments are skipped, as by `nft`; a string ends with its line.
 */
export function nftTokenAt(text: string, offset: number): NftToken {
  const start = afterSpace(text, offset);
  if (start === text.length) return { kind: 'end', text: '', start, end: start };
  const wordEnd = endOfWord(text, start);
  if (wordEnd > start) return { kind: 'word', text: text.slice(start, wordEnd), start, end: wordEnd };
  if (text.charCodeAt(start) === QUOTE) {
    const close = text.indexOf('"', start + 1);
    const inside = text.slice(start + 1, close);
    if (close !== -1 && !inside.includes('\n')) return { kind: 'string', text: inside, start, end: close + 1 };
  }
  if (text.startsWith('!=', start)) return { kind: 'mark', text: '!=', start, end: start + 2 };
  const character = text.charAt(start);
  const kind = OTHERS[character] ?? 'unknown';
  return { kind, text: character, start, end: start + 1 };
}

function afterSpace(text: string, offset: number): number {
  for (let at = offset; ; at++) {
    const code = text.charCodeAt(at);
    if (code === HASH) {
      const lineEnd = text.indexOf('\n', at);
      return lineEnd === -1 ? text.length : lineEnd;
    }
    if (code !== SPACE && code !== TAB) return at;
  }
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (isOfWord(text.charCodeAt(at))) at++;
  return at;
}

/** Letters, digits, `_`, and `-`, `.`, `/`, `:`. */
const isOfWord = (code: number): boolean =>
  (code >= 45 && code <= 58) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
