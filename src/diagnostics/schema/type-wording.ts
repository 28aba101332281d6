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

/** What is there instead of the wanted types. */
export function foundText(node: DocumentNode | undefined, wanted: readonly string[]): string {
  if (node === undefined) return 'this';
  if (node.kind !== 'scalar') return node.kind === 'list' ? 'a list' : 'a map';
  if (typeof node.value === 'string') return 'a string';
  if (typeof node.value === 'number' && !wanted.includes('integer')) return 'a number';
  return shortenedPiece(textOf(node));
}

/** How to write what is there as one of the wanted types. */
export function typeHint(node: DocumentNode | undefined, wanted: readonly string[]): string | undefined {
  if (node?.kind !== 'scalar') return undefined;
  const text = shortenedPiece(textOf(node));
  if (wanted.includes('string')) return `quote it: "${text}"`;
  if (wanted.includes('array')) return `write it as a list: [${text}]`;
  if (typeof node.value !== 'string') return undefined;
  if (wanted.includes('integer') && /^\d+$/.test(node.value))
    return `write it without quotes: ${shortenedPiece(node.value)}`;
  if (!wanted.includes('boolean')) return undefined;
  if (/^(yes|on|true)$/i.test(node.value)) return 'write true';
  return /^(no|off|false)$/i.test(node.value) ? 'write false' : undefined;
}

/** What to do about a key without a value. */
export function emptyHint(key: string, wanted: readonly string[]): string {
  if (wanted.includes('array') && !wanted.includes('string')) return `leave it out, or write \`${key}: []\``;
  if (wanted.includes('object') && !wanted.includes('string')) return `leave it out, or write \`${key}: {}\``;
  return 'leave it out, or give it a value';
}
