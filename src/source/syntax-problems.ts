import type { YAMLParseError } from 'yaml';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { quotedPiece } from './quoted-piece.ts';
import { lineText, placeAt, type Source, type Span } from './source.ts';

/** The most problems that are reported: later ones in a broken file mostly follow from the first. */
const MOST = 5;

interface Wording {
  readonly message: string;
  readonly hint?: string;
}

/** The parser's errors as problems: one a line, in source order, and none after a tab, which causes errors in what follows. */
export function syntaxProblems(source: Source, errors: readonly YAMLParseError[]): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  let lastLine = 0;
  for (const error of firstOf(errors)) {
    const { line } = placeAt(source, error.pos[0]);
    if (line === lastLine) continue;
    lastLine = line;
    const problem = tabProblem(source, line) ?? syntaxProblem(source, error);
    problems.push(problem);
    if (problem.kind === 'tab-indentation' || problems.length === MOST) break;
  }
  return problems;
}

/** Sorting all errors of a large broken file would take longer than finding them. */
const firstOf = (errors: readonly YAMLParseError[]): readonly YAMLParseError[] =>
  errors.slice(0, 1000).sort((a, b) => a.pos[0] - b.pos[0]);

function tabProblem(source: Source, line: number): DocumentProblem | undefined {
  const text = lineText(source, line);
  const indent = /^[ \t]*(?:- *\t *)?/.exec(text)?.[0] ?? '';
  const tab = indent.indexOf('\t');
  if (tab === -1) return undefined;
  const start = startOfLine(source, line) + tab;
  const width = /^\t+/.exec(indent.slice(tab))?.[0].length ?? 1;
  return {
    kind: 'tab-indentation',
    message: 'this line is indented with a tab, which YAML does not allow',
    span: { source, start, end: start + width },
    hint: 'indent with spaces',
  };
}

function startOfLine(source: Source, line: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = source.text.indexOf('\n', start) + 1;
  return start;
}

function syntaxProblem(source: Source, error: YAMLParseError): DocumentProblem {
  const span = spanOf(source, error);
  const line = lineText(source, placeAt(source, span.start).line);
  return { kind: 'syntax', span, ...wordingOf(error, source.text.slice(span.start, span.end), line) };
}

/** The span to underline. That of the parser is often one character, or the space before it. */
function spanOf(source: Source, { code, pos: [start, end] }: YAMLParseError): Span {
  if (code === 'BAD_DQ_ESCAPE') return spanOnLine(source, start, start + 2);
  if (code === 'BAD_INDENT' && source.text.charAt(start) === ' ') {
    const first = start + (/^ */.exec(source.text.slice(start, start + 200))?.[0].length ?? 0);
    return spanOnLine(source, first, wordEnd(source.text, first));
  }
  return spanOnLine(source, start, Math.max(end, wordEnd(source.text, start)));
}

/** The end of the word that starts here. */
function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start < 200 && !' \t\r\n,[]{}'.includes(text.charAt(end))) end++;
  return end;
}

function wordingOf({ code, message }: YAMLParseError, found: string, line: string): Wording {
  switch (code) {
    case 'BAD_INDENT':
      return /must end with|end with a/.test(message)
        ? { message: 'a bracket that was opened above is not closed before this line' }
        : {
            message: 'this line is not indented like the lines it belongs to',
            hint: 'start all keys of one map in the same column',
          };
    case 'MISSING_CHAR':
      return missing(message, found, line);
    case 'MULTILINE_IMPLICIT_KEY':
      return { message: `${quotedPiece(found)} is not a key with a value`, ...colonHint(line) };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        message: 'a map cannot start on the line of its key',
        hint: 'quote a value that contains ": "',
      };
    case 'BAD_SCALAR_START':
      return { message: `a value cannot start with "${found.charAt(0)}"`, hint: 'quote the value' };
    case 'BAD_DQ_ESCAPE':
      return {
        message: `"${found.slice(0, 2)}" is not an escape sequence of YAML`,
        hint: 'use single quotes, or write the backslash twice',
      };
    case 'KEY_OVER_1024_CHARS':
      return { message: 'this key is longer than 1024 characters' };
    default:
      return { message: found.trim() === '' ? 'this is not YAML' : `${quotedPiece(found)} does not belong here` };
  }
}

function missing(message: string, found: string, line: string): Wording {
  if (/comment/i.test(message)) return { message: 'a space is missing before "#"' };
  if (/,/.test(message)) return { message: `a comma is missing before ${quotedPiece(found)}` };
  return { message: `${quotedPiece(found)} is not a key with a value`, ...colonHint(line) };
}

function colonHint(line: string): { readonly hint: string } {
  return { hint: /^\s*[\w./-]+:\S/.test(line) ? 'put a space after the ":"' : 'write `key: value`' };
}
