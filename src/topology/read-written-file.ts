import { controlCharacters } from '../diagnostics/control-characters.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { inSourceOrder } from '../diagnostics/in-source-order.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { readBySchema } from '../diagnostics/read-by-schema.ts';
import type { SchemaFile } from '../diagnostics/schema/schema-file.ts';
import { secretsInTexts } from '../diagnostics/secrets-in-texts.ts';
import type { DocumentMap } from '../source/document-node.ts';
import { readDocument } from '../source/read-document.ts';
import type { Reading } from '../source/reading.ts';
import type { Source } from '../source/source.ts';

/** A kind of file that people write in YAML. */
interface WrittenFile<T> extends Omit<SchemaFile, 'codes'> {
  readonly validate: Parameters<typeof readBySchema<T>>[1];
  /** Advice that fits this file better than any other. */
  readonly words?: Parameters<typeof documentDiagnostics>[1];
  /** The document as its schema describes it, for a file with short forms. */
  readonly inFull?: (root: DocumentMap) => DocumentMap;
}

interface WrittenDocument<T> {
  readonly source: Source;
  readonly reading: Reading<T>;
}

const CODES = {
  unknownKey: 'topology/unknown-key',
  missingKey: 'topology/missing-key',
  wrongType: 'topology/wrong-type',
  wrongValue: 'topology/wrong-value',
} as const;

/** Reads such a file by its schema. No text in it may have a control character, or be a secret. */
export function readWrittenFile<T>(source: Source, file: WrittenFile<T>): Outcome<WrittenDocument<T>> {
  const result = readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems, file.words));
  const root = file.inFull?.(result.root) ?? result.root;
  const { reading, found } = readBySchema(root, file.validate, { what: file.what, named: file.named, codes: CODES });
  const all = [
    ...found,
    ...controlCharacters(root, 'topology/control-character'),
    ...secretsInTexts(root, 'topology/secret'),
  ];
  return outcome({ source, reading }, inSourceOrder(all));
}
