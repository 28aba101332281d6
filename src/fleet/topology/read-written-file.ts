import { type Diagnostic, diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { documentDiagnostics, readBySchema } from '../../base/diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { SchemaFile } from '../../base/diagnostics/schema/schema-diagnostic.ts';
import { controlCharacters, secretsInTexts } from '../../base/diagnostics/unwanted-texts.ts';
import type { DocumentMap } from '../../base/source/document-node.ts';
import { quotedPiece } from '../../base/source/document-problem.ts';
import { readDocument } from '../../base/source/read-document.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';

/** A kind of file that people write in YAML. */
interface WrittenFile<T> extends Omit<SchemaFile, 'codes'> {
  readonly validate: Parameters<typeof readBySchema<T>>[1];
  /** Advice that fits this file better than any other. */
  readonly words?: Parameters<typeof documentDiagnostics>[1];
  /** The document as its schema describes it, for a file with short forms. */
  readonly inFull?: (root: DocumentMap) => DocumentMap;
  /** Mistakes that the schema does not know. */
  readonly mistakesIn?: (root: DocumentMap) => readonly Diagnostic[];
}

interface WrittenDocument<T> {
  readonly source: Source;
  /** What the reading reads. */
  readonly root: DocumentMap;
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
  const manifest = manifestInstead(result.root, file.what);
  if (manifest !== undefined) return failure([manifest]);
  const root = file.inFull?.(result.root) ?? result.root;
  const { reading, found } = readBySchema(root, file.validate, { what: file.what, named: file.named, codes: CODES });
  const hidden = controlCharacters(root, 'topology/control-character');
  // A key with a hidden character is unknown, which is no second mistake.
  const places = new Set(hidden.map((it) => it.span.start));
  const all = [
    ...found.filter((it) => !places.has(it.span.start)),
    ...(file.mistakesIn?.(result.root) ?? []),
    ...hidden,
    ...secretsInTexts(root, 'topology/secret'),
  ];
  return outcome({ source, root, reading }, inSourceOrder(all));
}

/** An object of Kubernetes where a file of weft is expected: each of its keys would be a mistake. */
function manifestInstead({ entries }: DocumentMap, what: string): Diagnostic | undefined {
  const [version, kind] = [entries.get('apiVersion'), entries.get('kind')?.value];
  if (version === undefined || kind?.kind !== 'scalar') return undefined;
  const message = `this is an object of Kubernetes, of kind ${quotedPiece(String(kind.value))}, and not ${what}`;
  const hint = 'name another file; what Kubernetes gets is what "weft compile" writes into out/';
  return diagnostic(CODES.unknownKey, version.key, message, { hint });
}
