import { type DocumentNode, plainOf } from '../source/document-node.ts';
import type { DocumentProblem, DocumentProblemKind } from '../source/document-problem.ts';
import { Reading } from '../source/reading.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic, inSourceOrder } from './diagnostic.ts';
import { PlaceNames, type SchemaFile, schemaDiagnostic } from './schema/schema-diagnostic.ts';
import { independentErrors, keySuggestions, type SchemaError } from './schema/schema-errors.ts';

const CODE_OF_PROBLEM: Readonly<Record<DocumentProblemKind, Code>> = {
  // Users write only YAML; the JSON that weft reads is generated, and the room that reads it has its own codes.
  syntax: 'source/yaml-syntax',
  'tab-indentation': 'source/tab-indentation',
  'duplicate-key': 'source/duplicate-key',
  anchor: 'source/anchor',
  tag: 'source/tag',
  'several-documents': 'source/several-documents',
  empty: 'source/empty',
  'not-a-map': 'source/not-a-map',
  'key-not-a-string': 'source/key-not-a-string',
  'merge-conflict': 'source/merge-conflict',
};

/** A code or a hint that a file uses instead of the general one. */
interface OwnWords {
  readonly code?: Code;
  readonly hint: string;
}

type OwnWordsByKind = Readonly<Partial<Record<DocumentProblemKind | 'others', OwnWords>>>;

export function documentDiagnostics(problems: readonly DocumentProblem[], words: OwnWordsByKind = {}): Diagnostic[] {
  return problems.map(({ kind, span, message, hint, related }) => {
    const own = words[kind] ?? words.others;
    return diagnostic(own?.code ?? CODE_OF_PROBLEM[kind], span, message, { hint: own?.hint ?? hint, related });
  });
}

/** A validator that is generated together with the type that it accepts. */
interface SchemaValidator<T> {
  (data: unknown): data is T;
  readonly errors?: readonly SchemaError[] | null;
}

interface SchemaReading<T> {
  /** Valid only when `found` is empty. */
  readonly reading: Reading<T>;
  readonly found: readonly Diagnostic[];
}

/** Validates a document against its schema, and reads it with the type of that schema. */
export function readBySchema<T>(root: DocumentNode, validate: SchemaValidator<T>, file: SchemaFile): SchemaReading<T> {
  const errors = validate(plainOf(root)) ? [] : (validate.errors ?? []);
  return { reading: Reading.of<T>(root), found: schemaDiagnostics(root, errors, file) };
}

/** Converts schema errors to diagnostics: in source order, each mistake once. */
function schemaDiagnostics(
  root: DocumentNode,
  errors: readonly SchemaError[],
  file: SchemaFile,
): readonly Diagnostic[] {
  const suggestions = keySuggestions();
  const checked = { root, file, names: new PlaceNames(root, file), suggestions };
  return inSourceOrder(independentErrors(errors, suggestions).map((it) => schemaDiagnostic(checked, it)));
}
