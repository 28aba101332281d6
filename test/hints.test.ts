import { describe, expect, it } from 'vitest';
import type { Code } from '../src/base/diagnostics/codes.ts';
import { type Diagnostic, isOpen } from '../src/base/diagnostics/diagnostic.ts';
import { compile } from '../src/compile.ts';
import { BY_HAND, WAYS, type Way } from './hints.ts';
import { codes, pages, sectionOf, sourcesOf, WITHOUT_EXCERPT } from './support/code-pages.ts';
import { keysOf } from './support/keys-of.ts';

const swept = codes.filter((it) => !WITHOUT_EXCERPT.includes(it));

/** The texts that hints write, which a person types in place of what is underlined. */
const WRITTEN: readonly RegExp[] = [
  /^did you mean "(.+)"\?$/,
  /^quote it: (".+")$/,
  /^write (?:a network, like )?([\d./]+)(?: if you mean that network| here,|$)/,
  /^write the smaller port first: "(.+)"$/,
  /, like "([\w-]+)"$/,
  /^write "([^"]+)"/,
];

const compileWith = (code: Code, page: string, relock: Way['relock'] = []) => {
  const sources = sourcesOf(page, 'Instead of');
  // Assertions about packets need gateways with keys.
  const keys = code.startsWith('assertion/') ? keysOf(sources.topology) : sources.keys;
  return compile({ ...sources, keys }, { relock, only: null });
};

/** The page in which an example is edited. */
function editedPage(page: string, edits: Way['edits']): string {
  const before = sectionOf(page, 'Instead of');
  const after = edits.reduce((text, [instead, other]) => {
    expect(text).toContain(instead);
    return text.replace(instead, () => other);
  }, before);
  return page.replace(before, () => after);
}

/** The first diagnostic with the code that the example of its page has. */
function exampleOf(code: Code): Diagnostic {
  const sources = sourcesOf(pages.get(code) ?? '', 'Instead of');
  const found = compile(sources, { relock: [], only: null }).diagnostics.find((it) => it.code === code);
  expect(found, code).toBeDefined();
  return found as Diagnostic;
}

/** The edit that a hint writes itself: what is underlined becomes what it says. */
function writtenWay({ hint = '', span }: Diagnostic): Way | undefined {
  const text = WRITTEN.map((it) => it.exec(hint)?.[1]).find((it) => it !== undefined);
  return text === undefined
    ? undefined
    : { says: hint, edits: [[span.source.text.slice(span.start, span.end), text]], relock: [] };
}

const errorsOf = (found: readonly Diagnostic[]): readonly Code[] =>
  found.filter((it) => it.severity === 'error').map((it) => it.code);

describe('a hint that is followed in the example of its page', () => {
  it.each(swept)('resolves it, and causes no other error: %s', (code) => {
    const example = exampleOf(code);
    const ways = WAYS[code] ?? [];
    const written = ways.length === 0 ? writtenWay(example) : undefined;
    const all = written === undefined ? ways : [written];
    // A hint is applied here, or has a reason why it cannot be.
    expect([all.length > 0, BY_HAND[code] !== undefined]).toEqual([!(code in BY_HAND), code in BY_HAND]);
    for (const { says, edits, relock } of all) {
      expect(example.hint).toContain(says);
      const page = pages.get(code) ?? '';
      const before = errorsOf(compileWith(code, page, relock).diagnostics);
      const after = compileWith(code, editedPage(page, edits), relock).diagnostics.filter(isOpen);
      expect(
        after.map((it) => it.code),
        says,
      ).not.toContain(code);
      expect(
        errorsOf(after).filter((it) => !before.includes(it)),
        says,
      ).toEqual([]);
    }
  });

  it('has a reason or an edit only for codes with an example', () => {
    const known: readonly string[] = swept;
    expect([...Object.keys(WAYS), ...Object.keys(BY_HAND)].filter((it) => !known.includes(it))).toEqual([]);
  });
});
