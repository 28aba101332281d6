import type { YAMLParseError } from 'yaml';
import { maskSecrets } from '../core/secrets.ts';
import { lookalikeIn, OTHER_SPACE } from '../core/visible-text.ts';
import { countOf } from '../core/words.ts';
import { type DocumentProblem, quotedPiece, shortenedPiece, spanOnLine } from './document-problem.ts';
import { lineText, placeAt, type Source, type Span, startOfLine } from './source.ts';

/** The most problems that are reported: later ones in a broken file mostly follow from the first. */
const MOST_PROBLEMS = 5;

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
  for (const error of firstErrors(errors)) {
    const { line } = placeAt(source, error.pos[0]);
    // The keys below a line without a colon are no mistakes.
    const follows = error.code === 'BLOCK_AS_IMPLICIT_KEY' && line === lastLine + 1;
    const isEcho = line === lastLine || (follows && problems.length > 0);
    lastLine = line;
    if (isEcho) continue;
    const problem = tabProblem(source, line) ?? syntaxProblem(source, error);
    problems.push(problem);
    // A tab and a bracket too many cause errors in all that follows.
    const ends = problem.kind === 'tab-indentation' || /^Unexpected flow-\w+-end/.test(error.message);
    if (ends || problems.length === MOST_PROBLEMS) break;
  }
  return problems;
}

/** Sorting all errors of a large broken file would take longer than finding them. */
const firstErrors = (errors: readonly YAMLParseError[]): readonly YAMLParseError[] =>
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
  const span = spanOfError(source, error);
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
function spanOfError(source: Source, { code, pos: [start, end] }: YAMLParseError): Span {
  if (code === 'BAD_DQ_ESCAPE') return spanOnLine(source, start, start + 2);
  if (code === 'BAD_INDENT' && source.text.charAt(start) === ' ') {
    const first = start + (/^ */.exec(source.text.slice(start, start + 200))?.[0].length ?? 0);
    return spanOnLine(source, first, wordEnd(source.text, first));
  }
  return spanOnLine(source, start, Math.max(end, wordEnd(source.text, start)));
}

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && end - start < 200 && !' \t\r\n,[]{}'.includes(text.charAt(end))) end++;
  return end;
}

