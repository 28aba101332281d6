import { valueAt } from '../../core/collections.ts';
import {
  type DocumentNode,
  type DocumentPath,
  type DocumentScalar,
  keySpanAt,
  nodeAt,
  spanAt,
} from '../../source/document-node.ts';
import { quotedPiece, shortenedPiece } from '../../source/document-problem.ts';
import type { Span } from '../../source/source.ts';
import type { Code } from '../codes.ts';
import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import { meantHint } from '../did-you-mean.ts';
import { type KeyPlaces, movedKeyHint, placeOf } from './moved-key.ts';
import {
  exampleOf,
  type KeySuggestions,
  pairMeant,
  pathOf,
  propertiesOf,
  removedKeyHint,
  type SchemaError,
  valueFor,
} from './schema-errors.ts';

/** The context that all errors of one file share. */
interface CheckedFile {
  readonly root: DocumentNode;
  readonly file: SchemaFile;
  readonly names: PlaceNames;
  readonly suggestions: KeySuggestions;
}

/** Converts a validator error to a diagnostic at the wrong key or value. */
export function schemaDiagnostic(checked: CheckedFile, error: SchemaError): Diagnostic {
  const path = pathOf(error);
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(checked, path, error);
    case 'required':
      return missingKey(checked, path, error);
    case 'type':
      return wrongType(checked, path, error);
    default:
      return wrongValue(checked, path, error);
  }
}

function unknownKey(
  { root, file, names, suggestions }: CheckedFile,
  path: DocumentPath,
  error: SchemaError,
): Diagnostic {
  const name = String(error.params['additionalProperty']);
  const known = Object.keys(propertiesOf(error));
  const meant = suggestions(name, error);
  const list = known.length === 0 ? undefined : `use one of the known keys: ${known.join(', ')}`;
  const message = `unknown key ${quotedPiece(name)} in ${names.ofMap(path)}`;
  const hint = meant === undefined ? (moved({ root, file }, path, name) ?? list) : `did you mean "${meant}"?`;
  const at = keySpanAt(root, [...path, name]);
  return diagnostic(file.codes.unknownKey, at, message, { hint: removedKeyHint(name, error) ?? hint });
}

const moved = (
  { root, file }: Pick<CheckedFile, 'root' | 'file'>,
  path: DocumentPath,
  name: string,
): string | undefined =>
  movedKeyHint({
    name,
    value: nodeAt(root, [...path, name]),
    within: placeOf(path, file.named.key),
    places: file.places ?? {},
  });

