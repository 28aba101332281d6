import type { YAMLParseError } from 'yaml';
import { lookalikeIn, OTHER_SPACE } from '../core/lookalike.ts';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { indentHint, keyBelowValue } from './indentation.ts';
import { keyHint } from './key-hint.ts';
import { quotedPiece } from './quoted-piece.ts';
import { lineText, placeAt, type Source, type Span, startOfLine } from './source.ts';

/** The most problems that are reported: later ones in a broken file mostly follow from the first. */
const MOST = 5;

interface Wording {
  readonly message: string;
  readonly hint?: string;
}

/** The parser's errors as problems: one a line, in source order, and none after a tab, which causes errors in what follows. */
export function syntaxProblems(source: Source, errors: readonly YAMLParseError[]): readonly DocumentProblem[] {
  if (errors.length === 0) return [];
  const indented = otherIndentation(source);
  if (indented) return [indented];
  const problems: DocumentProblem[] = [];
  let lastLine = 0;
  for (const error of firstOf(errors)) {
    const { line } = placeAt(source, error.pos[0]);
    // The keys below a line without a colon are no mistakes.
    const follows = error.code === 'BLOCK_AS_IMPLICIT_KEY' && line === lastLine + 1;
    const isEcho = line === lastLine || (follows && problems.length > 0);
    lastLine = line;
    if (isEcho) continue;
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

/**
 * The first line that is indented with something that looks like spaces. For YAML it starts in another column than it seems
 * to, and the errors are those of other lines.
 */
function otherIndentation(source: Source): DocumentProblem | undefined {
  const found = OTHER_INDENTATION.exec(source.text);
  const lookalike = lookalikeIn(found?.[2] ?? '');
  if (found === null || lookalike === undefined) return undefined;
  const start = found.index + (found[1] ?? '').length;
  const message = `this line is indented with ${lookalike.name}, which is no space for YAML`;
  const span = spanOnLine(source, start, start + (found[2] ?? '').length);
  return { kind: 'syntax', message, span, hint: 'indent with spaces' };
}

const OTHER_INDENTATION = new RegExp(`^([ \\t]*(?:- *)?)(${OTHER_SPACE.source}+)`, 'm');

function syntaxProblem(source: Source, error: YAMLParseError): DocumentProblem {
  const span = spanOf(source, error);
  const { line } = placeAt(source, span.start);
  const below = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? keyBelowValue(source, line) : undefined;
  if (below) return below;
  const problem = { kind: 'syntax', span } as const;
  const text = source.text.slice(span.start, span.end);
  const wording = wordingOf(error, text, lineText(source, line));
  return isIndentation(error) ? { ...problem, ...wording, hint: indentHint(source, line) } : { ...problem, ...wording };
}

/** An open bracket has the same code. */
const isIndentation = ({ code, message }: YAMLParseError): boolean =>
  code === 'BAD_INDENT' && !/must end with|end with a/.test(message);

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

function wordingOf(error: YAMLParseError, found: string, line: string): Wording {
  const { code, message } = error;
  switch (code) {
    case 'BAD_INDENT':
      return isIndentation(error)
        ? { message: 'this line is not indented like the lines it belongs to' }
        : { message: 'a bracket that was opened above is not closed before this line' };
    case 'MISSING_CHAR':
      return missing(message, found, line);
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: `${quotedPiece(found)} is not a key with a value`,
        hint: keyHint(line) ?? 'write `key: value`',
      };
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
  return { message: `${quotedPiece(found)} is not a key with a value`, hint: keyHint(line) ?? 'write `key: value`' };
}
