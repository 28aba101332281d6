import { displayWidth } from './display-width.ts';
import { wrapText } from './wrap-text.ts';

/** Headings, entries of lists and lines of tables, which stay lines of their own. */
const OWN_LINE = /^(#|- |\d+\. |\|)/;

/** A page in Markdown whose paragraphs fit lines of a width. Code stays as it is. */
export function wrapPage(page: string, columns: number | undefined): string {
  if (columns === undefined || page.split('\n').every((it) => displayWidth(it) <= columns)) return page;
  const blocks = page.split(/^(```[\s\S]*?^```$)/m);
  return blocks.map((it) => (it.startsWith('```') ? it : wrapProse(it, columns))).join('');
}

const wrapProse = (text: string, columns: number): string =>
  text
    .split('\n\n')
    .map((paragraph) =>
      sentencesOf(paragraph)
        .flatMap((it) => wrapped(it, columns))
        .join('\n'),
    )
    .join('\n\n');

/** The lines of a paragraph are one; those of a list begin anew. */
function sentencesOf(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of paragraph.split('\n')) {
    const before = sentences.at(-1);
    if (before === undefined || before === '' || line === '' || OWN_LINE.test(line)) sentences.push(line);
    else sentences[sentences.length - 1] = `${before} ${line.trim()}`;
  }
  return sentences;
}

/** The entries of a list are indented below their first line, paragraphs are not. */
const wrapped = (line: string, columns: number): readonly string[] =>
  OWN_LINE.test(line) ? wrapText(line, columns) : wrapText(line, columns).map((it) => it.replace(/^ +/, ''));
