import type { printParseErrorCode } from 'jsonc-parser';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { quotedPiece } from './quoted-piece.ts';
import type { Span } from './source.ts';

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
export function jsonSyntaxProblem(name: ErrorName, { source, start, end }: Span): DocumentProblem {
  const text = source.text.slice(start, end);
  // The text of a string token contains quotes already.
  const found = text === '' ? 'the end of the file' : quotedPiece(text.replace(/^"(.*)"$/s, '$1'));
  const shownFrom = Math.min(start, Math.max(0, source.text.length - 1));
  const span = spanOnLine(source, shownFrom, Math.max(end, shownFrom + 1));
  return { kind: 'syntax', message: `this is not JSON: ${WORDING[name](found)}`, span };
}
