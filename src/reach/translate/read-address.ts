import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { looksLikeIPv6, readAddress } from '../../base/net/text.ts';
import type { Located } from '../../base/source/located.ts';
import type { Span } from '../../base/source/source.ts';
import { isIPv6, notAnAddress } from './translate-diagnostics.ts';

/** One IPv4 address; for anything else it adds a diagnostic to `problems`. */
export function readAddressAt(text: string, at: Span, problems: Diagnostic[]): readonly Located<number>[] {
  const value = readAddress(text);
  if (value !== undefined) return [{ value, at }];
  problems.push(looksLikeIPv6(text) ? isIPv6(at, text) : notAnAddress(at, text));
  return [];
}