function wordingOf(error: YAMLParseError, found: string, line: string): Wording {
  const { code, message } = error;
  if (/^A block sequence/.test(message) || (/^ *- +\S/.test(line) && /^-( |$)/.test(found)))
    return listEntryWording(line);
  switch (code) {
    case 'BAD_INDENT':
      return isIndentation(error)
        ? { message: 'this line is not indented like the lines it belongs to' }
        : { message: 'a bracket that was opened above is not closed before this line' };
    case 'MISSING_CHAR':
      return missingWording(message, found, line);
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: `${quotedPiece(found)} is not a key with a value`,
        hint: found.startsWith('//') ? 'begin a comment with "#"' : (keyHint(line) ?? 'write `key: value`'),
      };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { message: 'a map cannot start on the line of its key', hint: quotedValueHint(line) };
    case 'BLOCK_IN_FLOW':
      return inBracketsWording(found);
    case 'UNEXPECTED_TOKEN':
      return unexpectedWording(message, found, line);
    case 'BAD_SCALAR_START':
      return {
        message: `a value cannot start with "${found.charAt(0)}"`,
        hint: found.startsWith('`') ? 'remove the "`"' : 'quote the value',
      };
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

/** An entry of a list between the keys of a map: `- name: rome`. */
function listEntryWording(line: string): Wording {
  const [, name] = /^ *- +name *: *["']?([\w.-]+)["']? *$/.exec(line) ?? [];
  const hint = name === undefined ? 'remove the "-", or put every entry of the list below a key of its own' : undefined;
  return {
    message: 'an entry of a list does not belong between the keys of a map',
    hint: hint ?? `the names are keys here: write \`${name}:\``,
  };
}

/** The line with its value in quotes: `name: "europe: west"`. */
function quotedValueHint(line: string): string {
  const [, key, value] = /^ *(?:- +)*([\w./-]+): +([^"'#]*[^"'#\s])\s*$/.exec(maskSecrets(line)) ?? [];
  return key === undefined || value === undefined
    ? 'quote a value that contains ": "'
    : `quote the value: \`${key}: "${shortenedPiece(value)}"\``;
}

/** A second key in brackets where the first has its value already: `{ ports: 51840-51850 mtu: 1340 }`. */
function inBracketsWording(found: string): Wording {
  const [, value, key] = /^(\S+)\s+([\w./-]+):/.exec(found) ?? [];
  if (value !== undefined && key !== undefined)
    return {
      message: `a comma is missing before ${quotedPiece(key)}`,
      hint: `write ${shortenedPiece(value)}, ${key}:`,
    };
  const message = `${quotedPiece(found.trim())} does not belong here`;
  return { message, hint: `quote the value: "${shortenedPiece(maskSecrets(found.trim()))}"` };
}

function unexpectedWording(message: string, found: string, line: string): Wording {
  const first = found.charAt(0);
  const what = found.trim() === '' ? 'this is not YAML' : `${quotedPiece(found)} does not belong here`;
  if (/on same line with key/.test(message))
    return {
      message: 'a list with dashes cannot start on the line of its key',
      hint: 'start it in the next line, or write it in brackets: [a, b]',
    };
  if (',;}])'.includes(first)) return { message: what, hint: `remove the "${first}"` };
  if (!/at node end/.test(message)) return { message: what };
  return /[[{][^\]}]*[[{][^[{]*[\]}][^\]}]*$|[[{][^\]}]*$/.test(line.slice(0, line.indexOf(found)))
    ? { message: `a comma is missing before ${quotedPiece(found)}`, hint: `put a comma before ${quotedPiece(found)}` }
    : { message: what, hint: 'remove it, or quote the whole value' };
}

function missingWording(message: string, found: string, line: string): Wording {
  if (/comment/i.test(message)) return { message: 'a space is missing before "#"' };
  if (/,/.test(message))
    return {
      message: `a comma is missing before ${quotedPiece(found)}`,
      hint: `put a comma before ${quotedPiece(found)}`,
    };
  return { message: `${quotedPiece(found)} is not a key with a value`, hint: keyHint(line) ?? 'write `key: value`' };
}

/** Lines above a mistake that are looked at for the column that was meant. */
const LINES_ABOVE = 200;

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
function keyBelowValue(source: Source, line: number): DocumentProblem | undefined {
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
function indentHint(source: Source, line: number): string {
  const general = 'start all keys of one map in the same column';
  const here = keyLine(source, line);
  if (here === undefined) return general;
  let deeper: KeyLine | undefined;
  for (let at = line - 1; at > Math.max(0, line - LINES_ABOVE); at--) {
    const above = keyLine(source, at);
    if (above === undefined || above.indent === here.indent) continue;
    if (above.indent < here.indent) return indentationHint(deeper === undefined ? [above] : [deeper, above]);
    if (deeper === undefined || above.indent < deeper.indent) deeper = above;
  }
  return deeper === undefined ? general : indentationHint([deeper]);
}

const indentationHint = (meant: readonly KeyLine[]): string =>
  `indent it by ${meant.map((it) => `${spaces(it.indent)} like ${quotedPiece(it.key)} in line ${it.line}`).join(', or by ')}`;

const spaces = (count: number): string => (count === 0 ? 'none' : countOf(count, 'space'));

/** The next line that is neither empty nor a comment. */
function nextLine(source: Source, line: number): number {
  let next = line + 1;
  while (next < line + LINES_ABOVE && /^\s*(#|$)/.test(lineText(source, next))) next++;
  return next;
}

/** A name, then a colon without a space, an equals sign, or nothing; a URL is none. */
const ALMOST_A_KEY = /^\s*(?:- +)?([\w./-]+)(:(?=[^\s/])| *= *|$)(.*)$/;

/**
 * The line as it was probably meant: `podCIDR:10.0.0.0/16`, `podCIDR = 10.0.0.0/16` and `rome` alone are keys. Secrets are
 * masked before: with a space in it, one does not look like one.
 */
export function keyHint(line: string): string | undefined {
  const [, key, , value] = ALMOST_A_KEY.exec(maskSecrets(line)) ?? [];
  if (key === undefined || value === undefined) return undefined;
  return `write \`${shortenedPiece(`${key}: ${value.trim()}`.trim())}\``;
}
