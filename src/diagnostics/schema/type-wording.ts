import type { DocumentNode } from '../../source/document-node.ts';
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

/** How to write the value as one of the expected types. */
export function typeHint(node: DocumentNode | undefined, expected: readonly string[]): string | undefined {
  if (node?.kind !== 'scalar') return undefined;
  const text = shortenedPiece(textOf(node));
  if (expected.includes('string')) return `quote it: "${text}"`;
  if (expected.includes('array')) return `write it as a list: [${text}]`;
  if (typeof node.value !== 'string') return undefined;
  if (expected.includes('integer') && /^\d+$/.test(node.value))
    return `write it without quotes: ${shortenedPiece(node.value)}`;
  if (!expected.includes('boolean')) return undefined;
  if (/^(yes|on|true)$/i.test(node.value)) return 'write true';
  return /^(no|off|false)$/i.test(node.value) ? 'write false' : undefined;
}

/** The hint for a key without a value. */
export function emptyHint(key: string, expected: readonly string[]): string {
  if (expected.includes('array') && !expected.includes('string')) return `remove it, or write \`${key}: []\``;
  if (expected.includes('object') && !expected.includes('string')) return `remove it, or write \`${key}: {}\``;
  return 'remove it, or set a value';
}
