import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { plainOf } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import type { Source } from '../../base/source/source.ts';
import type { DumpValue, Json, WantedKind } from './json.ts';
import { hiddenSpan, unreadableDump } from './live-diagnostics.ts';

/** A part of a dump that is parsed separately: an item of a list, or a document. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isItem: boolean;
}

/** Replaces the parser's message, which repeats text that may be of a Secret. */
const NOT_YAML = 'it is not YAML from here on';

/**
 * Reads the values of a YAML dump. Items of a kubectl list are parsed one by one, and only if their kind is wanted:
 * parsing YAML takes fifty times as long as JSON, and may need more memory than the machine has.
 */
export function readYamlDump(source: Source, isWanted: WantedKind): Outcome<readonly DumpValue[]> {
  const values: DumpValue[] = [];
  for (const part of partsOf(source.text)) {
    const text = source.text.slice(part.start, part.end);
    if (part.isItem && !mayBeWanted(text, isWanted)) continue;
    const reading = readYamlDocuments({ path: source.path, text });
    if (!reading.ok) {
      const { kind, span } = reading.problem;
      const at = hiddenSpan(source, part.start + span.start, part.start + span.end);
      const isReference = kind === 'anchor' || kind === 'tag';
      const why = isReference ? 'it has an anchor, an alias or a tag, and kubectl writes none' : NOT_YAML;
      return failure([unreadableDump(at, why)]);
    }
    for (const root of reading.documents) {
      const [node] = part.isItem && root.kind === 'list' ? root.items : [root];
      if (node === undefined || (node.kind === 'scalar' && node.value === null)) continue;
      const start = part.start + node.span.start;
      values.push({ value: detached(plainOf(node)), at: () => hiddenSpan(source, start, start + 1) });
    }
  }
  return outcome(values);
}

/** Copies a value, because the parser's texts are slices that would keep the whole dump in memory. */
const detached = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Tests the kind of an item by its own keys, indented by two columns. Without one, the item is parsed and reported. */
function mayBeWanted(item: string, isWanted: WantedKind): boolean {
  const [, apiVersion] = /^(?:- | {2})apiVersion: ([\w./-]+)\r?$/m.exec(item) ?? [];
  const [, kind] = /^(?:- | {2})kind: (\w+)\r?$/m.exec(item) ?? [];
  return apiVersion === undefined || kind === undefined || isWanted(apiVersion, kind) || kind.endsWith('List');
}

function* partsOf(text: string): Iterable<Part> {
  const marks = [...text.matchAll(/^---(?=\s|$)/gm)].map((it) => it.index);
  const starts = marks[0] === 0 ? marks : [0, ...marks];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? text.length;
    const items = itemsIn(text.slice(start, end));
    if (items === undefined) yield { start, end, isItem: false };
    else for (const it of items) yield { start: start + it.start, end: start + it.end, isItem: true };
  }
}

/**
 * Splits a list whose dashes are in the first column, where no scalar can have one. Source: YAML 1.2.2, 8.2.1 and 6.1.
 * `undefined` for any other document, which is parsed as a whole.
 */
function itemsIn(document: string): readonly Omit<Part, 'isItem'>[] | undefined {
  // Two lists that kubectl wrote into one file have no separator. Each ends with its kind, unless it was cut off.
  const lists = [...document.matchAll(/^items:[ \t]*\r?\n(?=- )/gm)];
  const kinds = [...document.matchAll(/^kind: \w*List[ \t]*\r?$/gm)];
  return lists.length === 0 || kinds.length < lists.length
    ? undefined
    : lists.flatMap((it) => listItems(document, it.index + it[0].length));
}

function listItems(document: string, first: number): readonly Omit<Part, 'isItem'>[] {
  const after = document.slice(first).search(/^(?!- |[ \t\r#]|$)/m);
  const last = after === -1 ? document.length : first + after;
  const starts = [...document.slice(first, last).matchAll(/^- /gm)].map((it) => first + it.index);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? last }));
}
