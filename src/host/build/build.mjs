// Builds dist/: `weft.js`, the chunks that it loads on demand, the page of `weft report`, the library, and LICENSES of the
// packages in them. At run time there are no dependencies.
import crypto from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { generate } from './generate.mjs';
import { buildLibrary } from './library.mjs';
import { licencesOf } from './licences.mjs';
import { buildPage } from './page.mjs';
import { readBuild, readRelease, readVersion } from './version.mjs';
import { writeFolder } from './written-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/**
 * Replaces child_process, which commander loads for commands that are separate programs. weft has none, and loading it
 * takes as long as parsing the command line.
 */
const withoutPrograms = {
  name: 'commander-without-programs',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'absent' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: '' }));
  },
};

/**
 * Modules of Node without the parts that Node itself loads on demand: an import reads every part, and the streams of node:fs take
 * 4 ms. node:crypto, which takes as long as solving three clusters, is loaded by the first call; only functions are imported
 * from it.
 */
const withLateParts = {
  name: 'late-parts',
  setup(build) {
    build.onResolve({ filter: /^node:(crypto|fs)$/ }, ({ path, namespace }) =>
      namespace === 'late' ? undefined : { path, namespace: 'late' },
    );
    build.onLoad({ filter: /^node:crypto$/, namespace: 'late' }, () => {
      const late = ([name, value]) =>
        typeof value === 'function'
          ? [`export const ${name} = (...args) => process.getBuiltinModule('node:crypto').${name}(...args);`]
          : [];
      return { contents: Object.entries(crypto).flatMap(late).join('\n') };
    });
    build.onLoad({ filter: /^node:fs$/, namespace: 'late' }, () => {
      const parts = Object.entries(Object.getOwnPropertyDescriptors(fs));
      const names = parts.flatMap(([name, { value }]) => (typeof value === 'function' ? [name] : []));
      return { contents: `export const { constants, ${names.join(', ')} } = process.getBuiltinModule('node:fs');` };
    });
  },
};

/**
 * Loads the other parts of ip-num than its checks of texts on demand, for a netmask, a range or an IPv6 address: its tables of kinds of
 * addresses take 10 ms.
 */
const withLateNumbers = {
  name: 'late-numbers',
  setup(build) {
    build.onResolve({ filter: /^ip-num$/ }, ({ path, namespace }) =>
      namespace === 'late' ? undefined : { path, namespace: 'late' },
    );
    build.onLoad({ filter: /^ip-num$/, namespace: 'late' }, () => {
      const late = ['IPv4Mask', 'IPv6', 'IPv6Prefix', 'RangedSet'].map(
        (name) => `export const ${name} = new Proxy(class {}, {
          construct: (_, args) => Reflect.construct(require('ip-num').${name}, args),
          get: (_, key) => require('ip-num').${name}[key],
        });`,
      );
      const checks = "export const { Validator } = require('ip-num/dist/src/Validator.js');";
      return { contents: [checks, ...late].join('\n'), resolveDir: root };
    });
  },
};

const inGenerated = await generate();
const { metafile, outputFiles } = await esbuild.build({
  absWorkingDir: root,
  entryPoints: { weft: 'src/host/cli/main.ts', 'stage-files': 'src/host/disk/tree/stage-files.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  define: {
    WEFT_VERSION: JSON.stringify(await readVersion(root)),
    WEFT_BUILD: JSON.stringify(await readBuild(root)),
    WEFT_RELEASE: JSON.stringify(await readRelease(root)),
  },
  plugins: [withoutPrograms, withLateParts, withLateNumbers],
  // CommonJS dependencies call require for Node's own modules.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as weftRequire } from 'node:module';\nconst require = weftRequire(import.meta.url);",
  },
});
const dist = join(root, 'dist');
const page = await buildPage(root);
const library = await buildLibrary(root, join(dist, 'library'));
const inputs = [...inGenerated, ...Object.keys(metafile.inputs), ...page.inputs, ...library.inputs];
await writeFolder(dist, [
  ...outputFiles,
  ...library.files,
  { path: join(dist, 'report.html'), text: page.html },
  { path: join(dist, 'LICENSES'), text: await licencesOf(inputs, root) },
]);
