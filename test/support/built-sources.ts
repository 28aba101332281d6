import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vite';
// @ts-expect-error The build is plain JavaScript.
import { writeFolder } from '../../src/host/build/written-files.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src');
/** Tests that count what modules do, and therefore load them again: see `countWork`. */
const COUNTING = join(ROOT, 'test', 'growth');
/** Below node_modules, where vitest leaves it to Node to load a file. */
const BUILT = join(ROOT, 'node_modules', '.weft-tests');

/** Translates every module of `src/`, each a file of its own. */
export async function buildSources(): Promise<void> {
  const files = await readdir(SOURCES, { recursive: true });
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: SOURCES,
    entryPoints: files.filter((it) => it.endsWith('.ts') && !it.endsWith('.d.ts')),
    outbase: SOURCES,
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
  });
  await writeFolder(BUILT, outputFiles);
}

/**
 * Tests import `src/` as it was built: each worker would otherwise ask vitest for each of some 600 modules, which takes longer
 * than most files of tests. While vitest watches, it translates what was edited itself.
 */
export function builtSources(): Plugin {
  return {
    name: 'built-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return undefined;
      // Only what these tests import is not built, so no other module has an importer in `src/`.
      if ([COUNTING, SOURCES].some((it) => importer.startsWith(it + sep))) return undefined;
      const file = relative(SOURCES, resolve(dirname(importer), source));
      return file.startsWith('..') ? undefined : join(BUILT, file.replace(/ts$/, 'mjs'));
    },
  };
}
