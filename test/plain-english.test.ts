import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './support/source-files.ts';

interface Riddle {
  readonly not: RegExp;
  readonly but: string;
  readonly example: string;
}

/** Words that our sentences do not have, with plain ones: a sentence is read at night and in a second language. */
const RIDDLES: readonly Riddle[] = [
  { not: /\b(anew|afresh)\b/i, but: 'again', example: 'compile decides only this anew' },
  { not: /\bapart from each other\b/i, but: 'separately', example: 'two branches decided this apart from each other' },
  { not: /\b(nobody|somebody)\b/i, but: 'a name, or the passive voice', example: 'a port that nobody listens on' },
  { not: /\b(stands?|stood)\b/i, but: 'is, appears, is declared', example: '"rome" stands here' },
  { not: /\b(tells?|told)\b/i, but: 'reports, shows, contains', example: 'weft explain CODE tells more' },
  { not: /\b(speaks?|hears?|heard)\b/i, but: 'names, reads, listens', example: 'a port that is not heard' },
  { not: /\bmend(s|ed|ing)?\b/i, but: 'repair, resolve', example: 'compile mends all of them' },
  { not: /\bgives? (up|way)\b/i, but: 'stop, can no longer use', example: '"rome" gives up port 30007' },
  { not: /\btakes? (it |them |one )?(back|away)\b/i, but: 'restore, remove', example: 'take it back from git' },
  { not: /\btakes? out what\b/i, but: 'remove', example: 'take out what is wrong' },
  { not: /\bin the way\b/i, but: 'prevents, overlaps', example: 'files of others are in the way' },
  {
    not: /\b(worth|with) a word\b|\b(has|have) the word on\b|\bsmall talk\b|\bby its look\b|\bat home\b/i,
    but: 'what happens, in plain words',
    example: 'ports move with a word',
  },
  { not: /\bonce is enough\b/i, but: 'remove one of the two entries', example: 'once is enough' },
  {
    not: /\b(file|lock|topology|manifest|row|folder|schema|record|page|weft)s? (say|tell|ask|want|know|hear)s?\b/i,
    but: 'contains, requires, is: only people say, ask and know',
    example: 'out/ is not what the topology says',
  },
];

interface Sentence {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const ROOT = new URL('../', import.meta.url);

const filesBelow = (folder: string, isWanted: RegExp): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((it) => isWanted.test(it))
    .map((it) => `${folder}${it}`)
    .sort();

const linesOf = (file: string): readonly Sentence[] =>
  readFileSync(new URL(file, ROOT), 'utf8')
    .split('\n')
    .map((text, i) => ({ file, line: i + 1, text }));

/** The lines of weft itself: those that quote a file have its line number or a bar in front. */
const recordedSentences = (): readonly Sentence[] =>
  [...filesBelow('test/golden/', /\/diagnostics\.txt$/), ...filesBelow('test/plan/edits/', /\/plan\.(txt|md)$/)]
    .flatMap(linesOf)
    .filter(({ text }) => !/^ *\d* \|/.test(text));

/** Prose without code: fenced blocks, and what is between backticks. */
const proseOf = (file: string): readonly Sentence[] => {
  let inCode = false;
  return linesOf(file).filter(({ text }) => {
    if (text.startsWith('```')) inCode = !inCode;
    return !inCode;
  });
};

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm;
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;

/** The texts between quotes that have several words: messages, hints, titles, reasons. */
function literalsOf({ path, text }: SourceFile): readonly Sentence[] {
  const code = text.replace(COMMENT, (it) => it.replace(/[^\n]/g, ' '));
  return [...code.matchAll(LITERAL)]
    .map((it) => ({
      file: `src/${path}`,
      line: code.slice(0, it.index).split('\n').length,
      text: it[1] ?? it[2] ?? '',
    }))
    .filter((it) => /\w \w/.test(it.text));
}

/** `src/a.ts:3: "..." has "anew"; instead: again`, for each riddle in a sentence. */
const riddlesIn = ({ file, line, text }: Sentence): readonly string[] =>
  RIDDLES.flatMap(({ not, but }) => {
    const found = not.exec(text.replace(CODE, ''));
    return found ? [`${file}:${line}: ${text.trim()}\n    has "${found[0]}"; instead: ${but}`] : [];
  });

/** A code is never renamed, whatever words it has. */
const CODE = /\b[a-z]+\/[a-z0-9.-]+\b/g;

/** What the build generates: validators, and copies of the pages. */
const LEFT_OUT = /^base\/generated\//;

describe('is written in plain English:', () => {
  it('every recorded diagnostic and plan', () => {
    const sentences = recordedSentences();
    expect(sentences.length).toBeGreaterThan(500);
    expect(sentences.flatMap(riddlesIn)).toEqual([]);
  });

  it('every page of a code', () => {
    const pages = filesBelow('src/base/diagnostics/explain/', /\.md$/);
    expect(pages.length).toBeGreaterThan(100);
    expect(pages.flatMap(proseOf).flatMap(riddlesIn)).toEqual([]);
  });

  it('every description in a schema', () => {
    const descriptions = filesBelow('schemas/', /\.json$/)
      .flatMap(linesOf)
      .filter(({ text }) => text.includes('"description"'));
    expect(descriptions.length).toBeGreaterThan(50);
    expect(descriptions.flatMap(riddlesIn)).toEqual([]);
  });

  it('the guides', () => {
    expect(
      ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs/', /\.md$/)].flatMap(proseOf).flatMap(riddlesIn),
    ).toEqual([]);
  });

  it('every text in the code', () => {
    const texts = sourceFiles()
      .filter(({ path }) => !LEFT_OUT.test(path))
      .flatMap(literalsOf);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap(riddlesIn)).toEqual([]);
  });
});

it.each(RIDDLES)('"$example" is a riddle', ({ not, example }) => {
  const found = riddlesIn({ file: 'a.txt', line: 1, text: example });
  expect(found.length).toBeGreaterThan(0);
  expect(not.test(example)).toBe(true);
});
