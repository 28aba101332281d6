// Turns the ES modules into which esbuild splits the program into the functions that `src/host/start/program.ts` calls: V8 keeps the code
// of scripts, and not that of modules, with the functions that were compiled after loading.
import { relative } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * The parts of the program, with the paths that they had.
 *
 * @param built the result of esbuild, with a metafile
 * @param root the folder to which the paths in the metafile are relative
 */
export function programParts({ outputFiles, metafile }, root, target) {
  refuseCircles(metafile.outputs);
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      // Exports of such a module are set when it is first required.
      if (/\b__esm\(/.test(text)) throw new Error(`${path}: a package requires a module that is imported elsewhere`);
      const { code } = await esbuild.transform(text, {
        format: 'cjs',
        platform: 'neutral',
        target,
        supported: { 'dynamic-import': false },
      });
      const { inputs } = metafile.outputs[relative(root, path)];
      // Strict, as the modules were. The first line names the sources, which a stack trace does not.
      const begin = `(function (exports, require) { "use strict"; // ${Object.keys(inputs).join(' ')}\n`;
      return { path, text: `${begin}${inAscii(withPlainExports(code, path))}})` };
    }),
  );
}

/** Without circles, a part is complete when another one imports it. */
function refuseCircles(outputs) {
  const importsOf = (path) =>
    outputs[path].imports.filter((it) => it.kind === 'import-statement' && !it.external).map((it) => it.path);
  const complete = new Set();
  const visit = (path, above) => {
    if (above.includes(path)) throw new Error(`parts import each other: ${[...above, path].join(', ')}`);
    if (complete.has(path)) return;
    for (const it of importsOf(path)) visit(it, [...above, path]);
    complete.add(path);
  };
  for (const path of Object.keys(outputs)) visit(path, []);
}

/**
 * Exports values when a part has run, where esbuild exports functions that return them, for modules that set a variable after they have
 * exported it. No module of the program does. Calling these functions took 2 percent of the time of `weft verify` with
 * 10,000 links, and 3 ms of every start.
 */
function withPlainExports(code, path) {
  const [all, names] = EXPORTS.exec(code) ?? [];
  if (all === undefined) throw new Error(`${path}: exports are not where they were`);
  const values = names.replaceAll(': () => ', ': ');
  const rest = code.replace(all, () => '').replaceAll(/__toESM\(require\(("\.\/[^"]+")\)\)/g, 'require($1)');
  if (/^module\.exports = /m.test(rest)) throw new Error(`${path}: exports twice`);
  return `${rest}Object.assign(exports, {\n${values}\n});\n`;
}

const EXPORTS =
  /var stdin_exports = \{\};\n__export\(stdin_exports, \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(stdin_exports\);\n/;

/** esbuild escapes other characters in texts; those in regular expressions and comments are left. */
const inAscii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
