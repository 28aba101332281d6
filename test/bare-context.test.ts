import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyBundle } from '../src/proof/verify/verify-bundle.ts';
import { drawn } from './support/drawn.ts';
import { compileGolden, goldenFiles, goldenNames, goldenSources } from './support/golden.ts';
import { sourceFiles } from './support/source-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Every module but those that meet the outside world, and the one that is Node's; also the library. */
const pureModules = sourceFiles()
  .map((it) => it.path)
  .filter((it) => it.endsWith('.ts') && !it.endsWith('.d.ts') && !/^host\/(?!library\/)/.test(it))
  .filter((it) => !it.endsWith('/node-cryptography.ts'));

/** The function in the context: it takes and returns texts, because values of two contexts have different prototypes. */
const ENTRY = `
import { plainPaint } from './src/answers/report/paint.ts';
import { printDiagnostics } from './src/answers/report/print-diagnostics.ts';
import { compile } from './src/compile.ts';
import { verifyBundle } from './src/proof/verify/verify-bundle.ts';
export function run(text) {
  const { ok, value, diagnostics } = compile(JSON.parse(text), { relock: [], only: null });
  const files = [['diagnostics.txt', printDiagnostics(diagnostics, { paint: plainPaint, verbose: true })]];
  if (!ok) return JSON.stringify({ files, proof: [] });
  files.push(['topology.lock.yaml', value.lock], ...[...value.bundle].map(([path, it]) => ['out/' + path, it]));
  const { bundle, inputs } = value;
  const proof = verifyBundle({ files: new Map(bundle), root: 'out', sources: inputs, compiled: bundle });
  return JSON.stringify({ files, proof: proof.map((it) => it.message) });
}
`;

/** Fleets whose bytes depend on most of what Node has of its own: keys, signatures, certificates, encodings, includes. */
const ALWAYS = [
  'sharing-of-a-hub-with-its-spokes',
  'sharing-with-every-option',
  'included-files-are-one-fleet',
  'deck-two-one-pod-cidr-everywhere',
];

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'js' },
    absWorkingDir: ROOT,
    bundle: true,
    format: 'iife',
    globalName: 'weft',
    platform: 'browser',
    target: 'es2023',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describe('without Node and without a page, in JavaScript alone', () => {
  let run: (sources: string) => string;

  beforeAll(async () => {
    const all = pureModules.map((path, i) => `export * as module${i} from './src/${path}';`);
    // A context has the globals of the language alone: no process, Buffer, URL or timer.
    const context = createContext({});
    runInContext(await bundled([ENTRY, ...all].join('\n')), context);
    run = runInContext('weft.run', context);
  });

  it('every module but those of host/ is loaded', () => {
    expect(pureModules.length).toBeGreaterThan(250);
  });

  it.each(drawn(goldenNames(), (it) => ALWAYS.includes(it)))(
    'golden %s has the same bytes, and the same proof',
    (name) => {
      const outcome = compileGolden(name);
      const { files, proof } = JSON.parse(run(JSON.stringify(goldenSources(name))));
      expect(files).toEqual([...goldenFiles(outcome)]);
      if (!outcome.ok) return;
      const { bundle, inputs } = outcome.value;
      const found = verifyBundle({ files: new Map(bundle), root: 'out', sources: inputs, compiled: bundle });
      expect(proof).toEqual(found.map((it) => it.message));
    },
  );

  it('a module of Node cannot be bundled', async () => {
    await expect(bundled("import './src/base/cryptography/node-cryptography.ts';")).rejects.toThrow('node:crypto');
  });
});
