import { countOf } from '../core/words.ts';
import { type DocumentProblem, spanOnLine } from './document-problem.ts';
import { quotedPiece } from './quoted-piece.ts';
import { lineText, type Source, type Span, startOfLine } from './source.ts';

/** Lines above a mistake that are looked at for the column that was meant. */
const REACH = 200;

/** A key of a block map, with its line from 1 and the spaces in front of it. */
interface KeyLine {
  readonly key: string;
  readonly line: number;
  readonly indent: number;
  readonly hasValue: boolean;
}

/** A list item, a name, a colon, and what follows; a bracket or a quote may be anything. */
const KEY_LINE = /^( *(?:- +)*)([^\s:#,[\]{}"'-][^:#,[\]{}"']*?) *:(?: +([^\s#].*))?(?: *#.*)?$/;

function keyLine(source: Source, line: number): KeyLine | undefined {
  const [, lead, key, value] = KEY_LINE.exec(lineText(source, line)) ?? [];
  return lead === undefined || key === undefined
    ? undefined
    : { key, line, indent: lead.length, hasValue: value !== undefined };
}

const keySpan = (source: Source, { key, line, indent }: KeyLine): Span => {
  const start = startOfLine(source, line) + indent;
  return spanOnLine(source, start, start + key.length);
};

/** A key that is indented as if it belonged to the value in the line above it: `line` is that of the value. */
export function keyBelowValue(source: Source, line: number): DocumentProblem | undefined {
  const above = keyLine(source, line);
  const below = above?.hasValue ? keyLine(source, nextLine(source, line)) : undefined;
  if (above === undefined || below === undefined || below.indent <= above.indent) return undefined;
  const [upper, lower] = [quotedPiece(above.key), quotedPiece(below.key)];
  return {
    kind: 'syntax',
    message: `${lower} is indented more than ${upper} above it, which has a value already`,
    span: keySpan(source, below),
    related: [{ message: `${upper} begins in column ${above.indent + 1}`, span: keySpan(source, above) }],
    hint: `start ${upper} and ${lower} in the same column`,
  };
}

/** The indentations that a key may have meant that lies between those of two lines above it. */
export function indentHint(source: Source, line: number): string {
  const general = 'start all keys of one map in the same column';
  const here = keyLine(source, line);
  if (here === undefined) return general;
  let deeper: KeyLine | undefined;
  for (let at = line - 1; at > Math.max(0, line - REACH); at--) {
    const above = keyLine(source, at);
    if (above === undefined || above.indent === here.indent) continue;
    if (above.indent < here.indent) return hintOf(deeper === undefined ? [above] : [deeper, above]);
    if (deeper === undefined || above.indent < deeper.indent) deeper = above;
  }
  return deeper === undefined ? general : hintOf([deeper]);
}

const hintOf = (meant: readonly KeyLine[]): string =>
  `indent it by ${meant.map((it) => `${spaces(it.indent)} like ${quotedPiece(it.key)} in line ${it.line}`).join(', or by ')}`;

const spaces = (count: number): string => (count === 0 ? 'none' : countOf(count, 'space'));

/** The next line that is neither empty nor a comment. */
function nextLine(source: Source, line: number): number {
  let next = line + 1;
  while (next < line + REACH && /^\s*(#|$)/.test(lineText(source, next))) next++;
  return next;
}
