// Builds site/: the playground, and the pages of the repository from README.md on, for any web server. `npm run site`.
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { EXPLAIN_PAGES } from '../../base/generated/explain-pages.js';
import { licencesOf } from './licences.mjs';
import { buildHtml, hashOf, styleOf } from './page.mjs';
import { readBuild } from './version.mjs';
import { writeFolder } from './written-files.mjs';

/** The fleets that the playground starts from. */
export const EXAMPLES = [
  { folder: 'topologies', title: 'Three clusters' },
  { folder: 'src/host/page/play/examples/overlap', title: 'Equal networks everywhere' },
  { folder: 'src/host/page/play/examples/two-hubs', title: 'Two hubs' },
  { folder: 'src/host/page/play/examples/behind-nat', title: 'Behind NAT' },
  { folder: 'src/host/page/play/examples/sharing', title: 'Borrowed resources' },
];

const PLAYGROUND = 'playground.html';
const CODES = 'diagnostics/index.html';
const EXPLAIN = 'src/base/diagnostics/explain';

/** Writes the site into a folder, which contains nothing else afterwards. */
export async function buildSite(root, folder) {
  const [playground, style, pages] = await Promise.all([buildPlayground(root), siteStyle(root), readPages(root)]);
  const shell = (path, page) => htmlOf({ path, style, nav: navigationOf(pages), ...page });
  const files = [
    { path: PLAYGROUND, text: playground.html },
    { path: 'LICENSES', text: await licencesOf(playground.inputs, root) },
    { path: CODES, text: shell(CODES, codesPage()) },
    ...pages.map((it) => ({ path: it.path, text: shell(it.path, it) })),
    ...(await Promise.all(
      linkedFiles(pages).map(async (it) => ({ path: siteOf(it), text: await readFile(join(root, it), 'utf8') })),
    )),
  ];
  await writeFolder(
    folder,
    files.map(({ path, text }) => ({ path: join(folder, path), text })),
  );
  return { pages: files.length, sizes: playground.sizes, bytes: Buffer.byteLength(playground.html) };
}

async function buildPlayground(root) {
  const data = {
    weft: await readBuild(root),
    examples: await Promise.all(EXAMPLES.map((it) => readExample(root, it))),
  };
  return buildHtml(root, {
    worker: 'src/host/page/play/play-worker.ts',
    main: 'src/host/page/play/play-main.tsx',
    styles: ['page.css', 'play/play.css'],
    head: {
      comment: 'The playground of weft: a topology to write, and what follows from it.',
      title: 'weft playground',
    },
    starting: 'Starting the compiler …',
    data: JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  });
}

async function readExample(root, { folder, title }) {
  const text = (kind) => readFile(join(root, folder, `topology${kind}.yaml`), 'utf8').catch(() => '');
  const [topology, keys, identities, lock] = await Promise.all(['', '.keys', '.identities', '.lock'].map(text));
  return {
    name: posix.basename(folder),
    title,
    drafts: { topology: topology.replace(/^# yaml-language-server:.*\n(#\n)?/, ''), keys, identities },
    lock: lock === '' ? null : lock,
  };
}

/** Every page that is reached from README.md, and that of every diagnostic. */
async function readPages(root) {
  const codes = Object.keys(EXPLAIN_PAGES).map((it) => `${EXPLAIN}/${it}.md`);
  const docs = (await readdir(join(root, 'docs'))).filter((it) => it.endsWith('.md')).map((it) => `docs/${it}`);
  const pages = new Map();
  const open = ['README.md', ...docs, ...codes];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    if (pages.has(from)) continue;
    const page = await readPage(root, from);
    pages.set(from, page);
    for (const it of page.links) if (it.endsWith('.md')) open.push(it);
  }
  return [...pages.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
}

async function readPage(root, from) {
  const text = await readFile(join(root, from), 'utf8');
  const path = siteOf(from);
  const links = [];
  const toSite = async (href) => {
    if (/^(?:[a-z]+:|#|$)/.test(href)) return href;
    const [file, anchor] = href.split('#');
    const target = posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(file)));
    const found = await stat(join(root, target)).catch(() => undefined);
    if (found === undefined || target.startsWith('..')) throw new Error(`${from} links to ${href}, which is missing`);
    // A folder is shown by its README, or by the first file in it.
    const shown = found.isDirectory() ? await readmeOf(root, target) : target;
    links.push(shown);
    return relative(path, siteOf(shown)) + (anchor === undefined ? '' : `#${anchor}`);
  };
  const marked = new Marked({
    async: true,
    gfm: true,
    walkTokens: async (token) => {
      if (token.type === 'link' || token.type === 'image') token.href = await toSite(token.href);
      if (token.type === 'html') token.text = await withSources(token.text, toSite);
    },
    renderer: rendererOf(path),
  });
  const body = await marked.parse(text);
  const title = /^# (.*)$/m.exec(text)?.[1]?.replace(/`/g, '') ?? posix.basename(from, '.md');
  return { from, path, title, body, links };
}

async function readmeOf(root, folder) {
  const names = (await readdir(join(root, folder))).sort();
  return posix.join(folder, names.find((it) => it === 'README.md') ?? names.find((it) => it.includes('.')) ?? '');
}

async function withSources(html, toSite) {
  const [, source] = /\bsrc="([^"]*)"/.exec(html) ?? [];
  return source === undefined ? html : html.replace(`src="${source}"`, `src="${await toSite(source)}"`);
}

