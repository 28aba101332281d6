// Builds the Action's one file, .github/action/index.js, and LICENSES beside it. Both are committed, since GitHub runs the
// committed file. A test builds them again and compares.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { generate } from './generate.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = join(root, '.github', 'action');

/** The texts of both files, by name. Needs src/generated. */
export async function bundleAction() {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const built = await esbuild.build({
    // Paths in the output are relative to this folder, so that they contain no path of a machine.
    absWorkingDir: root,
    entryPoints: ['src/action/main.ts'],
    outfile: '.github/action/index.js',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    define: { WEFT_VERSION: JSON.stringify(version) },
    banner: {
      js: "// Made by src/build/action.mjs from src/; do not edit. Licences of the packages in it: LICENSES.\nimport { createRequire as weftRequire } from 'node:module';\nconst require = weftRequire(import.meta.url);",
    },
  });
  return { 'index.js': built.outputFiles[0].text, LICENSES: await licencesOf(built.metafile) };
}

/** The licence of every bundled package. */
async function licencesOf({ inputs }) {
  const packages = new Set(Object.keys(inputs).flatMap((it) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(it) ?? []));
  // The validators of src/generated are written by ajv.
  packages.add('node_modules/ajv');
  const texts = await Promise.all(
    [...packages]
      .sort((a, b) => (a < b ? -1 : 1))
      .map(async (it) => {
        const { name, version, license } = JSON.parse(await readFile(join(root, it, 'package.json'), 'utf8'));
        const file = (await readdir(join(root, it))).sort().find((entry) => /^licen[cs]e/i.test(entry));
        if (file === undefined) throw new Error(`${name} has no licence file to quote`);
        const text = await readFile(join(root, it, file), 'utf8');
        return `${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
      }),
  );
  return `The file index.js holds these packages, under these licences.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await generate();
  for (const [name, text] of Object.entries(await bundleAction())) await writeFile(join(folder, name), text);
}
