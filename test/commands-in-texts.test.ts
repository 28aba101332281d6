import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, PAGES, unknownIn } from './docs/pages.ts';

const SRC = new URL('../src/', import.meta.url).pathname;

/**
 * Hints, messages, pages of codes and templates without comments. A command line is a text between quotes or in a block.
 */
const TEXTS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((it) => /\.(ts|md|hbs)$/.test(it) && !it.includes('generated'))
  .map((path) => ({
    path,
    text: readFileSync(join(SRC, path), 'utf8')
      .replace(/^ *(\/\/|\/?\*).*/gm, '')
      .replace(/\$\{[^{}]*\}/g, 'X'),
  }));

/** Sentences about weft between quotes, and words in place of a command. */
const PROSE = /^weft (COMMAND|NAME|calls|does|fills|has|keeps|leaves|writes|X|knows)\b/;

function* linesIn(text: string, program: string): Generator<string> {
  const quoted = new RegExp(`(["\`])((?:sudo )?${program} [^"\`\\n]*?)\\\\?\\1`, 'g');
  for (const [, , line = ''] of text.matchAll(quoted)) yield line;
  const blocks = blocksOf({ path: '', text }).filter((it) => ['', 'sh'].includes(it.language));
  for (const block of blocks)
    for (const [line] of block.text.matchAll(new RegExp(`(?<=^|[|;&] ?)${program} [^#|;&\\n]*`, 'gm'))) yield line;
}

const found = (program: string) =>
  TEXTS.flatMap(({ path, text }) => [...linesIn(text, program)].map((line) => ({ path, line: line.trim() })));

/** The verbs that hints may advise. */
const VERBS = [
  'annotate',
  'apply',
  'config',
  'create',
  'debug',
  'describe',
  'delete',
  'edit',
  'exec',
  'get',
  'label',
  'logs',
  'patch',
  'rollout',
  'run',
  'top',
  'wait',
];

/** The verb of a command line of kubectl, behind its options; `undefined` where a template has it. */
function verbOf(line: string): string | undefined {
  const words = line.split(/\s+/).slice(1);
  while (words[0]?.startsWith('-')) words.splice(0, words[0].includes('=') ? 1 : 2);
  return words[0] === 'X' || words[0] === '...' ? undefined : words[0];
}

/** A request to compare files or fields by eye. */
const BY_HAND =
  /(?:^|['"`:;,.] ?|\band |\bthen )compare (?:[^.;'"]|\.(?=\w))*(?:expected\/|status\b|\.yaml|\bfiles?\b|Configurations?\b|PublicKeys?\b|CRDs)/gim;

const byHandIn = (text: string): readonly string[] => text.match(BY_HAND) ?? [];

describe('the texts of weft', () => {
  it('ask nobody to compare files by hand, where a command compares', () => {
    expect([...TEXTS, ...PAGES].flatMap(({ path, text }) => byHandIn(text).map((it) => `${path}: ${it}`))).toEqual([]);
    expect(byHandIn("'compare the status of these Configurations with expected/configurations.yaml'")).toHaveLength(1);
    expect(byHandIn('Compare `status.authParams` with the identities file.')).toHaveLength(1);
    expect(byHandIn('Both tools compare them with the status.')).toEqual([]);
  });

  it('name only commands, options and values that weft has', () => {
    const lines = found('weft').filter(({ line }) => !PROSE.test(line));
    expect(lines.length).toBeGreaterThan(150);
    const unknown = lines.flatMap(({ path, line }) => {
      // A word that is put in may be a list of options.
      const fault = unknownIn(line.replaceAll(/(?<=\w)X| -o X$/g, ''));
      return fault === undefined ? [] : [`${path}: ${line}: ${fault}`];
    });
    expect(unknown).toEqual([]);
  });

  it('name only verbs that kubectl has', () => {
    const lines = found('kubectl');
    expect(lines.length).toBeGreaterThan(40);
    expect(
      lines.filter(({ line }) => {
        const verb = verbOf(line);
        return verb !== undefined && !VERBS.includes(verb);
      }),
    ).toEqual([]);
  });

  it('would be found with a command or a verb that is none', () => {
    expect([...linesIn('hint: \'run "weft compil --relock"\'', 'weft')].map(unknownIn)).toEqual(['no command: compil']);
    expect([...linesIn('```sh\nkubectl --context rome anotate x\n```', 'kubectl')].map(verbOf)).toEqual(['anotate']);
  });
});
