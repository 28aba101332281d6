import { readdirSync, readFileSync } from 'node:fs';
import { COMMANDS, GLOBAL_OPTIONS, type OptionSpec } from '../../src/host/cli/command-table.ts';

const ROOT = new URL('../../', import.meta.url);

/** A text that users read, as Markdown. */
export interface Page {
  /** Below the repository. */
  readonly path: string;
  readonly text: string;
}

export interface Block {
  /** Empty for commands and what they print. */
  readonly language: string;
  readonly text: string;
}

export const pageAt = (path: string): Page => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') });

/** The README, and the pages that it names. */
export const PAGES: readonly Page[] = [
  'README.md',
  ...readdirSync(new URL('docs', ROOT)).map((it) => `docs/${it}`),
].map(pageAt);

/** The part of a page below a heading, up to the next one of its level or above. */
export function section({ path, text }: Page, heading: string): Page {
  const lines = text.split('\n');
  const levels = levelsOf(lines);
  const start = lines.findIndex((line, i) => levels[i] !== 0 && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`${path} has no heading "${heading}"`);
  const level = levels[start] ?? 0;
  const end = levels.findIndex((it, i) => i > start && it !== 0 && it <= level);
  return { path, text: lines.slice(start + 1, end === -1 ? undefined : end).join('\n') };
}

/** The level of the heading that each line is; 0 for other lines, and for comments in blocks. */
function levelsOf(lines: readonly string[]): readonly number[] {
  let isInBlock = false;
  return lines.map((line) => {
    if (line.startsWith('```')) isInBlock = !isInBlock;
    return isInBlock ? 0 : (/^#+(?= )/.exec(line)?.[0].length ?? 0);
  });
}

export const blocksOf = ({ text }: Page): readonly Block[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({ language, text: block }));

/** The lines that a reader types, without what is said about them. */
export const commandsIn = (page: Page): readonly string[] =>
  blocksOf(page)
    .filter((it) => it.language === '')
    .flatMap((it) => it.text.split('\n'))
    .map((it) => it.replace(/ {2,}#.*$/, '').trim())
    .filter((it) => /^(sudo )?weft |\| weft /.test(it));

const headingsOf = (lines: readonly string[]): readonly string[] => {
  const levels = levelsOf(lines);
  return lines.filter((_, i) => levels[i] !== 0).map((it) => it.replace(/^#+ /, ''));
};

/** The headings as a page of GitHub names them in addresses. */
export const anchorsOf = ({ text }: Page): readonly string[] =>
  headingsOf(text.split('\n')).map((it) =>
    it
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

const optionsOf = (name: string): readonly OptionSpec[] => [
  ...(COMMANDS.find((it) => it.name === name)?.options ?? []),
  ...GLOBAL_OPTIONS,
];

/** A command line up to the next program, in words. */
const wordsOf = (line: string): readonly string[] =>
  (/\bweft (.*?)(?: [|<>&]|$)/.exec(line)?.[1] ?? '').split(/\s+/).filter((it) => it !== '');

/** The words of a command line that the program does not know. */
export function unknownIn(line: string): string | undefined {
  const words = wordsOf(line);
  if (words[0]?.startsWith('-')) return undefined;
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((it) => COMMANDS.some((known) => known.name === it));
  if (name === undefined) return `no command: ${words[0]}`;
  for (const [i, word] of words.entries()) {
    const [, long, short] = /^(?:--([\w-]+)|-(\w))/.exec(word) ?? [];
    if (long === undefined && short === undefined) continue;
    const option = optionsOf(name).find((it) => (long === undefined ? it.short === short : it.long === long));
    if (option === undefined) return `no option of ${name}: ${word}`;
    const value = words[i + 1] ?? '';
    if (Array.isArray(option.values) && !option.values.includes(value)) return `no value of ${word}: ${value}`;
  }
  return undefined;
}
