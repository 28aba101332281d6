import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt, spanAt } from '../source/document-node.ts';
import type { Span } from '../source/source.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { didYouMean, meantHint } from './did-you-mean.ts';

/** What we read of ajv's ErrorObject; `parentSchema` is there because the validators are compiled as verbose. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

/** How the messages speak of the file. */
export interface SchemaFile {
  /** `the topology` */
  readonly what: string;
  /** The map whose keys are names, and what they name: `{ key: 'clusters', noun: 'cluster' }`. */
  readonly named: { readonly key: string; readonly noun: string };
  /** The codes of the room that reads the file. */
  readonly codes: {
    readonly unknownKey: Code;
    readonly missingKey: Code;
    readonly wrongType: Code;
    readonly wrongValue: Code;
  };
}

/** An error with its path taken apart. */
interface Found {
  readonly path: DocumentPath;
  readonly error: SchemaError;
}

/** What a schema has against a file: in source order, each place once, without the echoes of a mistake. */
export function schemaDiagnostics(root: DocumentNode, errors: readonly SchemaError[], file: SchemaFile): Diagnostic[] {
  const meanings = rememberedMeanings();
  const speaker = new Speaker(root, file, meanings);
  const found = errors.filter(isTold).map((error) => ({ path: pathOf(error.instancePath), error }));
  return withoutEchoes(found, meanings)
    .map((it) => speaker.diagnosticOf(it))
    .sort((a, b) => a.span.start - b.span.start);
}

/** Our schemas use anyOf for one thing: a value, or nothing. Then only what is wrong with the value is worth telling. */
function isTold({ keyword, params }: SchemaError): boolean {
  return keyword !== 'anyOf' && !(keyword === 'type' && params['type'] === 'null');
}

type Meanings = (wrong: string, error: SchemaError) => string | undefined;

/** Did-you-mean over the keys of a schema, asked once a word: the same typo may stand in every cluster of a large fleet. */
function rememberedMeanings(): Meanings {
  const known = new Map<unknown, Map<string, string | undefined>>();
  return (wrong, error) => {
    const words = known.get(error.parentSchema) ?? new Map<string, string | undefined>();
    known.set(error.parentSchema, words);
    if (!words.has(wrong)) words.set(wrong, didYouMean(wrong, knownKeys(error)));
    return words.get(wrong);
  };
}

