// Builds the Action's program, .github/action/index.js, the page of reports and LICENSES beside it. All are committed,
// because GitHub runs the committed files. A test builds them again and compares.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { generate } from './generate.mjs';
import { licencesOf } from './licences.mjs';
import { buildPage } from './page.mjs';
import { readVersion } from './version.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const folder = join(root, '.github', 'action');

/** File name -> text of these files. They contain no commit id, because committing them would change it. */
export async function bundleAction() {
  const inGenerated = await generate();
  const version = JSON.stringify(await readVersion(root));
  const built = await esbuild.build({
    // Paths in the output are relative to this folder, so that they contain no path of a machine.
    absWorkingDir: root,
    entryPoints: ['src/host/action/main.ts'],
    outfile: '.github/action/index.js',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    define: { WEFT_VERSION: version, WEFT_BUILD: version },
    banner: {
      js: "// Made by src/host/build/action.mjs from src/; do not edit. Licences of the packages in it: LICENSES.\nimport { createRequire as weftRequire } from 'node:module';\nconst require = weftRequire(import.meta.url);",
    },
  });
  const page = await buildPage(root);
  const inputs = [...inGenerated, ...Object.keys(built.metafile.inputs), ...page.inputs];
  return {
    'index.js': built.outputFiles[0].text,
    'report.html': page.html,
    LICENSES: await licencesOf(inputs, root),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await bundleAction())) await writeFile(join(folder, name), text);
}
