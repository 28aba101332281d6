import { utf8Bytes } from '../../base/core/utf8.ts';

/**
 * Longest label value in characters: Flux adds the name of a Kustomization as a label to every object that it applies.
 */
const LONGEST_NAME = 63;

/**
 * The name of an object of ours in a GitOps tool: `weft-europe`, `weft-europe.rome`, `weft-europe.rome.milan`. Parts
 * are joined by dots, which names of fleets and clusters must not contain: with dashes, peer `west` of cluster `eu` and
 * cluster `eu-west` would have the same name. The name of the fleet comes first, so that one tool can manage several
 * fleets. A name that is too long is cut and ends in a fingerprint of the whole.
 */
export function objectName(parts: readonly string[]): string {
  const whole = `weft-${parts.join('.')}`;
  if (whole.length <= LONGEST_NAME) return whole;
  const print = fingerprint(whole);
  const start = whole.slice(0, LONGEST_NAME - print.length - 1).replace(/[-.]+$/, '');
  return `${start}-${print}`;
}

/**
 * FNV-1a of 64 bits as 16 hexadecimal digits. With 32 bits, two of ten thousand long names would be equal in one of a
 * hundred fleets.
 */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8Bytes(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
