import { type DocumentNode, plainOf } from '../source/document-node.ts';
import { Reading } from '../source/reading.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { SchemaError } from './schema/schema-error.ts';
import type { SchemaFile } from './schema/schema-file.ts';
import { schemaDiagnostics } from './schema-diagnostics.ts';

/** A validator that is generated together with the type that it accepts. */
interface SchemaValidator<T> {
  (data: unknown): data is T;
  readonly errors?: readonly SchemaError[] | null;
}

interface SchemaReading<T> {
  /** Valid only when nothing is found. */
  readonly reading: Reading<T>;
  readonly found: readonly Diagnostic[];
}

/** Checks a document by its schema, and reads it by the type that belongs to that schema. */
export function readBySchema<T>(root: DocumentNode, validate: SchemaValidator<T>, file: SchemaFile): SchemaReading<T> {
  const errors = validate(plainOf(root)) ? [] : (validate.errors ?? []);
  return { reading: Reading.of<T>(root), found: schemaDiagnostics(root, errors, file) };
}
