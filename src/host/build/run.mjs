// Runs a TypeScript file of this repository: `node src/host/build/run.mjs FILE [ARGUMENTS]`. Node 20 cannot do that
// itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { generate } from './generate.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const [entry, ...rest] = process.argv.slice(2);
await generate();
const folder = await mkdtemp(join(root, 'node_modules', '.weft-run-'));
try {
  const outfile = join(folder, 'run.mjs');
  await esbuild.build({
    entryPoints: [resolve(entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'error',
  });
  process.argv = [process.argv[0], outfile, ...rest];
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
