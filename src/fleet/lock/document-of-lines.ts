import type { DocumentEntry, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import type { DocumentResult } from '../../base/source/read-document.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { DECISIONS, keySpanOf, type LockLines, VERSION } from './read-lock-lines.ts';

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
