import { Composer, type Document, type ParsedNode } from 'yaml';
import type { DocumentNode } from './document-node.ts';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { emptyAt, nodeOfYaml } from './node-of-yaml.ts';
import type { Source } from './source.ts';
import { readTokens } from './yaml-tokens.ts';

export type YamlDocumentsResult =
  | { readonly ok: true; readonly documents: readonly DocumentNode[] }
  | { readonly ok: false; readonly problem: DocumentProblem };

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part. It is for files that weft wrote:
 * anchors, aliases and tags are refused, and reading ends at the first problem.
 */
export function readStrictYaml(source: Source): YamlDocumentsResult {
  const reading = readTokens(source, source.text, { documents: 'several' });
  if (!reading.ok) return reading;
  const composer = new Composer<ParsedNode>({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  const documents: DocumentNode[] = [];
  for (const document of composer.compose(reading.tokens, false, source.text.length)) {
    const problems = [...syntaxProblem(source, document)];
    if (problems.length === 0) {
      const { contents, range } = document;
      documents.push(contents ? nodeOfYaml(source, contents, problems) : emptyAt(source, range?.[0] ?? 0));
    }
    const [problem] = problems;
    if (problem) return { ok: false, problem };
  }
  return { ok: true, documents };
}

function syntaxProblem(source: Source, document: Document.Parsed<ParsedNode>): readonly DocumentProblem[] {
  const [first] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (!first) return [];
  // The position of the parser's error may be after the last line.
  const start = Math.min(first.pos[0], Math.max(0, source.text.length - 1));
  const span = spanOnLine(source, start, source.text.length);
  return [{ kind: 'syntax', message: 'this is not YAML from here on', span }];
}
