import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { type ExplainedCode, explainCode, similarCode } from './explain-code.ts';
import { type ExplainedKey, keyAtPath, keyNames, keyWithEnd } from './explain-key.ts';
import type { Refusal } from './refusal.ts';

/** The page of a diagnostic, or a key of the topology. Codes have a slash, and the end of one is enough if it is no key. */
export function explainName(
  name: string,
): ExplainedCode | ExplainedKey | { readonly kind: 'refused'; readonly refusal: Refusal } {
  const explained = keyAtPath(name) ?? explainCode(name) ?? keyWithEnd(name);
  if (explained !== undefined) return explained;
  const similarKey = name.includes('/') ? undefined : (didYouMean(name, keyNames()) ?? lastPartMeant(name));
  const suggestion = similarKey ?? similarCode(name);
  return { kind: 'refused', refusal: { kind: 'unknown-code', code: name, suggestion } };
}

/** `podCDIR` has no similar path, but a similar end of one. */
function lastPartMeant(name: string): string | undefined {
  const ends = new Map(keyNames().map((it) => [it.split('.').at(-1) ?? it, it]));
  const meant = didYouMean(name, [...ends.keys()]);
  return meant === undefined ? undefined : ends.get(meant);
}