function withoutEchoes(found: readonly Found[], meanings: Meanings): readonly Found[] {
  const typed = new Set(found.filter((it) => it.error.keyword === 'type').map((it) => it.error.instancePath));
  const unknown = new Map<string, string[]>();
  for (const { error } of found) {
    if (error.keyword !== 'additionalProperties') continue;
    const meant = meanings(String(error.params['additionalProperty']), error);
    if (meant !== undefined) unknown.set(error.instancePath, [...(unknown.get(error.instancePath) ?? []), meant]);
  }
  const seen = new Set<string>();
  return found.filter(({ error }) => {
    const { keyword, instancePath, params } = error;
    if (keyword !== 'type' && typed.has(instancePath)) return false;
    // `cluster:` for `clusters:` is one mistake: the unknown key.
    if (keyword === 'required' && unknown.get(instancePath)?.includes(String(params['missingProperty']))) return false;
    // At one place one value is wrong once; keys below it may be unknown or missing each for itself.
    const name = params['additionalProperty'] ?? params['missingProperty'];
    const place = JSON.stringify([instancePath, name]);
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'));

const knownKeys = (error: SchemaError): readonly string[] => Object.keys(error.parentSchema?.['properties'] ?? {});

class Speaker {
  readonly #root: DocumentNode;
  readonly #file: SchemaFile;
  readonly #meanings: Meanings;

  constructor(root: DocumentNode, file: SchemaFile, meanings: Meanings) {
    this.#root = root;
    this.#file = file;
    this.#meanings = meanings;
  }

  diagnosticOf({ path, error }: Found): Diagnostic {
    switch (error.keyword) {
      case 'additionalProperties':
        return this.#unknownKey(path, error);
      case 'required':
        return this.#missingKey(path, error);
      case 'type':
        return this.#wrongType(path, error);
      default:
        return this.#wrongValue(path, error);
    }
  }

  #unknownKey(path: DocumentPath, error: SchemaError): Diagnostic {
    const name = String(error.params['additionalProperty']);
    const known = knownKeys(error);
    const at = keySpanAt(this.#root, [...path, name]);
    const list = known.length === 0 ? undefined : `known keys are ${known.join(', ')}`;
    const meant = this.#meanings(name, error);
    const hint = meant === undefined ? list : `did you mean "${meant}"?`;
    return diagnostic(this.#file.codes.unknownKey, at, `unknown key ${quoted(name)} in ${this.#place(path)}`, { hint });
  }

  #missingKey(path: DocumentPath, error: SchemaError): Diagnostic {
    const name = String(error.params['missingProperty']);
    const { const: only } = (propertiesOf(error)[name] ?? {}) as { readonly const?: unknown };
    return diagnostic(
      this.#file.codes.missingKey,
      this.#ownerSpan(path),
      `"${name}" is missing in ${this.#place(path)}`,
      {
        hint: `add \`${name}: ${only === undefined ? '...' : String(only)}\``,
      },
    );
  }

  #wrongType(path: DocumentPath, error: SchemaError): Diagnostic {
    const wanted = [error.params['type']].flat().map(String);
    const node = nodeAt(this.#root, path);
    const subject = this.#subject(path);
    const at = this.#valueSpan(path);
    if (node?.kind === 'scalar' && node.value === null) {
      const hint = emptyHint(lastKey(path), wanted);
      return diagnostic(this.#file.codes.wrongType, at, `${subject} is empty and must be ${typesText(wanted)}`, {
        hint,
      });
    }
    const message = `${subject} must be ${typesText(wanted)}, not ${foundText(node, wanted)}`;
    return diagnostic(this.#file.codes.wrongType, at, message, { hint: typeHint(node, wanted) });
  }

  #wrongValue(path: DocumentPath, error: SchemaError): Diagnostic {
    const node = nodeAt(this.#root, path);
    const { wanted, hint } = valueWanted(error, node);
    const message = `${this.#subject(path)} must ${wanted}, not ${sizeOrText(node, error.keyword)}`;
    const version = error.keyword === 'const' && path.length === 1 && path[0] === 'version';
    return diagnostic(this.#file.codes.wrongValue, this.#valueSpan(path), message, {
      hint: version ? 'another version of the format needs another version of weft' : hint,
    });
  }

  /** What a message calls the value at a path. */
  #subject(path: DocumentPath): string {
    if (path.length === 0) return this.#file.what;
    if (path.length === 2 && path[0] === this.#file.named.key)
      return `${this.#file.named.noun} ${quoted(String(path[1]))}`;
    const parent = path.slice(0, -1);
    if (this.#isItem(path)) return `${this.#isItem(parent) ? 'a part' : 'an entry'} of ${this.#subject(parent)}`;
    return quoted(String(path.at(-1)));
  }

  /** What a message calls the map at a path, with whom it belongs to. */
  #place(path: DocumentPath): string {
    const { key, noun } = this.#file.named;
    if (path.length === 0) return this.#file.what;
    if (path[0] === key && path.length >= 2) {
      const owner = `${noun} ${quoted(String(path[1]))}`;
      return path.length === 2 ? owner : `${this.#dotted(path, 2)} of ${owner}`;
    }
    return this.#dotted(path, 0);
  }

  /** `"gateway.ping"`, or `an entry of "shortcuts"`, and so on downwards. */
  #dotted(path: DocumentPath, from: number): string {
    for (let length = path.length; length > from; length--) {
      if (!this.#isItem(path.slice(0, length))) continue;
      const entry = `an entry of ${this.#dotted(path.slice(0, length - 1), from)}`;
      return length === path.length ? entry : `${quoted(path.slice(length).join('.'))} of ${entry}`;
    }
    return quoted(path.slice(from).join('.'));
  }

  #isItem(path: DocumentPath): boolean {
    return nodeAt(this.#root, path.slice(0, -1))?.kind === 'list';
  }

  /** The value; its key where there is no text to underline. */
  #valueSpan(path: DocumentPath): Span {
    const span = spanAt(this.#root, path);
    return span.start === span.end ? keySpanAt(this.#root, path) : firstLine(span);
  }

  /** Where something is missing: the key of the map, or the start of what has no key. */
  #ownerSpan(path: DocumentPath): Span {
    if (path.length === 0) return { ...this.#root.span, start: this.#root.span.start, end: this.#root.span.start };
    return firstLine(keySpanAt(this.#root, path));
  }
}

function firstLine(span: Span): Span {
  const newline = span.source.text.slice(span.start, span.end).indexOf('\n');
  return newline === -1 ? span : { ...span, end: span.start + newline };
}

const propertiesOf = (error: SchemaError): Readonly<Record<string, unknown>> =>
  (error.parentSchema?.['properties'] ?? {}) as Readonly<Record<string, unknown>>;

const lastKey = (path: DocumentPath): string => String(path.at(-1) ?? '');

/** Longest piece of the file that a message repeats, in UTF-16 code units. */
const QUOTED_LENGTH = 60;

const shortened = (text: string): string => (text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text);

const quoted = (text: string): string => `"${shortened(text)}"`;

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const typesText = (types: readonly string[]): string => orList(types.map((it) => TYPE_TEXTS[it] ?? it));

const textOf = (node: DocumentNode): string => node.span.source.text.slice(node.span.start, node.span.end);

function foundText(node: DocumentNode | undefined, wanted: readonly string[]): string {
  if (node === undefined) return 'this';
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  if (typeof node.value === 'string') return 'a string';
  if (typeof node.value === 'number' && !wanted.includes('integer')) return 'a number';
  return shortened(textOf(node));
}

function typeHint(node: DocumentNode | undefined, wanted: readonly string[]): string | undefined {
  if (node?.kind !== 'scalar') return undefined;
  const text = textOf(node);
  if (wanted.includes('string')) return `quote it: "${shortened(text)}"`;
  if (wanted.includes('array')) return `write it as a list: [${shortened(text)}]`;
  if (typeof node.value !== 'string') return undefined;
  if (wanted.includes('integer') && /^\d+$/.test(node.value))
    return `write it without quotes: ${shortened(node.value)}`;
  if (!wanted.includes('boolean')) return undefined;
  if (/^(yes|on|true)$/i.test(node.value)) return 'write true';
  return /^(no|off|false)$/i.test(node.value) ? 'write false' : undefined;
}

function emptyHint(key: string, wanted: readonly string[]): string {
  if (wanted.includes('array') && !wanted.includes('string')) return `leave it out, or write \`${key}: []\``;
  if (wanted.includes('object') && !wanted.includes('string')) return `leave it out, or write \`${key}: {}\``;
  return 'leave it out, or give it a value';
}

function valueWanted(
  error: SchemaError,
  node: DocumentNode | undefined,
): { readonly wanted: string; readonly hint?: string | undefined } {
  const { limit, allowedValue, allowedValues } = error.params;
  switch (error.keyword) {
    case 'enum': {
      const allowed = (Array.isArray(allowedValues) ? allowedValues : []).map(String);
      const hint = node?.kind === 'scalar' ? meantHint(String(node.value), allowed) : undefined;
      return { wanted: `be ${orList(allowed)}`, hint };
    }
    case 'const':
      return { wanted: `be ${String(allowedValue)}` };
    case 'minimum':
      return { wanted: `be at least ${String(limit)}` };
    case 'maximum':
      return { wanted: `be at most ${String(limit)}` };
    case 'minItems':
    case 'maxItems':
      return { wanted: `have ${String(limit)} entries` };
    default:
      return { wanted: 'be what weft writes there' };
  }
}

function sizeOrText(node: DocumentNode | undefined, keyword: string): string {
  if (keyword === 'minItems' || keyword === 'maxItems') return String(node?.kind === 'list' ? node.items.length : 0);
  if (node?.kind !== 'scalar') return 'this';
  return typeof node.value === 'string' ? quoted(node.value) : shortened(textOf(node));
}
