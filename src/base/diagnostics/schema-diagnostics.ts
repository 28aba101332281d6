import type { DocumentNode } from '../source/document-node.ts';
import type { Diagnostic } from './diagnostic.ts';
import { inSourceOrder } from './in-source-order.ts';
import { independentErrors } from './schema/independent-errors.ts';
import { keySuggestions } from './schema/key-suggestions.ts';
import { PlaceNames } from './schema/place-names.ts';
import { schemaDiagnostic } from './schema/schema-diagnostic.ts';
import type { SchemaError } from './schema/schema-error.ts';
import type { SchemaFile } from './schema/schema-file.ts';

/** The errors of a check against a schema as diagnostics: in source order, each mistake once. */
export function schemaDiagnostics(
  root: DocumentNode,
  errors: readonly SchemaError[],
  file: SchemaFile,
): readonly Diagnostic[] {
  const suggestions = keySuggestions();
  const checked = { root, file, names: new PlaceNames(root, file), suggestions };
  return inSourceOrder(independentErrors(errors, suggestions).map((it) => schemaDiagnostic(checked, it)));
}
