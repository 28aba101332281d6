// Builds dist/report.html: the page of `weft report`, without a fleet in it. It has no other files and loads none: the
// compiler is a worker whose text is in the page, and a policy allows only the scripts and styles that are built here.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import * as esbuild from 'esbuild';

/** Browsers of the last two years; Safari is the last one with `DecompressionStream`. */
const BROWSERS = ['chrome120', 'firefox121', 'safari17.2'];

const common = (root) => ({
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  legalComments: 'none',
  platform: 'browser',
  target: BROWSERS,
  format: 'iife',
  charset: 'utf8',
  logLevel: 'error',
});

/** The page of `weft report`, and the files that are in it, for their licences. */
export const buildPage = (root) =>
  buildHtml(root, {
    worker: 'src/host/page/worker.ts',
    main: 'src/host/page/main.tsx',
    styles: ['page.css'],
    head: REPORT_HEAD,
    starting: 'Compiling the fleet …',
    data: '',
  });

const REPORT_HEAD = {
  comment: 'weft report: a fleet of clusters to look at. Made by weft; run it again instead of editing this file.',
  title: 'weft report',
};

/** A page with a compiler in it. */
export async function buildHtml(root, { worker: workerPath, main, styles, ...words }) {
  const worker = await esbuild.build({
    ...common(root),
    entryPoints: [workerPath],
    // elkjs takes over the messages of a worker, unless it finds a document.
    banner: { js: 'var document={};' },
  });
  const page = await esbuild.build({
    ...common(root),
    entryPoints: [main],
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const [core, script] = [worker, page].map((it) => it.outputFiles[0].text);
  const style = await styleOf(root, styles);
  // Browsers end a script at the first of these, whatever is around it.
  if (/<\/script|<!--/i.test(script)) throw new Error('the script of the page contains the end of a script');
  return {
    html: htmlOf({
      ...words,
      policy: policyOf({ script, style }),
      style,
      script,
      core: deflateRawSync(core, { level: 9 }).toString('base64'),
    }),
    inputs: [worker, page].flatMap((it) => Object.keys(it.metafile.inputs)).filter((it) => !it.startsWith('absent:')),
    sizes: { core: core.length, script: script.length, style: style.length },
  };
}

const policyOf = ({ script, style }) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

export const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The style of the page, with that of pictures inside the pictures alone. */
export async function styleOf(root, names) {
  const { outputFiles } = await esbuild.build({
    ...common(root),
    format: 'esm',
    stdin: {
      contents: "import { PICTURE_STYLE } from '../../answers/graph/svg/markup.ts'; export default PICTURE_STYLE;",
      resolveDir: join(root, 'src', 'host', 'build'),
      loader: 'ts',
    },
    external: ['elkjs'],
    plugins: [withoutLayout],
  });
  const { default: pictures } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  );
  const own = await Promise.all(names.map((it) => readFile(join(root, 'src', 'host', 'page', it), 'utf8')));
  // Paper is light.
  const inPicture = pictures.replaceAll(
    '@media (prefers-color-scheme:dark)',
    '@media screen and (prefers-color-scheme:dark)',
  );
  const { code } = await esbuild.transform(`${own.join('\n')}\n.picture{${inPicture}}`, {
    loader: 'css',
    minify: true,
    target: BROWSERS,
  });
  return code.trim();
}

const withoutLayout = {
  name: 'without-layout',
  setup(build) {
    build.onResolve({ filter: /^elkjs/ }, () => ({ path: 'elkjs', namespace: 'absent' }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {}' }));
  },
};

const htmlOf = ({ head: { comment, title }, starting, data, policy, style, script, core }) => `<!doctype html>
<!-- ${comment} -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"><p class="starting">${starting}</p></div>
<noscript><p class="starting">This page compiles the fleet in your browser, so it needs JavaScript. It loads nothing and sends nothing.</p></noscript>
<script type="application/json" id="fleet">${data}</script>
<script type="text/plain" id="core">${core}</script>
<script>${script}</script>
</body>
</html>
`;
