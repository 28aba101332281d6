import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type OnLoadArgs, type OnLoadResult } from 'esbuild';
import type { Plugin } from 'vite';
// @ts-expect-error The build is plain JavaScript.
import { writeFolder } from '../../src/host/build/written-files.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Tests that count what modules do, and therefore load them again: see `countWork`. */
const COUNTING = join(ROOT, 'test', 'growth');
/** Below node_modules, where vitest leaves it to Node to load a file. */
const BUILT = join(ROOT, 'node_modules', '.weft-tests');

const WITH_MODULES = ['src', 'test'];

/** Modules of `src/`, and those that tests import; without what runs before they are built. */
const isModule = (path: string): boolean =>
  /^(src|test)\/.*\.ts$/.test(path) &&
  !/\.(d|test)\.ts$|\/node_modules\/|^test\/(bench|engines|frozen|growth|vitest|support\/(build-once|built-modules))/.test(
    path,
  );

/** Translates every module, each a file of its own, with the place that it has for itself. */
export async function buildModules(): Promise<void> {
  const paths = await Promise.all(
    WITH_MODULES.map(async (folder) => {
      const names = await readdir(join(ROOT, folder), { recursive: true });
      return names.map((it) => `${folder}/${it}`);
    }),
  );
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: ROOT,
    entryPoints: paths.flat().filter(isModule),
    outbase: ROOT,
    outdir: BUILT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [{ name: 'own-place', setup: ({ onLoad }) => onLoad({ filter: /\/test\/.*\.ts$/ }, withOwnPlace) }],
  });
  await writeFolder(BUILT, outputFiles);
}

async function withOwnPlace({ path }: OnLoadArgs): Promise<OnLoadResult> {
  const text = await readFile(path, 'utf8');
  return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
}

/**
 * Tests import modules as they were built: each worker would otherwise ask vitest for each of some 900, which takes longer
 * than most files of tests. While vitest watches, it translates what was edited itself.
 */
export function builtModules(): Plugin {
  return {
    name: 'built-modules',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return undefined;
      // Only what these tests import is not built, so no other module has an importer in `src/`.
      if ([COUNTING, join(ROOT, 'src')].some((it) => importer.startsWith(it + sep))) return undefined;
      const path = relative(ROOT, resolve(dirname(importer), source));
      return isModule(path) ? join(BUILT, path.replace(/ts$/, 'mjs')) : undefined;
    },
  };
}
