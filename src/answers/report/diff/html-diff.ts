import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, someOf } from '../../../base/core/words.ts';
import type { ClusterRow, DiffMarkup, DiffPage } from './diff-markup.ts';
import { DIFF_STYLE, DIFF_STYLE_HASH } from './diff-style.ts';
import { linesWords, sizeWords } from './diff-words.ts';
import { ABOUT, REST } from './markdown-diff.ts';

/** The first characters, by which weft recognizes a file of its own. */
export const HTML_DIFF_START = '<!doctype html><!-- weft:diff -->';

/**
 * A diff as one HTML page. It needs nothing from elsewhere, and its policy lets a browser run and load nothing, whatever a text
 * from a pull request would do if it were not escaped.
 */
export const HTML_DIFF: DiffMarkup = {
  limitBytes: 5_000_000,
  mostRows: 2_000,
  line: ({ sign, text }) => {
    switch (sign) {
      case '@':
        return `<b>${escaped(text)}\n</b>`;
      case '-':
        return `<del>-${escaped(text)}\n</del>`;
      case '+':
        return `<ins>+${escaped(text)}\n</ins>`;
      case ' ':
        return ` ${escaped(text)}\n`;
    }
  },
  file: (path, remarks, lines) => {
    const more = remarks.map((it) => `<li>${escaped(it)}</li>`).join('');
    const blocks = [
      `<h3>${escaped(path)}</h3>`,
      more === '' ? '' : `<ul>${more}</ul>`,
      lines.length === 0 ? '' : `<pre><code>${lines.join('')}</code></pre>`,
    ];
    return `${blocks.filter((it) => it !== '').join('\n')}\n`;
  },
  folded: (title, content) => `<details><summary>${escaped(title)}</summary>\n${content}</details>\n`,
  note: (text) => `<p class="cut">${escaped(text)}</p>\n`,
  same: ({ number, cluster }) =>
    `<p>The same lines change as in <a href="#c${number}">${escaped(cluster)}</a>, but for its name.</p>\n`,
  cluster: (row, content) => {
    const isWhole = row.change === 'add' || row.change === 'remove' || row.sameAs !== null;
    return [
      `<details class="cluster" id="c${row.number}"${isWhole ? '' : ' open'}>`,
      `<summary><h2>${titleOf(row)}</h2> ${escaped(row.words)}: ${sizeWords(row, 0)}</summary>`,
      `${content}</details>\n`,
    ].join('\n');
  },
  page,
};

const titleOf = ({ cluster }: ClusterRow): string => (cluster === null ? 'Whole fleet' : escaped(cluster));

/** Clusters of which a row names some. */
const NAMED = 3;

function page({ fleet, size, clusters, rows, alike, moreRows, sections, moreSections, isCut }: DiffPage): string {
  const title = `Manifest diff of ${escaped(fleet)}`;
  const nameOf = (it: ClusterRow): string =>
    it.number <= sections.length ? `<a href="#c${it.number}">${titleOf(it)}</a>` : titleOf(it);
  const body = rows.map((it) => {
    const others = alike.get(it.number) ?? [];
    const same = others.length === 0 ? '' : `; the same in ${someOf(others.map(nameOf), NAMED)}`;
    return `<tr><th scope="row">${nameOf(it)}</th><td>${escaped(it.words)}${same}</td><td>${linesWords(it.read)}</td><td>${linesWords(it.folded)}</td></tr>`;
  });
  const rest = moreSections > 0 ? [`<p class="cut">${countOf(moreSections, 'more cluster')}, not shown here.</p>`] : [];
  return [
    `${HTML_DIFF_START}`,
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${DIFF_STYLE_HASH}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    `<style>${DIFF_STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${title}</h1>`,
    `<p><strong>${sizeWords(size, clusters)}.</strong> ${escaped(ABOUT)}${isCut ? ` ${escaped(REST)}` : ''}</p>`,
    '<nav aria-label="Clusters">',
    '<table>',
    '<thead><tr><th scope="col">cluster</th><th scope="col"></th><th scope="col">to read</th><th scope="col">folded away</th></tr></thead>',
    `<tbody>\n${body.join('\n')}\n</tbody>`,
    '</table>',
    ...(moreRows > 0 ? [`<p class="cut">and ${countOf(moreRows, 'more cluster')}</p>`] : []),
    '</nav>',
    sections.join(''),
    ...rest,
    '</main>',
    '</body>',
    '</html>\n',
  ].join('\n');
}

/** Text from outside in HTML, shown as it is, in an element or an attribute. What is hidden becomes visible. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map(visibleText)
    .join('\n')
    .replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
