import type { DocumentMap, DocumentNode } from './document-node.ts';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { keyHint } from './key-hint.ts';
import { mergeConflicts } from './merge-conflicts.ts';
import type { ParsedText } from './parsed-text.ts';
import { readJson, readJsonRows } from './read-json.ts';
import { readYaml } from './read-yaml.ts';
import { type Source, startOf } from './source.ts';

/** `json-rows` is JSON in less memory, for whoever goes through the lists of the top map in order. */
type DocumentLanguage = 'yaml' | 'json' | 'json-rows';

export type DocumentResult =
  | { readonly ok: true; readonly root: DocumentMap }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] };

const FRONT_ENDS: Readonly<Record<DocumentLanguage, (source: Source) => ParsedText>> = {
  yaml: readYaml,
  json: readJson,
  'json-rows': readJsonRows,
};

/** The most mistakes that are reported for one file. */
const MOST_PROBLEMS = 100;

/**
 * Reads one document, whose top is a map, with the place of every part. A front end per language parses the syntax; the
 * checks here apply to every language.
 */
export function readDocument(source: Source, { language }: { readonly language: DocumentLanguage }): DocumentResult {
  const conflicts = mergeConflicts(source);
  if (conflicts.length > 0) return { ok: false, problems: conflicts };
  const { root, problems } = FRONT_ENDS[language](source);
  if (root !== undefined && root.kind !== 'map') return { ok: false, problems: [notAMap(root, language)] };
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MOST_PROBLEMS) };
  return root === undefined ? { ok: false, problems: [emptyFile(source)] } : { ok: true, root };
}

const emptyFile = (source: Source): DocumentProblem => ({
  kind: 'empty',
  message: 'the file is empty',
  span: startOf(source),
});

function notAMap({ kind, span }: DocumentNode, language: DocumentLanguage): DocumentProblem {
  const shown = spanOnLine(span.source, span.start, span.end);
  const text = span.source.text.slice(shown.start, shown.end);
  return {
    kind: 'not-a-map',
    message: `the file must be a map of keys, not ${kind === 'list' ? 'a list' : 'a single value'}`,
    span: shown,
    hint: language === 'yaml' ? yamlMapHint(text) : 'start it with { and end it with }',
  };
}

const yamlMapHint = (text: string): string => (/^[\w./-]+$/.test(text) ? MAP_HINT : (keyHint(text) ?? MAP_HINT));

const MAP_HINT = 'write lines like `key: value`';