/** Headings that links can name as on a forge, blocks that a keyboard can scroll, and codes that lead to their pages. */
function rendererOf(path) {
  const used = new Map();
  return {
    heading({ tokens, depth }) {
      const slug = slugOf(tokens.map((it) => it.text ?? it.raw).join(''));
      const times = used.get(slug) ?? 0;
      used.set(slug, times + 1);
      return `<h${depth} id="${slug}${times === 0 ? '' : `-${times}`}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
    },
    codespan({ text }) {
      const code = `<code>${escaped(text)}</code>`;
      const target = `diagnostics/${text}.html`;
      return !Object.hasOwn(EXPLAIN_PAGES, text) || target === path
        ? code
        : `<a href="${relative(path, target)}">${code}</a>`;
    },
  };
}

const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

const escaped = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** The path in the site of a file of the repository. */
function siteOf(file) {
  if (file === 'README.md') return 'index.html';
  return file
    .replace(`${EXPLAIN}/`, 'diagnostics/')
    .replace(/^\.github\//, 'images/')
    .replace(/\.md$/, '.html');
}

const relative = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

const linkedFiles = (pages) => [...new Set(pages.flatMap((it) => it.links.filter((file) => !file.endsWith('.md'))))];

const navigationOf = (pages) => [
  { path: 'index.html', title: 'weft' },
  { path: PLAYGROUND, title: 'Playground' },
  ...inReadingOrder(pages).map(({ path, title }) => ({ path, title })),
  { path: CODES, title: 'Diagnostics' },
];

/** The pages of docs/ in the order of the table at the end of README.md. */
function inReadingOrder(pages) {
  const order = pages.find((it) => it.path === 'index.html').links;
  const docs = pages.filter((it) => it.path.startsWith('docs/'));
  return docs.sort((a, b) => order.lastIndexOf(a.from) - order.lastIndexOf(b.from));
}

function codesPage() {
  const prose = new Marked();
  const rooms = new Map();
  for (const [code, text] of Object.entries(EXPLAIN_PAGES).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const room = code.slice(0, code.indexOf('/'));
    const [, first = ''] = /^# .*\n+([\s\S]*?)(?:\n\n|$)/.exec(text) ?? [];
    const words = prose.parseInline(first.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    rooms.set(room, [...(rooms.get(room) ?? []), { code, words }]);
  }
  const sections = [...rooms].map(([room, codes]) => {
    const rows = codes.map(
      ({ code, words }) =>
        `<dt><a href="${relative(CODES, `diagnostics/${code}.html`)}"><code>${code}</code></a></dt><dd>${words}</dd>`,
    );
    return `<h2 id="${room}">${room}</h2>\n<dl>${rows.join('\n')}</dl>`;
  });
  return {
    title: 'Diagnostics',
    body: `<h1>Diagnostics</h1>\n<p>Every mistake that weft reports has a code, and each code has a page; <code>weft explain CODE</code> prints it.</p>\n${sections.join('\n')}`,
  };
}

const siteStyle = (root) => styleOf(root, ['page.css', 'play/site.css']);

function htmlOf({ path, style, nav, title, body }) {
  const policy = `default-src 'none'; style-src ${hashOf(style)}; img-src 'self' data:; base-uri 'none'; form-action 'none'`;
  const items = nav.map((it) => {
    const current = it.path === path ? ' aria-current="page"' : '';
    return `<li><a href="${relative(path, it.path)}"${current}>${escaped(it.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title === 'weft' ? 'weft' : `${title} · weft`)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body class="site">
<nav aria-label="Pages"><ul>${items.join('')}</ul></nav>
<main>
${body}</main>
</body>
</html>
`;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { pages, bytes } = await buildSite(root, join(root, 'site'));
  console.log(`site/: ${pages} files; the playground has ${Math.round(bytes / 1024)} KiB`);
}
