import type { DocumentNode, DocumentScalar } from '../../source/document-node.ts';
import { quotedPiece, shortenedPiece } from '../../source/document-problem.ts';
import { meantHint } from '../did-you-mean.ts';
import type { SchemaError } from './schema-errors.ts';

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** A list of types in words: `a string or a list`. */
export const typesText = (types: readonly string[]): string => orList(types.map((it) => TYPE_TEXTS[it] ?? it));

/** A description of the value that has none of the expected types. */
export function foundText(node: DocumentNode | undefined, expected: readonly string[]): string {
  if (node === undefined) return 'this';
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  if (typeof node.value === 'string') return 'a string';
  if (typeof node.value === 'number' && !expected.includes('integer')) return 'a number';
  return shortenedPiece(nodeText(node));
}

/** The context of a value, for a hint that writes its line. */
interface Meant {
  /** Its key; `null` for an entry of a list. */
  readonly key: string | null;
  /** A valid value as YAML on one line. */
  readonly example: string | undefined;
  /** The list of which it is an entry. */
  readonly list: readonly DocumentNode[] | undefined;
}

/** The hint that shows the value as one of the expected types. */
export function typeHint(
  node: DocumentNode | undefined,
  expected: readonly string[],
  meant: Meant,
): string | undefined {
  if (node?.kind === 'scalar') return scalarHint(node, expected, meant);
  const what = typesText(expected.filter((it) => it === 'array' || it === 'object'));
  return meant.example === undefined || what === '' ? undefined : `write ${what}, like \`${lineOf(meant)}\``;
}

function scalarHint(node: DocumentScalar, expected: readonly string[], meant: Meant): string | undefined {
  const text = shortenedPiece(nodeText(node));
  if (expected.includes('string')) return `quote it: "${text}"`;
  if (expected.includes('array')) return listHint(text, meant);
  if (expected.includes('object') && meant.example !== undefined) return `write a map, like \`${lineOf(meant)}\``;
  if (typeof node.value !== 'string') return undefined;
  const digits = expected.includes('integer') ? /^\d+/.exec(node.value)?.[0] : undefined;
  if (digits !== undefined)
    return `write it ${digits === node.value ? 'without quotes' : 'as a number'}: ${shortenedPiece(digits)}`;
  if (!expected.includes('boolean')) return undefined;
  if (/^(yes|on|true)$/i.test(node.value)) return 'write true';
  return /^(no|off|false)$/i.test(node.value) ? 'write false' : undefined;
}

function listHint(text: string, { list }: Meant): string {
  if (list !== undefined && list.length > 1 && list.every((it) => it.kind === 'scalar')) {
    return `write the pair as one entry: \`- [${list.slice(0, 2).map(nodeText).map(shortenedPiece).join(', ')}]\``;
  }
  return /^-\S/.test(text) ? 'put a space after the "-"' : `write it as a list: [${text}]`;
}

const lineOf = ({ key, example }: Meant): string => (key === null ? `${example}` : `${key}: ${example}`);

/** The hint for a key without a value. */
export function emptyHint(expected: readonly string[], meant: Meant): string {
  if (meant.example !== undefined) return `remove it, or set a value, like \`${lineOf(meant)}\``;
  if (expected.includes('array') && !expected.includes('string')) return `remove it, or write \`${meant.key}: []\``;
  if (expected.includes('object') && !expected.includes('string')) return `remove it, or write \`${meant.key}: {}\``;
  return 'remove it, or set a value';
}

/** A list of alternatives: `a, b or c`. */
const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** The text of a node in the file. */
const nodeText = ({ span }: DocumentNode): string => span.source.text.slice(span.start, span.end);

interface Expectation {
  /** The words that follow "must": `be at least 1`. */
  readonly expected: string;
  readonly hint?: string | undefined;
}

/** The words for the values that are allowed, for a value of the right type. */
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

/** The hint for a wrong number of entries. The schemas limit the number of entries only for pairs. */
function countHint(node: DocumentNode | undefined, limit: number): string | undefined {
  const texts = (node?.kind === 'list' ? node.items : []).map((it) => shortenedPiece(nodeText(it)));
  const [first = ''] = texts;
  if (texts.length > limit) {
    const others = texts.slice(1, 3).map((it) => `[${first}, ${it}]`);
    return `write an entry for each pair: ${others.join(' and ')}`;
  }
  return texts.length === 1 && /\S\s+\S/.test(first)
    ? `put a comma between the two: [${first.split(/\s+/).join(', ')}]`
    : undefined;
}

/** A description of the wrong value: its text, or the number of its entries if that is wrong. */
export function foundValue(node: DocumentNode | undefined, keyword: string): string {
  if (keyword === 'minItems' || keyword === 'maxItems') return String(node?.kind === 'list' ? node.items.length : 0);
  if (node?.kind !== 'scalar') return 'this';
  return typeof node.value === 'string' ? quotedPiece(node.value) : shortenedPiece(nodeText(node));
}
