import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt, spanAt } from '../../source/document-node.ts';
import { quotedPiece } from '../../source/quoted-piece.ts';
import type { Span } from '../../source/source.ts';
import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { KeySuggestions } from './key-suggestions.ts';
import type { PlaceNames } from './place-names.ts';
import { pathOf, propertiesOf, type SchemaError } from './schema-error.ts';
import type { SchemaFile } from './schema-file.ts';
import { emptyHint, foundText, typeHint, typesText } from './type-wording.ts';
import { valueFound, valueWanted } from './value-wording.ts';

/** What all errors of one file share. */
export interface CheckedFile {
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
  const list = known.length === 0 ? undefined : `known keys are ${known.join(', ')}`;
  const message = `unknown key ${quotedPiece(name)} in ${names.ofMap(path)}`;
  return diagnostic(file.codes.unknownKey, keySpanAt(root, [...path, name]), message, {
    hint: meant === undefined ? list : `did you mean "${meant}"?`,
  });
}

function missingKey({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const name = String(error.params['missingProperty']);
  const { const: only } = (propertiesOf(error)[name] ?? {}) as { readonly const?: unknown };
  return diagnostic(file.codes.missingKey, ownerSpan(root, path), `"${name}" is missing in ${names.ofMap(path)}`, {
    hint: `add \`${name}: ${only === undefined ? '...' : String(only)}\``,
  });
}

function wrongType({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const wanted = [error.params['type']].flat().map(String);
  const node = nodeAt(root, path);
  const [subject, at, code] = [names.ofValue(path), valueSpan(root, path), file.codes.wrongType];
  if (node?.kind === 'scalar' && node.value === null) {
    const hint = emptyHint(String(path.at(-1) ?? ''), wanted);
    return diagnostic(code, at, `${subject} is empty and must be ${typesText(wanted)}`, { hint });
  }
  const message = `${subject} must be ${typesText(wanted)}, not ${foundText(node, wanted)}`;
  return diagnostic(code, at, message, { hint: typeHint(node, wanted) });
}

function wrongValue({ root, file, names }: CheckedFile, path: DocumentPath, error: SchemaError): Diagnostic {
  const node = nodeAt(root, path);
  const { wanted, hint } = valueWanted(error, node);
  const message = `${names.ofValue(path)} must ${wanted}, not ${valueFound(node, error.keyword)}`;
  const isVersion = error.keyword === 'const' && path.length === 1 && path[0] === 'version';
  return diagnostic(file.codes.wrongValue, valueSpan(root, path), message, {
    hint: isVersion ? 'another version of the format needs another version of weft' : hint,
  });
}

/** The value; its key where there is no text to underline. */
function valueSpan(root: DocumentNode, path: DocumentPath): Span {
  const span = spanAt(root, path);
  return span.start === span.end ? keySpanAt(root, path) : firstLine(span);
}

/** Where something is missing: the key of the map, or the start of what has no key. */
function ownerSpan(root: DocumentNode, path: DocumentPath): Span {
  if (path.length === 0) return { ...root.span, end: root.span.start };
  return firstLine(keySpanAt(root, path));
}

function firstLine(span: Span): Span {
  const newline = span.source.text.slice(span.start, span.end).indexOf('\n');
  return newline === -1 ? span : { ...span, end: span.start + newline };
}
