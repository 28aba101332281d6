// npm run bench:library -- [--sizes 3,100,1000]
// The sizes of what a page loads of the library, and what its functions cost on this machine, as both builds.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type * as Library from '../../src/host/library/liqo-weft.d.ts';
import { benchFleet } from './fleet.ts';
import { median } from './median.ts';

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '100,1000' } } });
const ROOT = process.cwd();
const moduleOf = (name: string): string => fileURLToPath(pathToFileURL(`${ROOT}/dist/library/${name}.js`));

/** The bytes of a page that imports these names. */
async function sizesOf(names: string) {
  const bundled = async (minify: boolean): Promise<Uint8Array> => {
    const contents = `export { ${names} } from ${JSON.stringify(moduleOf('browser'))};`;
    const settings = { bundle: true, splitting: true, outdir: '/', write: false, format: 'esm', minify } as const;
    const { outputFiles } = await build({
      ...settings,
      stdin: { contents, resolveDir: ROOT, sourcefile: 'page.js' },
      platform: 'browser',
      logLevel: 'error',
    });
    return Buffer.concat(outputFiles.filter((it) => !/layout|print-svg/.test(it.path)).map((it) => it.contents));
  };
  const [raw, min] = [await bundled(false), await bundled(true)];
  return [raw.length, min.length, gzipSync(min, { level: 9 }).length].map((it) => `${Math.round(it / 1000)} kB`);
}

console.log('| imported | raw | minified | gzip |\n| --- | --- | --- | --- |');
for (const names of [
  'compile',
  'compile, trace, view',
  'compile, trace, traceAll, view, whois, ports, plan, whatIf, verify, graph',
])
  console.log(`| ${names} | ${(await sizesOf(names)).join(' | ')} |`);

/** The median of five runs, the first of which is left out: it loads code. */
function measured(work: () => unknown): string {
  const times = Array.from({ length: 6 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return `${median(times.slice(1)).toFixed(1)} ms`;
}

console.log(
  '\n| links | build | compile | compile and all bytes | trace | traceAll | plan |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const links of values.sizes.split(',').map(Number)) {
  const { topology, keys, leaf, other, edits } = benchFleet(links);
  for (const name of ['node', 'browser']) {
    const { compile, trace, traceAll, plan }: typeof Library = await import(moduleOf(name));
    const fleetOf = (text: string): Library.Fleet => {
      const compiled = compile({ topology: text, keys });
      if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
      return compiled.fleet;
    };
    const [before, after] = [fleetOf(topology), fleetOf(edits.one)];
    const row = [
      measured(() => fleetOf(topology)),
      measured(() => fleetOf(topology).files.size),
      measured(() => trace(before, { from: leaf, to: other })),
      measured(() => traceAll(before)),
      measured(() => plan(before, after)),
    ];
    console.log(`| ${links} | ${name} | ${row.join(' | ')} |`);
  }
}
