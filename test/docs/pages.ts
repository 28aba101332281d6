import { readdirSync, readFileSync } from 'node:fs';

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
  const [, level = ''] = new RegExp(`^(#+) ${heading}$`, 'm').exec(text) ?? [];
  const [, rest] = text.split(`\n${level} ${heading}\n`);
  if (rest === undefined) throw new Error(`${path} has no heading "${heading}"`);
  return { path, text: rest.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0] ?? '' };
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

/** The headings as a page of GitHub names them in addresses. */
export const anchorsOf = ({ text }: Page): readonly string[] =>
  [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
