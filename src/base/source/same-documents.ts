import type { DocumentNode } from './document-node.ts';
import { readDocument } from './read-document.ts';
import { readYamlDocuments } from './read-yaml-documents.ts';
import type { Source, Span } from './source.ts';

/**
 * Whether two texts of YAML, or of JSON, contain the same documents: then they differ at most in white space, quotes, comments, and
 * the order of the keys of a map. `false` for files of another kind, and where one cannot be read.
 *
 * A text without quotes never equals one with them: `on` is a text in YAML 1.2, which weft reads, and a boolean in YAML 1.1, which
 * Kubernetes reads.
 */
export function sameDocuments(one: Source, other: Source): boolean {
  const [a, b] = [documentsOf(one), documentsOf(other)];
  return a !== undefined && b !== undefined && a.length === b.length && a.every((it, i) => isSame(it, b[i]));
}

function documentsOf(source: Source): readonly DocumentNode[] | undefined {
  if (/\.ya?ml$/.test(source.path)) {
    const read = readYamlDocuments(source);
    return read.ok ? read.documents : undefined;
  }
  if (!source.path.endsWith('.json')) return undefined;
  const read = readDocument(source, { language: 'json' });
  return read.ok ? [read.root] : undefined;
}

function isSame(a: DocumentNode, b: DocumentNode | undefined): boolean {
  if (a.kind === 'scalar') return b?.kind === 'scalar' && Object.is(a.value, b.value) && isWrittenAlike(a.span, b.span);
  if (a.kind === 'list')
    return b?.kind === 'list' && a.items.length === b.items.length && a.items.every((it, i) => isSame(it, b.items[i]));
  if (b?.kind !== 'map' || a.entries.size !== b.entries.size) return false;
  for (const [name, { key, value }] of a.entries) {
    const other = b.entries.get(name);
    if (other === undefined || !isWrittenAlike(key, other.key) || !isSame(value, other.value)) return false;
  }
  return true;
}

/** Both in quotes or in blocks, or the same characters without. */
function isWrittenAlike(one: Span, other: Span): boolean {
  const [a, b] = [textOf(one), textOf(other)];
  return isPlain(a) || isPlain(b) ? a === b : true;
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

const isPlain = (text: string): boolean => !/^["'|>]/.test(text);
