import { shortened } from '../../base/core/words.ts';
import { CODES, type Code } from '../../base/diagnostics/codes.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { EXPLAIN_PAGES } from '../../base/generated/explain-pages.js';

export interface ExplainedCode {
  readonly kind: 'explained';
  readonly code: Code;
  /** The page in Markdown. */
  readonly page: string;
}

export const knownCodes = Object.keys(CODES) as readonly Code[];

/** The page of a diagnostic. The part of its code after the slash is enough if it is unique. */
export function explainCode(name: string): ExplainedCode | undefined {
  const matches = knownCodes.filter((it) => it === name || slugOf(it) === name);
  const [code] = matches;
  if (code === undefined || matches.length > 1) return undefined;
  return { kind: 'explained', code, page: pageOf(code) ?? `# ${code}\n` };
}

/** The known code with the most similar name. */
export function similarCode(name: string): string | undefined {
  const slug = didYouMean(name, knownCodes.map(slugOf));
  return didYouMean(name, knownCodes) ?? knownCodes.find((it) => slugOf(it) === slug);
}

/** All codes in the order of their list, each with one sentence. */
export const explainedCodes = (): readonly { readonly code: Code; readonly summary: string }[] =>
  knownCodes.map((code) => ({ code, summary: describeCode(code) }));

/** One sentence about a code: the first one of its page, below the heading. */
export function describeCode(code: Code): string {
  const body = (pageOf(code) ?? '').replace(/^#.*\n+/, '').split(/\n\s*\n/, 1)[0] ?? '';
  const plain = body.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  const sentence = /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain;
  return sentence === '' ? slugOf(code).replaceAll('-', ' ') : sentence;
}

/**
 * The length to which descriptions are shortened. Code scanning accepts 1,024 characters. Source: docs.github.com,
 * "SARIF support for code scanning".
 */
const MAX_DESCRIPTION_CHARACTERS = 1000;

/** Descriptions of a code in three lengths: one sentence; its meaning and cause; and the whole page in Markdown. */
export function describeRule(code: Code): {
  readonly summary: string;
  readonly description: string;
  readonly page: string;
} {
  const summary = describeCode(code);
  const page = pageOf(code) ?? summary;
  const [lead = ''] = page.split(/^## (?!When$)/m, 1);
  const plain = lead.replace(/^#.*$/gm, '').replace(/\s+/g, ' ').replaceAll('`', '').trim();
  return { summary, description: shortened(plain, MAX_DESCRIPTION_CHARACTERS), page };
}

const pageOf = (code: Code): string | undefined =>
  Object.hasOwn(EXPLAIN_PAGES, code) ? EXPLAIN_PAGES[code] : undefined;

const slugOf = (code: string): string => code.split('/')[1] ?? code;
