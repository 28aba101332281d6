import { maskSecrets } from '../core/mask-secrets.ts';
import { shortenedPiece } from './quoted-piece.ts';

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