function missingKey({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const name = String(error.params['missingProperty']);
  const schema = valueAt(propertiesOf(error), name);
  const { const: only } = (schema ?? {}) as { readonly const?: unknown };
  const example = exampleOf(schema) ?? '...';
  const pair = pairMeant(error);
  const general = only === undefined ? `add it, like \`${name}: ${example}\`` : `add \`${name}: ${String(only)}\``;
  return diagnostic(file.codes.missingKey, ownerSpan(root, path), `"${name}" is missing in ${names.ofMap(path)}`, {
    hint: pair === undefined ? general : `write \`between: [${pair.map(shortenedPiece).join(', ')}]\``,
  });
}

function wrongType({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const expected = [error.params['type']].flat().map(String);
  const node = nodeAt(root, path);
  const [subject, at, code] = [names.ofValue(path), valueSpan(root, path), file.codes.wrongType];
  const parent = nodeAt(root, path.slice(0, -1));
  const list = parent?.kind === 'list' ? parent.items : undefined;
  const { enum: values, const: only, maxItems } = error.parentSchema ?? {};
  const meant = {
    key: list ? null : String(path.at(-1) ?? ''),
    example: exampleOf(error.parentSchema),
    list,
    values: Array.isArray(values) ? values.map(String) : only === undefined ? [] : [String(only)],
    isPair: maxItems === 2,
  };
  if (node?.kind === 'scalar' && node.value === null) {
    const hint = emptyHint(expected, meant);
    return diagnostic(code, at, `${subject} is empty, but must be ${typesText(expected)}`, { hint });
  }
  const message = `${subject} must be ${typesText(expected)}, not ${foundText(node, expected)}`;
  const isName = path.length === 2 && path[0] === file.named.key;
  const hint = isName ? moved({ root, file }, path.slice(0, 1), String(path[1])) : undefined;
  return diagnostic(code, at, message, { hint: hint ?? typeHint(node, expected, meant) });
}

function wrongValue({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const node = nodeAt(root, path);
  const { expected, hint } = expectedValue(error, node);
  const message = `${names.ofValue(path)} must ${expected}, not ${foundValue(node, error.keyword)}`;
  const isVersion = error.keyword === 'const' && path.length === 1 && path[0] === 'version';
  return diagnostic(file.codes.wrongValue, valueSpan(root, path), message, {
    hint: isVersion ? 'use the version of weft that reads this version of the format' : hint,
  });
}

/** The span of the value; that of its key when the value has no text. */
function valueSpan(root: DocumentNode, path: DocumentPath): Span {
  const span = spanAt(root, path);
  return span.start === span.end ? keySpanAt(root, path) : firstLine(span);
}

/** The place of a missing key: the key of the map, or the start of a value without a key. */
function ownerSpan(root: DocumentNode, path: DocumentPath): Span {
  if (path.length === 0) return { ...root.span, end: root.span.start };
  return firstLine(keySpanAt(root, path));
}

function firstLine(span: Span): Span {
  const newline = span.source.text.slice(span.start, span.end).indexOf('\n');
  return newline === -1 ? span : { ...span, end: span.start + newline };
}

/** The words for a file with a schema in messages, and the codes of the room that reads it. */
export interface SchemaFile {
  /** The file in messages: `the topology`. */
  readonly what: string;
  /** The map whose keys are names, and the noun for these: `{ key: 'clusters', noun: 'cluster' }`. */
  readonly named: { readonly key: string; readonly noun: string };
  /** The places of its keys, for keys at a wrong level. */
  readonly places?: KeyPlaces;
  readonly codes: {
    readonly unknownKey: Code;
    readonly missingKey: Code;
    readonly wrongType: Code;
    readonly wrongValue: Code;
  };
}

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

  /** The keys from an index on, joined with dots: `"gateway.ping"`, or with list entries: `an entry of "shortcuts"`. */
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

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** A list of types in words: `a string or a list`. */
const typesText = (types: readonly string[]): string => orList(types.map((it) => TYPE_TEXTS[it] ?? it));

/** A description of the value that has none of the expected types. */
function foundText(node: DocumentNode | undefined, expected: readonly string[]): string {
  if (node === undefined) return 'this';
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  if (typeof node.value === 'string') return 'a string';
  if (typeof node.value === 'number' && !expected.includes('integer')) return 'a number';
  return shortenedPiece(nodeText(node));
}

/** The context of a value, for a hint that writes its line. */
interface Meant {
  /** Its key; `null` for an entry of a list. */
  readonly key: string | null;
  /** A valid value as YAML on one line. */
  readonly example: string | undefined;
  /** The list of which it is an entry. */
  readonly list: readonly DocumentNode[] | undefined;
  /** The only possible values; none if there are others. */
  readonly values: readonly string[];
  /** True for a list of two entries. */
  readonly isPair: boolean;
}

/** The hint that shows the value as one of the expected types. */
function typeHint(node: DocumentNode | undefined, expected: readonly string[], meant: Meant): string | undefined {
  if (meant.values.length > 0) return valuesHint(node, meant.values);
  const [first] = node?.kind === 'list' ? node.items : [];
  const name = first?.kind === 'map' ? first.entries.get('name')?.value : undefined;
  if (name?.kind === 'scalar' && expected.includes('object') && meant.example !== undefined) {
    const text = shortenedPiece(String(name.value));
    return `write a map whose keys are the names: \`${text}:\` instead of \`- name: ${text}\``;
  }
  if (node?.kind === 'scalar') return scalarHint(node, expected, meant) ?? exampleHint(meant);
  return exampleHint(meant);
}

/** The entry of an example for a text of the form of its value, such as a network; with that text. */
function entryLike(text: string, example: string): string | undefined {
  const formOf = (it: string): string => it.replace(/\d+/g, '0');
  const entries = [...example.matchAll(/(\w+): ([^\s,{}]*\d[^\s,{}]*)/g)];
  const found = entries.find(([, , value = '']) => formOf(value) === formOf(text));
  return found && `${found[1]}: ${text}`;
}

/** The hint for a value of which only some are possible: the one that was meant, or all. */
const valuesHint = (node: DocumentNode | undefined, values: readonly string[]): string => {
  const meant = node?.kind === 'scalar' ? valueFor(String(node.value), values) : undefined;
  return `write ${meant ?? orList(values)}`;
};

/** The hint with an example of the whole line. */
function exampleHint({ key, example }: Meant): string | undefined {
  if (example === undefined) return undefined;
  const what = example.startsWith('{') ? 'a map, ' : example.startsWith('[') ? 'a list, ' : 'it ';
  return `write ${what}like \`${lineOf({ key, example })}\``;
}

function scalarHint(node: DocumentScalar, expected: readonly string[], meant: Meant): string | undefined {
  const text = shortenedPiece(nodeText(node));
  // The values of labels have no example, and may be quoted.
  if (expected.includes('string')) {
    return typeof node.value === 'boolean' && meant.example !== undefined ? undefined : `quote it: "${text}"`;
  }
  if (expected.includes('array')) return listHint(text, meant);
  if (typeof node.value !== 'string') return undefined;
  const entry = expected.includes('object') ? entryLike(node.value, meant.example ?? '') : undefined;
  if (entry !== undefined) return `write a map: \`${lineOf({ key: meant.key, example: `{ ${entry} }` })}\``;
  const digits = expected.includes('integer') ? /^\d+/.exec(node.value)?.[0] : undefined;
  if (digits !== undefined)
    return `write it ${digits === node.value ? 'without quotes' : 'as a number'}: ${shortenedPiece(digits)}`;
  if (!expected.includes('boolean')) return undefined;
  if (/^(yes|on|true)$/i.test(node.value)) return 'write true';
  return /^(no|off|false)$/i.test(node.value) ? 'write false' : undefined;
}

/** Two names that were written as one text: `rome -> milan`, `(rome, milan)`. */
const TWO_NAMES = /^["'(]*([\w.-]+?)(?: *(?:[,;:/&=]|<?[-=]+>|\band\b|\bto\b) *| +)([\w.-]+)["')]*$/;

function listHint(text: string, { list, isPair, example }: Meant): string {
  if (list !== undefined && list.length > 1 && list.every((it) => it.kind === 'scalar' && !/\s/.test(nodeText(it)))) {
    return `write the pair as one entry: \`- [${list.slice(0, 2).map(nodeText).map(shortenedPiece).join(', ')}]\``;
  }
  if (/^-[^\s-]/.test(text)) return 'put a space after the "-"';
  const [, first, second] = isPair ? (TWO_NAMES.exec(text) ?? []) : [];
  if (first !== undefined && second !== undefined) return `write it as a list: [${first}, ${second}]`;
  return isPair ? `write two names as a list, like ${example}` : `write it as a list: [${text}]`;
}

const lineOf = ({ key, example }: Pick<Meant, 'key' | 'example'>): string =>
  key === null ? `${example}` : `${key}: ${example}`;

/** The hint for a key without a value. */
function emptyHint(expected: readonly string[], meant: Meant): string {
  // In brackets a colon without a space is a part of the key.
  const [, key, value] = /^([\w./-]+):(\S+)$/.exec(meant.key ?? '') ?? [];
  if (key !== undefined) return `put a space after the ":": \`${key}: ${value}\``;
  if (meant.example !== undefined) return `remove it, or set a value, like \`${lineOf(meant)}\``;
  if (expected.includes('array') && !expected.includes('string')) return `remove it, or write \`${meant.key}: []\``;
  if (expected.includes('object') && !expected.includes('string')) return `remove it, or write \`${meant.key}: {}\``;
  return 'remove it, or set a value';
}

/** A list of alternatives: `a, b or c`. */
const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const nodeText = ({ span }: DocumentNode): string => span.source.text.slice(span.start, span.end);

interface Expectation {
  /** The words that follow "must": `be at least 1`. */
  readonly expected: string;
  readonly hint?: string | undefined;
}

/** The words for the values that are allowed, for a value of the right type. */
function expectedValue(error: SchemaError, node: DocumentNode | undefined): Expectation {
  const { limit, allowedValue, allowedValues } = error.params;
  switch (error.keyword) {
    case 'enum': {
      const allowed = (Array.isArray(allowedValues) ? allowedValues : []).map(String);
      const similar = node?.kind === 'scalar' ? meantHint(String(node.value), allowed) : undefined;
      return { expected: `be ${orList(allowed)}`, hint: similar ?? valuesHint(node, allowed) };
    }
    case 'const':
      return { expected: `be ${String(allowedValue)}` };
    case 'minimum':
      return { expected: `be at least ${String(limit)}` };
    case 'maximum':
      return { expected: `be at most ${String(limit)}` };
    case 'minItems':
    case 'maxItems':
      return { expected: `have ${String(limit)} entries`, hint: countHint(node, Number(limit)) };
    default:
      return { expected: 'have the form that weft writes' };
  }
}

/** The hint for a wrong number of entries: of a pair, or of a list that must not be empty. */
function countHint(node: DocumentNode | undefined, limit: number): string | undefined {
  const texts = (node?.kind === 'list' ? node.items : []).map((it) => shortenedPiece(nodeText(it)));
  const [first = ''] = texts;
  if (texts.length > limit) {
    const pairs = texts.slice(0, 3).flatMap((a, i) => texts.slice(i + 1, 3).map((b) => `[${a}, ${b}]`));
    return `write an entry for each pair to link: ${orList(pairs)}`;
  }
  if (texts.length !== 1) return limit === 2 ? 'name two clusters, like [rome, milan]' : undefined;
  return /\S\s+\S/.test(first)
    ? `put a comma between the two: [${first.split(/\s+/).join(', ')}]`
    : `name two clusters, like [${first}, milan]`;
}

/** A description of the wrong value: its text, or the number of its entries if that is wrong. */
function foundValue(node: DocumentNode | undefined, keyword: string): string {
  if (keyword === 'minItems' || keyword === 'maxItems') return String(node?.kind === 'list' ? node.items.length : 0);
  if (node?.kind !== 'scalar') return 'this';
  return typeof node.value === 'string' ? quotedPiece(node.value) : shortenedPiece(nodeText(node));
}
