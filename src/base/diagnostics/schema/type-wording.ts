import type { DocumentNode, DocumentScalar } from '../../source/document-node.ts';
import { shortenedPiece } from '../../source/quoted-piece.ts';
import { orList, textOf } from './value-wording.ts';

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/** `a string or a list`. */
export const typesText = (types: readonly string[]): string => orList(types.map((it) => TYPE_TEXTS[it] ?? it));

/** A description of the value that has none of the expected types. */
export function foundText(node: DocumentNode | undefined, expected: readonly string[]): string {
  if (node === undefined) return 'this';
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  if (typeof node.value === 'string') return 'a string';
  if (typeof node.value === 'number' && !expected.includes('integer')) return 'a number';
  return shortenedPiece(textOf(node));
}

/** Where a value is, for a hint that writes its line. */
interface Meant {
  /** Its key; `null` for an entry of a list. */
  readonly key: string | null;
  /** A valid value as YAML on one line. */
  readonly example: string | undefined;
  /** The list that it is an entry of. */
  readonly list: readonly DocumentNode[] | undefined;
}

/** How to write the value as one of the expected types. */
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
  const text = shortenedPiece(textOf(node));
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
    return `write the pair as one entry: \`- [${list.slice(0, 2).map(textOf).map(shortenedPiece).join(', ')}]\``;
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
