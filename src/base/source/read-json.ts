import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import type { DocumentMap } from './document-node.ts';
import {
  DEEPEST,
  type DocumentProblem,
  type ParsedText,
  quotedPiece,
  spanOnLine,
  tooDeep,
} from './document-problem.ts';
import { EntryNode, ListNode, type LocatedNode, MapBuilder, MapNode, RowNode, ScalarNode } from './located-nodes.ts';
import type { Source, Span } from './source.ts';

/**
 * The front end for JSON, as strict as RFC 8259: no comments, no trailing commas. Every part keeps its place. Reading
 * ends at the first syntax error, which causes most later ones.
 */
export const readJson = (source: Source): ParsedText => readTree(source.text, { source, from: 0, rowOf: (it) => it });

/**
 * Reads JSON without keeping the content of rows (maps in lists of the top map): it is parsed again on access. A parsed
 * row takes about seven times its text, and the lists of a fleet have tens of thousands of rows.
 */
export function readJsonRows(source: Source): ParsedText {
  const { text } = source;
  const entriesOf = rowReader(text);
  return readTree(text, {
    source,
    from: 0,
    rowOf: ({ start, end }) => new RowNode(source, start, end, entriesOf),
  });
}

/** Parses rows of a text, and caches the last one, since its values are read one after the other. */
function rowReader(text: string): (row: RowNode) => DocumentMap['entries'] {
  let last: RowNode | undefined;
  let entries: DocumentMap['entries'] = new Map();
  return (row) => {
    if (row !== last) {
      const { source, start, end } = row;
      const { root } = readTree(text.slice(start, end), { source, from: start, rowOf: (it) => it });
      [last, entries] = [row, root?.kind === 'map' ? root.entries : new Map()];
    }
    return entries;
  };
}

/** A text, its place in the source, and the conversion of its rows. */
interface JsonText {
  readonly source: Source;
  /** The place of the text in the source. */
  readonly from: number;
  readonly rowOf: (row: MapNode) => LocatedNode;
}

function readTree(text: string, piece: JsonText): ParsedText {
  if (!/[^ \t\r\n]/.test(text)) return { root: undefined, problems: [] };
  const tree = treeBuilder(piece);
  try {
    visit(text, tree.visitor, { disallowComments: true });
    return tree.parsed();
  } catch (error) {
    if (error instanceof Unreadable) return { root: undefined, problems: [error.problem] };
    throw error;
  }
}

/** Thrown and caught only here: the parser cannot be stopped otherwise, and deep nesting exhausts the stack. */
class Unreadable extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** A list or a map whose end has not been read yet. */
type Open =
  | { readonly kind: 'list'; readonly start: number; readonly items: LocatedNode[] }
  | { readonly kind: 'map'; readonly start: number; readonly map: MapBuilder<EntryNode>; key: Key | undefined };

interface Key {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

interface TreeBuilder {
  readonly visitor: JSONVisitor;
  readonly parsed: () => ParsedText;
}

function treeBuilder({ source, from, rowOf }: JsonText): TreeBuilder {
  const problems: DocumentProblem[] = [];
  const open: Open[] = [];
  let root: LocatedNode | undefined;
  const spanOf = (start: number, length: number): Span => ({ source, start, end: start + length });

  const add = (value: LocatedNode): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (parent.kind === 'list') parent.items.push(value);
    else if (parent.key) parent.map.add(parent.key.name, new EntryNode(parent.key.start, parent.key.end, value));
  };
  const begin = (collection: Open): void => {
    if (open.push(collection) > DEEPEST) throw new Unreadable(tooDeep(source, collection.start + 1));
  };
  /** At the end of the text the parser closes open maps and lists with a token of length 0. */
  const end = (offset: number, length: number): void => {
    const closed = open.pop();
    if (closed === undefined) return;
    if (length === 0) throw new Unreadable(neverClosed(spanOf(closed.start, 1)));
    const { start } = closed;
    const close = from + offset + length;
    if (closed.kind === 'list') add(new ListNode(source, start, close, closed.items));
    else {
      const map = new MapNode(source, start, close, closed.map.entries);
      add(open.length === 2 && open[1]?.kind === 'list' ? rowOf(map) : map);
    }
  };

  const visitor: JSONVisitor = {
    onObjectBegin: (offset) =>
      begin({ kind: 'map', start: from + offset, map: new MapBuilder(problems), key: undefined }),
    onObjectProperty: (name, offset, length) => {
      const parent = open.at(-1);
      if (parent?.kind === 'map') parent.key = { name, start: from + offset, end: from + offset + length };
    },
    onObjectEnd: end,
    onArrayBegin: (offset) => begin({ kind: 'list', start: from + offset, items: [] }),
    onArrayEnd: end,
    onLiteralValue: (value: string | number | boolean | null, offset, length) =>
      add(new ScalarNode(source, from + offset, from + offset + length, value)),
    onError: (error, offset, length) => {
      throw new Unreadable(jsonSyntaxProblem(printParseErrorCode(error), spanOf(from + offset, length)));
    },
  };
  return { visitor, parsed: () => ({ root, problems }) };
}

const neverClosed = (span: Span): DocumentProblem => ({
  kind: 'syntax',
  message: `this is not JSON: this ${span.source.text.charAt(span.start)} is never closed`,
  span,
});

type ErrorName = ReturnType<typeof printParseErrorCode>;

/** The wording of each error of the parser, with the text at its place. */
const WORDING: Readonly<Record<ErrorName, (found: string) => string>> = {
  InvalidSymbol: (found) => `${found} is not a value, and a string must be in double quotes`,
  InvalidNumberFormat: (found) => `${found} is not a number`,
  PropertyNameExpected: (found) => `a key is missing before ${found}`,
  ValueExpected: (found) => `a value is missing before ${found}`,
  ColonExpected: (found) => `a ":" is missing before ${found}`,
  CommaExpected: (found) => `a comma is missing before ${found}`,
  CloseBraceExpected: () => 'this { is never closed',
  CloseBracketExpected: () => 'this [ is never closed',
  EndOfFileExpected: (found) => `${found} follows the end of the document`,
  InvalidCommentToken: () => 'JSON has no comments',
  UnexpectedEndOfComment: () => 'JSON has no comments',
  UnexpectedEndOfString: () => 'this string does not end on its line',
  UnexpectedEndOfNumber: (found) => `${found} is not a number`,
  InvalidUnicode: () => 'this string contains a "\\u" without four hexadecimal digits',
  InvalidEscapeCharacter: () => 'this string contains an escape sequence that JSON does not have',
  InvalidCharacter: () => 'this string contains a control character',
  '<unknown ParseErrorCode>': (found) => `${found} does not belong here`,
};

/** The syntax error at a token of JSON. */
function jsonSyntaxProblem(name: ErrorName, { source, start, end }: Span): DocumentProblem {
  const text = source.text.slice(start, end);
  // A string token includes its quotes.
  const found = text === '' ? 'the end of the file' : quotedPiece(text.replace(/^"(.*)"$/s, '$1'));
  const shownFrom = Math.min(start, Math.max(0, source.text.length - 1));
  const span = spanOnLine(source, shownFrom, Math.max(end, shownFrom + 1));
  return { kind: 'syntax', message: `this is not JSON: ${WORDING[name](found)}`, span };
}
