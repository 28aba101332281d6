import { Composer, type Document, type ParsedNode } from 'yaml';
import type { DocumentNode } from './document-node.ts';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { emptyAt, nodeOfYaml } from './node-of-yaml.ts';
import { readDocument } from './read-document.ts';
import { PRINTED, readQuickYaml } from './read-quick-yaml.ts';
import type { Source, Span } from './source.ts';
import { readTokens } from './yaml-tokens.ts';

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part, for files of weft: a text in
 * their style is read in a twentieth of the time; the strict reader reads any other text, and reports all mistakes.
 */
export function readYamlDocuments(source: Source): YamlDocumentsResult {
  const documents = readQuickYaml(source, PRINTED);
  return documents ? { ok: true, documents } : readStrictYaml(source);
}

type YamlDocumentsResult =
  | { readonly ok: true; readonly documents: readonly DocumentNode[] }
  | { readonly ok: false; readonly problem: DocumentProblem };

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part, for files of weft: anchors,
 * aliases and tags are refused, and reading ends at the first problem.
 */
export function readStrictYaml(source: Source): YamlDocumentsResult {
  const reading = readTokens(source, source.text, { documents: 'several' });
  if (!reading.ok) return reading;
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  const documents: DocumentNode[] = [];
  for (const document of composer.compose(reading.tokens, false, source.text.length)) {
    const problems = [...firstSyntaxProblem(source, document)];
    if (problems.length === 0) {
      const { contents, range } = document;
      documents.push(contents ? nodeOfYaml(source, contents, problems) : emptyAt(source, range?.[0] ?? 0));
    }
    const [problem] = problems;
    if (problem) return { ok: false, problem };
  }
  return { ok: true, documents };
}

function firstSyntaxProblem(source: Source, document: Document.Parsed<ParsedNode>): readonly DocumentProblem[] {
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (!first) return [];
  // The position of the parser's error may be after the last line.
  const start = Math.min(first.pos[0], Math.max(0, source.text.length - 1));
  const span = spanOnLine(source, start, source.text.length);
  return [{ kind: 'syntax', message: 'this is not YAML from here on', span }];
}

/**
 * True when two texts of YAML or JSON contain the same documents: they differ at most in white space, quotes, comments,
 * and the order of keys. False for files of another kind, and if one cannot be read.
 *
 * A text without quotes never equals one with them: `on` is a text in YAML 1.2, which weft reads, and a boolean in YAML
 * 1.1, which Kubernetes reads.
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

/** True when both are in quotes or in blocks, or have the same characters without. */
function isWrittenAlike(one: Span, other: Span): boolean {
  const [a, b] = [textOf(one), textOf(other)];
  return isPlain(a) || isPlain(b) ? a === b : true;
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

const isPlain = (text: string): boolean => !/^["'|>]/.test(text);
