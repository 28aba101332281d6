import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, someOf } from '../../../base/core/words.ts';
import type { ClusterRow, DiffMarkup, DiffPage } from './diff-markup.ts';
import { linesWords, sizeWords } from './diff-words.ts';
import { ABOUT, REST } from './markdown-diff.ts';

/** The first characters, by which weft recognizes its own file. */
export const HTML_DIFF_START = '<!doctype html><!-- weft:diff -->';

/**
 * A diff as one self-contained HTML page. Its policy forbids the browser to run or load anything, in case a text from a
 * pull request was not escaped.
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
      `<summary><h2>${htmlTitle(row)}</h2> ${escaped(row.words)}: ${sizeWords(row, 0)}</summary>`,
      `${content}</details>\n`,
    ].join('\n');
  },
  page: htmlPage,
};

const htmlTitle = ({ cluster }: ClusterRow): string => (cluster === null ? 'Whole fleet' : escaped(cluster));

/** The most clusters that a row names. */
const NAMED = 3;

function htmlPage({ fleet, size, clusters, rows, alike, moreRows, sections, moreSections, isCut }: DiffPage): string {
  const title = `Manifest diff of ${escaped(fleet)}`;
  const nameOf = (it: ClusterRow): string =>
    it.number <= sections.length ? `<a href="#c${it.number}">${htmlTitle(it)}</a>` : htmlTitle(it);
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

/** Escapes text for an element or an attribute of HTML. Invisible characters become visible. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map(visibleText)
    .join('\n')
    .replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);

/**
 * The hash of the page's style in its policy, so that a browser allows no other. Checked by
 * test/answers/report/diff-page.test.ts.
 */
export const DIFF_STYLE_HASH = 'sha256-233ZHnSVaL5OpLqGiUN/RzT8LkTePb/Za3qQ3S8Bybw=';

/** Both themes have at least the contrast 4.5 of WCAG 2.2, 1.4.3; the signs at the start of lines repeat colours. */
export const DIFF_STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --page: #fff; --soft: #59636e; --line: #d1d9e0; --code: #f6f8fa; --link: #0550ae; --add: #dafbe1; --add-text: #0f5323; --del: #ffebe9; --del-text: #82071e; --mark: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --page: #0d1117; --soft: #9198a1; --line: #3d444d; --code: #151b23; --link: #79b8ff; --add: #12361f; --add-text: #aff5b4; --del: #4b1113; --del-text: #ffdcd7; --mark: #79b8ff; } }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { display: inline; font-size: 1.2rem; }
h3 { font: 600 .9rem/1.4 ui-monospace, monospace; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
a { color: var(--link); }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: normal; }
details { margin: .8rem 0; }
details.cluster { border-top: 1px solid var(--line); padding-top: .8rem; margin-top: 1.6rem; }
summary { cursor: pointer; color: var(--soft); }
summary h2 { color: var(--text); }
details details { margin-left: 1rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; color: var(--soft); font-size: .9rem; }
.cut { color: var(--soft); font-style: italic; }
pre { margin: .4rem 0; padding: .6rem .8rem; background: var(--code); border: 1px solid var(--line); border-radius: 6px; font: .82rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
pre code { display: block; font: inherit; }
pre b, ins, del { display: block; padding: 0 .8rem; margin: 0 -.8rem; text-decoration: none; }
pre b { color: var(--mark); font-weight: normal; }
ins { background: var(--add); color: var(--add-text); }
del { background: var(--del); color: var(--del-text); }
@media print { details:not([open])::details-content { content-visibility: visible; block-size: auto; } ins, del { print-color-adjust: exact; } }
`;
