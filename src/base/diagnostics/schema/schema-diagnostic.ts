import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt, spanAt } from '../../source/document-node.ts';
import { quotedPiece } from '../../source/document-problem.ts';
import type { Span } from '../../source/source.ts';
import type { Code } from '../codes.ts';
import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import {
  exampleOf,
  type KeySuggestions,
  pathOf,
  propertiesOf,
  removedKeyHint,
  type SchemaError,
} from './schema-errors.ts';
import { emptyHint, expectedValue, foundText, foundValue, typeHint, typesText } from './wording.ts';

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
  const hint = meant === undefined ? list : `did you mean "${meant}"?`;
  const at = keySpanAt(root, [...path, name]);
  return diagnostic(file.codes.unknownKey, at, message, { hint: removedKeyHint(name, error) ?? hint });
}

function missingKey({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const name = String(error.params['missingProperty']);
  const schema = propertiesOf(error)[name];
  const { const: only } = (schema ?? {}) as { readonly const?: unknown };
  const example = exampleOf(schema) ?? '...';
  return diagnostic(file.codes.missingKey, ownerSpan(root, path), `"${name}" is missing in ${names.ofMap(path)}`, {
    hint: only === undefined ? `add it, like \`${name}: ${example}\`` : `add \`${name}: ${String(only)}\``,
  });
}

function wrongType({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const expected = [error.params['type']].flat().map(String);
  const node = nodeAt(root, path);
  const [subject, at, code] = [names.ofValue(path), valueSpan(root, path), file.codes.wrongType];
  const parent = nodeAt(root, path.slice(0, -1));
  const list = parent?.kind === 'list' ? parent.items : undefined;
  const meant = { key: list ? null : String(path.at(-1) ?? ''), example: exampleOf(error.parentSchema), list };
  if (node?.kind === 'scalar' && node.value === null) {
    const hint = emptyHint(expected, meant);
    return diagnostic(code, at, `${subject} is empty, but must be ${typesText(expected)}`, { hint });
  }
  const message = `${subject} must be ${typesText(expected)}, not ${foundText(node, expected)}`;
  return diagnostic(code, at, message, { hint: typeHint(node, expected, meant) });
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
