import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { looksLikeIPv6, readAddress } from '../net/text.ts';
import type { Located } from '../source/located.ts';
import type { Span } from '../source/source.ts';
import { isIPv6, notAnAddress } from './translate-diagnostics.ts';

/** One IPv4 address; for anything else it adds a diagnostic to `problems`. */
export function readAddressAt(text: string, at: Span, problems: Diagnostic[]): readonly Located<number>[] {
  const value = readAddress(text);
  if (value !== undefined) return [{ value, at }];
  problems.push(looksLikeIPv6(text) ? isIPv6(at, text) : notAnAddress(at, text));
  return [];
}
