// Builds dist/: `weft.cjs`, the program that it runs, in parts that are loaded on demand, the program of a thread, the page of `weft
// report`, the library, and LICENSES of the packages in them. At run time there are no dependencies.
import { hash } from 'node:crypto';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { generate } from './generate.mjs';
import { buildLibrary } from './library.mjs';
import { licencesOf } from './licences.mjs';
import { buildPage } from './page.mjs';
import { programParts } from './program-parts.mjs';
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
 * Modules of Node that are loaded by the first call of one of their functions, which are all that is imported from them: node:crypto takes
 * as long as solving three clusters. Only functions are imported of node:fs, too, because an import reads every part, and its
 * streams take 4 ms.
 */
const withLateParts = {
  name: 'late-parts',
  setup(build) {
    build.onResolve({ filter: LATE }, ({ path, kind, importer }) =>
      kind !== 'import-statement' || importer.endsWith('stage-files.ts') ? undefined : { path, namespace: 'late' },
    );
    build.onLoad({ filter: LATE, namespace: 'late' }, ({ path }) => {
      const real = (name) => `process.getBuiltinModule('${path}').${name}`;
      const late = (name) =>
        /^[A-Z]/.test(name)
          ? `export const ${name} = function (...args) { return Reflect.construct(${real(name)}, args); };`
          : `export const ${name} = (...args) => ${real(name)}(...args);`;
      const functions = Object.entries(process.getBuiltinModule(path)).filter(([, it]) => typeof it === 'function');
      return { contents: functions.map(([name]) => late(name)).join('\n') };
    });
    build.onResolve({ filter: /^node:fs$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late' } : undefined,
    );
    build.onLoad({ filter: /^node:fs$/, namespace: 'late' }, () => {
      const parts = Object.entries(Object.getOwnPropertyDescriptors(fs));
      const names = parts.flatMap(([name, { value }]) => (typeof value === 'function' ? [name] : []));
      return { contents: `export const { constants, ${names.join(', ')} } = process.getBuiltinModule('node:fs');` };
    });
  },
};

const LATE = /^node:(crypto|os|fs\/promises|timers\/promises|worker_threads)$/;

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

const version = JSON.stringify(await readVersion(root));
const settings = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  plugins: [withoutPrograms, withLateParts, withLateNumbers],
};

const inGenerated = await generate();
/** In ES modules first, which esbuild can split into the parts that a command loads. */
const program = await esbuild.build({
  ...settings,
  entryPoints: { start: 'src/host/cli/start.ts' },
  entryNames: 'program/[name]-[hash]',
  chunkNames: 'program/[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  splitting: true,
  format: 'esm',
});
const [start] = Object.keys(program.metafile.outputs).filter((it) => /\/start-\w+\.cjs$/.test(it));
const parts = await programParts(program, root, settings.target);
const programs = await esbuild.build({
  ...settings,
  entryPoints: { weft: 'src/host/start/main.ts', 'stage-files': 'src/host/disk/tree/stage-files.ts' },
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  banner: { js: '#!/usr/bin/env node' },
  define: {
    WEFT_VERSION: version,
    WEFT_BUILD: JSON.stringify(await readBuild(root)),
    WEFT_RELEASE: JSON.stringify(await readRelease(root)),
    WEFT_START: JSON.stringify(`./${basename(start)}`),
    WEFT_PARTS: JSON.stringify(hash('sha256', parts.map((it) => it.text).join('\0')).slice(0, 16)),
    'import.meta.dirname': '__dirname',
  },
});

const dist = join(root, 'dist');
const page = await buildPage(root);
const library = await buildLibrary(root, join(dist, 'library'));
const bundled = [program, programs].flatMap((it) => Object.keys(it.metafile.inputs));
const inputs = [...inGenerated, ...bundled, ...page.inputs, ...library.inputs];
await writeFolder(dist, [
  ...parts,
  ...programs.outputFiles,
  ...library.files,
  { path: join(dist, 'report.html'), text: page.html },
  { path: join(dist, 'LICENSES'), text: await licencesOf(inputs, root) },
]);
