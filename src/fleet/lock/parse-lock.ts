import { networkTextOf } from '../../base/core/lock-key.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { documentDiagnostics, readBySchema } from '../../base/diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { SchemaFile } from '../../base/diagnostics/schema/schema-diagnostic.ts';
import { validateLock } from '../../base/generated/validators.js';
import { readPrintedPrefix } from '../../base/net/text.ts';
import type { LockFile } from '../../base/schema-types/lock.ts';
import type { DocumentEntry, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import { type DocumentResult, readDocument } from '../../base/source/read-document.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';
import type { LockDocument } from './decisions.ts';
import { DECISIONS, keySpanOf, type LockLines, readLockLines, VERSION } from './lock-lines.ts';

const CODE = 'lock/unreadable';

const FILE: SchemaFile = {
  what: 'the lock',
  named: { key: 'decisions', noun: 'decision' },
  codes: { unknownKey: CODE, missingKey: CODE, wrongType: CODE, wrongValue: CODE },
};

const HINT =
  'this file is generated: restore it from git, or delete the broken lines and compile; only those decisions are made again';

const TWICE_HINT = 'keep one of the two lines and compile again; two branches decided this separately';

const CONFLICT_HINT =
  'keep the lines of both sides, delete the markers and compile again; run "weft compile --relock CLUSTER[/PEER]" where lines contradict each other';

/** Hints for the remains of a merge of two branches. */
const OWN_WORDS = {
  'merge-conflict': { hint: CONFLICT_HINT },
  'duplicate-key': { code: CODE, hint: TWICE_HINT },
  others: { hint: HINT },
} as const;

/** The lock, checked against its schema. The stages that use its decisions report those that contradict each other. */
export function parseLock(source: Source): Outcome<LockDocument> {
  const lines = readLockLines(source);
  if (lines?.isSound && lines.problems.length === 0) return outcome({ source, decisions: lines.decisions });
  const result = lines ? documentOfLines(source, lines) : readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems, OWN_WORDS));
  const { reading, found } = readBySchema(result.root, validateLock, FILE);
  if (found.length > 0) return failure(found.map(withHint));
  const decisions = new Map<string, Located<string | number>>();
  for (const { name, value } of reading.at('decisions').scalars()) decisions.set(name.value, value);
  return outcome({ source, decisions }, notNetworks(reading));
}

const withHint = (it: Diagnostic): Diagnostic => ({ ...it, hint: HINT });

/**
 * Errors about texts that are no networks. The schema checks only the pattern; 10.0.0.7/16 and 10.0.0.300/32 need
 * arithmetic.
 */
function notNetworks(reading: Reading<LockFile>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { name, value } of reading.at('decisions').scalars()) {
    const announced = networkTextOf(name.value);
    if (announced !== undefined && readPrintedPrefix(announced) === undefined)
      found.push(notANetwork(announced, name.at));
    if (typeof value.value === 'string' && readPrintedPrefix(value.value) === undefined) {
      found.push(notANetwork(value.value, value.at));
    }
  }
  return found;
}

const notANetwork = (text: string, at: Diagnostic['span']): Diagnostic =>
  diagnostic(CODE, at, `"${text}" is not a network`, { hint: HINT });

/** The lines of a lock as `readDocument` returns them, for the check against the schema. */
export function documentOfLines(source: Source, { start, decisions, problems }: LockLines): DocumentResult {
  if (problems.length > 0) return { ok: false, problems };
  const entries = new Map<string, DocumentEntry>();
  for (const [name, it] of decisions)
    entries.set(name, { key: keySpanOf(name, it), value: { kind: 'scalar', span: it.at, value: it.value } });
  const decisionsAt = start + VERSION.length;
  const listed: Span = { source, start: decisionsAt + DECISIONS.length + 2, end: source.text.length - 1 };
  const list: DocumentMap = { kind: 'map', span: listed, entries };
  const one: DocumentNode = { kind: 'scalar', span: { source, start: start + 9, end: start + 10 }, value: 1 };
  const parts = new Map<string, DocumentEntry>([
    ['version', { key: { source, start, end: start + 7 }, value: one }],
    ['decisions', { key: { source, start: decisionsAt, end: decisionsAt + 9 }, value: list }],
  ]);
  return { ok: true, root: { kind: 'map', span: { source, start, end: listed.end }, entries: parts } };
}
