import type { Code } from '../diagnostics/codes.ts';
import { EXPLAIN_PAGES } from '../generated/explain-pages.js';

/** The page of a code; `undefined` for what is none. */
export const explainPage = (code: string): string | undefined =>
  Object.hasOwn(EXPLAIN_PAGES, code) ? EXPLAIN_PAGES[code] : undefined;

/** One sentence about a code: the first of its page, below the heading. */
export function describeCode(code: Code): string {
  const body = (explainPage(code) ?? '').replace(/^#.*\n+/, '').split(/\n\s*\n/, 1)[0] ?? '';
  const plain = body.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  const sentence = /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain;
  return sentence === '' ? (code.split('/')[1] ?? code).replaceAll('-', ' ') : sentence;
}
