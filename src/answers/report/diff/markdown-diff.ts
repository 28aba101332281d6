import { countOf, someOf } from '../../../base/core/words.ts';
import { markdownText } from '../markdown-text.ts';
import type { ClusterRow, DiffMarkup, DiffPage } from './diff-markup.ts';
import { linesWords, sizeWords } from './diff-words.ts';

/** The first line, by which weft recognizes its own file. */
export const MARKDOWN_DIFF_START = '<!-- weft:diff -->';

/**
 * A diff as Markdown. GitHub shows the first 512,000 bytes of a file, and GitLab 1 MiB.
 * Source: docs.github.com, "About READMEs"; gitlab-org/gitlab issue 411775.
 */
export const MARKDOWN_DIFF: DiffMarkup = {
  limitBytes: 500_000,
  mostRows: 500,
  line: ({ sign, text }) => (sign === '@' ? text : sign + text),
  file: (path, remarks, lines) => {
    const head = [`**${markdownText(path)}**`, ...remarks.map(markdownText)].join('; ');
    const blocks = [head, ...(lines.length === 0 ? [] : [fenced(lines)])];
    return `${blocks.join('\n\n')}\n\n`;
  },
  folded: (title, content) => details(title, content),
  note: (text) => `_${text}_\n\n`,
  same: ({ cluster }) => `The same lines change as in ${markdownText(cluster)}, but for its name.\n\n`,
  cluster: (row, content) => {
    const head = `## ${markdownTitle(row)}\n\n${markdownText(row.words)}: ${sizeWords(row, 0)}\n\n`;
    // All files of a new or removed cluster change, so they are folded away.
    const isWhole = row.change === 'add' || row.change === 'remove';
    return head + (isWhole ? details('all its files', content) : content);
  },
  page,
};

const markdownTitle = ({ cluster }: ClusterRow): string => (cluster === null ? 'Whole fleet' : markdownText(cluster));

/** Fences lines with more backticks than any run in them, so that none ends the block. Source: CommonMark 0.31 4.5. */
function fenced(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = (text.match(/`+/g) ?? []).reduce((most, it) => Math.max(most, it.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}`;
}

const like = (rows: readonly ClusterRow[]): string =>
  rows.length === 0
    ? ''
    : `; the same in ${markdownText(
        someOf(
          rows.map((it) => it.cluster ?? ''),
          NAMED,
        ),
      )}`;

const details = (title: string, content: string): string =>
  `<details><summary>${markdownText(title)}</summary>\n\n${content}</details>\n\n`;

/** The most clusters that a row names. */
const NAMED = 3;

function page({ fleet, size, clusters, rows, alike, moreRows, sections, moreSections, isCut }: DiffPage): string {
  const table = [
    '| cluster | | to read | folded away |',
    '|---|---|---|---|',
    ...rows.map(
      (it) =>
        `| ${markdownTitle(it)} | ${markdownText(it.words)}${like(alike.get(it.number) ?? [])} | ${linesWords(it.read)} | ${linesWords(it.folded)} |`,
    ),
    ...(moreRows > 0 ? [`| and ${moreRows} more | | | |`] : []),
  ];
  const rest =
    moreSections > 0
      ? [`_${countOf(moreSections, 'more cluster')}, not shown here: weft-diff.html shows more._\n`]
      : [];
  return [
    `${MARKDOWN_DIFF_START}\n# Manifest diff of ${markdownText(fleet)}\n`,
    `**${sizeWords(size, clusters)}.** ${ABOUT}${isCut ? ` ${REST}` : ''}\n`,
    `${table.join('\n')}\n`,
    [...sections, ...rest].join(''),
  ].join('\n');
}

export const ABOUT =
  'What follows from other differences is folded away. Keys are shortened, and values of Secrets are not shown.';

/** A reference to the whole diff. */
export const REST = 'Not everything fits here: run "weft compile" and "git diff" to see it all.';
