import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt, spanAt } from '../../source/document-node.ts';
import { quotedPiece } from '../../source/quoted-piece.ts';
import type { Span } from '../../source/source.ts';
import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { KeySuggestions } from './key-suggestions.ts';
import type { PlaceNames } from './place-names.ts';
import { exampleOf, pathOf, propertiesOf, type SchemaError } from './schema-error.ts';
import type { SchemaFile } from './schema-file.ts';
import { emptyHint, foundText, typeHint, typesText } from './type-wording.ts';
import { expectedValue, foundValue } from './value-wording.ts';

/** The context that all errors of one file share. */
interface CheckedFile {
  readonly root: DocumentNode;
  readonly file: SchemaFile;
  readonly names: PlaceNames;
  readonly suggestions: KeySuggestions;
}

/** An error of the validator as a diagnostic, at the key or the value that is wrong. */
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
  return diagnostic(file.codes.unknownKey, keySpanAt(root, [...path, name]), message, {
    hint: meant === undefined ? list : `did you mean "${meant}"?`,
  });
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

/** The value; its key where there is no text to underline. */
function valueSpan(root: DocumentNode, path: DocumentPath): Span {
  const span = spanAt(root, path);
  return span.start === span.end ? keySpanAt(root, path) : firstLine(span);
}

/** The place of something that is missing: the key of the map, or the start of a value without a key. */
function ownerSpan(root: DocumentNode, path: DocumentPath): Span {
  if (path.length === 0) return { ...root.span, end: root.span.start };
  return firstLine(keySpanAt(root, path));
}

function firstLine(span: Span): Span {
  const newline = span.source.text.slice(span.start, span.end).indexOf('\n');
  return newline === -1 ? span : { ...span, end: span.start + newline };
}
