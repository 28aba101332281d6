// Builds the library of the package: one module for Node and one for other places, which differ in their cryptography,
// the layout of pictures that both load on demand, and the types.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { documentTypes } from './generate.mjs';

const LAYOUT = 'elkjs/lib/elk.bundled.js';

/** The layout is larger than the rest, and only pictures need it: both modules load the same file. */
const withSharedLayout = {
  name: 'shared-layout',
  setup(build) {
    build.onResolve({ filter: /^elkjs\/lib\/elk\.bundled\.js$/ }, ({ kind, importer }) =>
      kind === 'entry-point' || importer === '' ? undefined : { path: './layout.js', external: true },
    );
  },
};

/** The files of `dist/library/` with their paths, and the paths of what is bundled. */
export async function buildLibrary(root, folder) {
  const build = (settings) =>
    esbuild.build({
      absWorkingDir: root,
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      // The variants of packages for browsers run everywhere; neither module may need a package at run time.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: ['node20.19', 'es2023'],
      minifySyntax: true,
      legalComments: 'none',
      metafile: true,
      write: false,
      plugins: [withSharedLayout],
      ...settings,
    });
  const entry = 'src/host/library/library.ts';
  const built = await Promise.all([
    build({ entryPoints: { node: entry }, external: ['node:crypto'] }),
    build({ entryPoints: { browser: entry }, conditions: ['browser'] }),
    build({ entryPoints: { layout: LAYOUT }, plugins: [], minify: true }),
  ]);
  const types = await readFile(join(root, 'src/host/library/liqo-weft.d.ts'), 'utf8');
  return {
    files: [
      ...built.flatMap((it) => it.outputFiles),
      {
        path: join(folder, 'liqo-weft.d.ts'),
        text: types.replaceAll('../../base/generated/documents.js', './documents.js'),
      },
      { path: join(folder, 'documents.d.ts'), text: await documentTypes() },
    ],
    inputs: built.flatMap((it) => Object.keys(it.metafile.inputs)),
  };
}
