import type { DocumentNode } from '../../source/document-node.ts';
import { quotedPiece, shortenedPiece } from '../../source/quoted-piece.ts';
import { meantHint } from '../did-you-mean.ts';
import type { SchemaError } from './schema-error.ts';

/** `a, b or c`. */
export const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** The text of a node in the file. */
export const textOf = ({ span }: DocumentNode): string => span.source.text.slice(span.start, span.end);

interface Expectation {
  /** What follows "must": `be at least 1`. */
  readonly expected: string;
  readonly hint?: string | undefined;
}

/** What a value of the right type must be. */
export function expectedValue(error: SchemaError, node: DocumentNode | undefined): Expectation {
  const { limit, allowedValue, allowedValues } = error.params;
  switch (error.keyword) {
    case 'enum': {
      const allowed = (Array.isArray(allowedValues) ? allowedValues : []).map(String);
      const hint = node?.kind === 'scalar' ? meantHint(String(node.value), allowed) : undefined;
      return { expected: `be ${orList(allowed)}`, hint };
    }
    case 'const':
      return { expected: `be ${String(allowedValue)}` };
    case 'minimum':
      return { expected: `be at least ${String(limit)}` };
    case 'maximum':
      return { expected: `be at most ${String(limit)}` };
    case 'minItems':
    case 'maxItems':
      return { expected: `have ${String(limit)} entries`, hint: countHint(node, Number(limit)) };
    default:
      return { expected: 'have the form that weft writes' };
  }
}

/** Our schemas count the entries of pairs alone. */
function countHint(node: DocumentNode | undefined, limit: number): string | undefined {
  const texts = (node?.kind === 'list' ? node.items : []).map((it) => shortenedPiece(textOf(it)));
  const [first = ''] = texts;
  if (texts.length > limit) {
    const others = texts.slice(1, 3).map((it) => `[${first}, ${it}]`);
    return `write an entry for each pair: ${others.join(' and ')}`;
  }
  return texts.length === 1 && /\S\s+\S/.test(first)
    ? `put a comma between the two: [${first.split(/\s+/).join(', ')}]`
    : undefined;
}

/** A description of the wrong value: its text, or the number of its entries where those are counted. */
export function foundValue(node: DocumentNode | undefined, keyword: string): string {
  if (keyword === 'minItems' || keyword === 'maxItems') return String(node?.kind === 'list' ? node.items.length : 0);
  if (node?.kind !== 'scalar') return 'this';
  return typeof node.value === 'string' ? quotedPiece(node.value) : shortenedPiece(textOf(node));
}
