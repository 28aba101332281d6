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
  {
    not: /\b(nobody|somebody)\b/i,
    but: 'a name, or the passive voice',
    example: 'a port that nobody listens on',
  },
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

/** Further words that comments do not have. */
const COMMENT_RIDDLES: readonly Riddle[] = [
  ...RIDDLES,
  { not: /\bwhoever\b/i, but: 'a role, or the passive voice', example: 'for whoever cannot wait' },
  { not: /\bputs? (it |them )?down\b/i, but: 'record', example: 'compile puts them down' },
  {
    not: /\bthat is meant\b|\bdoes not count\b|\bnothing is said\b|\bis silent about\b/i,
    but: 'the rule, in plain words',
    example: 'keys of which the case does not count',
  },
  {
    not: /\b(bundle|dump|cluster)s? (say|tell|ask|want|know|hear)s?\b/i,
    but: 'contains, requires, is',
    example: 'what a cluster says of itself',
  },
];

/** Starts of sentences in comments: a sentence names its subject first. */
const RIDDLE_STARTS = /^(What|Whether|Of|Where|Whose|Who|How)\b|^As [`a-z]|^The same[,: ]/;

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

const LINES_OF_COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|(?<=^|[ \t])\/\/ .*(?:\n[ \t]*\/\/ .*)*/gm;

/** The comments of a module without code between backticks, each on one line. */
const commentsOf = (file: string, text: string): readonly Sentence[] =>
  [...text.matchAll(LINES_OF_COMMENT)].map((it) => ({
    file,
    line: text.slice(0, it.index).split('\n').length,
    text: it[0]
      .replace(/^\s*\/\*+|\*\/$/g, '')
      .replace(/^\s*(\*|\/\/)/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }));

/** The riddles in a comment, and its sentences that do not begin with their subject. */
function riddlesInComment(comment: Sentence): readonly string[] {
  const { file, line, text } = comment;
  const starts = text.split(/(?<=[.:;])\s+(?=[A-Z`])/).filter((it) => RIDDLE_STARTS.test(it));
  return [
    ...starts.map(
      (it) => `${file}:${line}: ${it}\n    begins with "${RIDDLE_STARTS.exec(it)?.[0]}"; instead: its subject`,
    ),
    ...riddlesIn({ file, line, text: text.replace(/`[^`]*`/g, '') }, COMMENT_RIDDLES),
  ];
}

/** `src/a.ts:3: "..." has "anew"; instead: again`, for each riddle in a sentence. */
const riddlesIn = ({ file, line, text }: Sentence, riddles = RIDDLES): readonly string[] =>
  riddles.flatMap(({ not, but }) => {
    const found = not.exec(text.replace(CODE, ''));
    return found ? [`${file}:${line}: ${text.trim()}\n    has "${found[0]}"; instead: ${but}`] : [];
  });

/** A code is never renamed, whatever words it has. */
const CODE = /\b[a-z]+\/[a-z0-9.-]+\b/g;

/** Generated files: validators, and copies of the pages. */
const LEFT_OUT = /^base\/generated\//;

describe('is written in plain English:', () => {
  it('every recorded diagnostic and plan', () => {
    const sentences = recordedSentences();
    expect(sentences.length).toBeGreaterThan(500);
    expect(sentences.flatMap((it) => riddlesIn(it))).toEqual([]);
  });

  it('every page of a code', () => {
    const pages = filesBelow('src/base/diagnostics/explain/', /\.md$/);
    expect(pages.length).toBeGreaterThan(100);
    expect(pages.flatMap(proseOf).flatMap((it) => riddlesIn(it))).toEqual([]);
  });

  it('every description in a schema', () => {
    const descriptions = filesBelow('schemas/', /\.json$/)
      .flatMap(linesOf)
      .filter(({ text }) => text.includes('"description"'));
    expect(descriptions.length).toBeGreaterThan(50);
    expect(descriptions.flatMap((it) => riddlesIn(it))).toEqual([]);
  });

  it('the guides', () => {
    expect(
      ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs/', /\.md$/)].flatMap(proseOf).flatMap((it) => riddlesIn(it)),
    ).toEqual([]);
  });

  it('every text in the code', () => {
    const texts = sourceFiles()
      .filter(({ path }) => !LEFT_OUT.test(path))
      .flatMap(literalsOf);
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap((it) => riddlesIn(it))).toEqual([]);
  });

  it('every comment in the code and in the tests', () => {
    const sources = sourceFiles().map(({ path, text }) => ({ file: `src/${path}`, text }));
    const tests = filesBelow('test/', /^(?!.*node_modules).*\.ts$/).map((file) => ({
      file,
      text: readFileSync(new URL(file, ROOT), 'utf8'),
    }));
    const comments = [...sources, ...tests]
      .filter(({ file }) => !/^src\/base\/(generated|schema-types)\//.test(file))
      .flatMap(({ file, text }) => commentsOf(file, text));
    expect(comments.length).toBeGreaterThan(3000);
    expect(comments.flatMap(riddlesInComment)).toEqual([]);
  });
});

it.each([
  'What a plan rests on.',
  'Removals. Of those, only some are listed.',
  'Keys; Whether they match.',
  'As `narrowed`, with both.',
  'The same, without a wait.',
  'A reader, for whoever cannot wait.',
])('"%s" is a riddle in a comment of any form', (text) => {
  for (const code of [
    `/** ${text} */`,
    `  // ${text}`,
    `a(); // ${text}`,
    `/**\n * ${text.replace(' ', '\n * ')}\n */`,
  ])
    expect(commentsOf('a.ts', `const a = 1;\n${code}\nb();\n`).flatMap(riddlesInComment), code).toHaveLength(1);
});

it('a text in quotes or backticks is no comment', () => {
  expect(commentsOf('a.ts', "const a = '// What is it?'; // The plan of `// what`.")).toHaveLength(1);
  expect(commentsOf('a.ts', '/** The plan of `somebody`. */').flatMap(riddlesInComment)).toEqual([]);
});

it.each(COMMENT_RIDDLES)('"$example" is a riddle', ({ not, example }) => {
  const found = riddlesIn({ file: 'a.txt', line: 1, text: example }, COMMENT_RIDDLES);
  expect(found.length).toBeGreaterThan(0);
  expect(not.test(example)).toBe(true);
});
