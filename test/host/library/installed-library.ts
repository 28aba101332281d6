import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, pageAt } from '../../docs/pages.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const PAGE = pageAt('docs/library.md');

/** The files that the page shows: each begins with its name. */
const examples = blocksOf(PAGE).flatMap(({ language, text }) => {
  const [, name] = /^\/\/ (\S+)\n/.exec(text) ?? [];
  return language !== '' && name !== undefined ? [{ name, text }] : [];
});

/**
 * The tests of what users import. `projectWith` makes their project: a folder in which the package is installed, which gets the
 * example of this repository as its fleet.
 */
export function describeLibrary(projectWith: () => string): void {
  let project: string;
  const at = (path: string): string => join(project, path);

  function write(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }

  beforeAll(() => {
    project = projectWith();
    write('package.json', JSON.stringify({ name: 'ours', private: true, type: 'module' }));
    expect(readdirSync(at('node_modules'))).toEqual(['liqo-weft']);
    // Tools that users have besides.
    for (const tool of ['vitest', '@types']) symlinkSync(join(ROOT, 'node_modules', tool), at(`node_modules/${tool}`));
    for (const folder of ['topologies', 'out']) cpSync(join(ROOT, folder), at(folder), { recursive: true });
    for (const { name, text } of examples) write(name, text);
  });

  function run(program: string, args: readonly string[]) {
    const own = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|FORCE_COLOR)/i.test(name));
    const env = { ...Object.fromEntries(own), NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  describe('the examples of the page', () => {
    it('are three', () => {
      expect(examples.map((it) => it.name)).toEqual(['check-fleet.mjs', 'fleet.test.ts', 'render-view.mjs']);
    });

    it('compiles a topology, and proves the bundles', () => {
      const check = () => run('node', ['check-fleet.mjs']);
      expect(check()).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^europe: \d+ files keep their promises$/m),
        stderr: '',
      });
      const path = 'out/rome/nftables/milan.nft';
      const text = readFileSync(at(path), 'utf8');
      write(path, text.replace('10.81.', '10.82.'));
      expect(check()).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/^out\/rome\/nftables\/milan\.nft:\d+: .*\n.*run "weft compile"$/ms),
        stderr: '',
      });
      write(path, text);
      const topology = readFileSync(at('topologies/topology.yaml'), 'utf8');
      write('topologies/topology.yaml', topology.replace('[rome, milan]', '[rome, milano]'));
      expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('error: ') });
      write('topologies/topology.yaml', topology);
    });

    it('walks packets in a test', () => {
      const tested = run('node', ['node_modules/vitest/vitest.mjs', 'run', '--root', project, 'fleet.test.ts']);
      expect(tested.stdout + tested.stderr).toContain('Tests  3 passed (3)');
      expect(tested.status).toBe(0);
    });

    it('renders a view', () => {
      const rendered = run('node', ['render-view.mjs']);
      expect(rendered).toMatchObject({ status: 0, stderr: '' });
      expect(rendered.stdout).toContain('<tr><td>milan<td>pod<td>10.202.0.0/16<td>10.81.0.0/16</tr>');
      expect(rendered.stdout).toContain('<svg');
      expect(run('node', ['render-view.mjs', 'topologies/topology.yaml', 'x']).stderr).toContain('no cluster "x"');
    });
  });

  describe('cryptography', () => {
    it('is of Node in Node, and of packages elsewhere', () => {
      const bundledIn = (path: string) =>
        /node_modules\/@noble\//.test(readFileSync(at(`node_modules/liqo-weft/dist/${path}`), 'utf8'));
      const chunks = readdirSync(at('node_modules/liqo-weft/dist')).filter((it) => it.endsWith('.js'));
      expect(chunks.filter(bundledIn)).toEqual([]);
      expect(['node', 'browser'].map((it) => bundledIn(`library/${it}.js`))).toEqual([false, true]);
    });
  });

  describe('the types', () => {
    const STRICT = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2023' };

    function tsc(settings: object, files: readonly string[]): string {
      write('tsconfig.json', JSON.stringify({ compilerOptions: { ...STRICT, ...settings }, files }));
      return run('node', [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]).stdout;
    }

    const RESOLUTIONS = [
      { module: 'nodenext', moduleResolution: 'nodenext' },
      { module: 'preserve', moduleResolution: 'bundler' },
    ];

    it.each(RESOLUTIONS)('describe the examples with $moduleResolution', (resolution) => {
      const settings = { ...resolution, types: ['node'], allowJs: true, checkJs: true, skipLibCheck: true };
      expect(
        tsc(
          settings,
          examples.map((it) => it.name),
        ),
      ).toBe('');
    });

    it.each(RESOLUTIONS)('need no other types with $moduleResolution, and catch mistakes', (resolution) => {
      const settings = { ...resolution, lib: ['es2023'], types: [], skipLibCheck: false };
      write(
        'good.ts',
        `import { compile, type Fleet, type TraceDocument, trace } from 'liqo-weft';
const compiled = compile({ topology: '', keys: undefined });
const fleet: Fleet | null = compiled.fleet;
export const name: string | undefined = compiled.ok ? compiled.fleet.name : compiled.diagnostics[0]?.code;
export const way: TraceDocument | null = fleet && trace(fleet, { from: 'a', to: 'b' });
export const fate: 'delivered' | undefined = way?.trace?.fate === 'delivered' ? way.trace.fate : undefined;
`,
      );
      write(
        'bad.ts',
        `import { compile, trace } from 'liqo-weft';
const { fleet } = compile({ topology: '' });
trace(fleet, { from: 'a', to: 'b' });
compile({ topology: '', lok: '' });
export const route: number = trace(fleet!, { from: 'a', to: 'b' }).trace!.route;
import 'liqo-weft/dist/library/node.js';
`,
      );
      const errors = tsc(settings, ['good.ts', 'bad.ts'])
        .split('\n')
        .flatMap((it) => /^(\S+\.ts\(\d+),/.exec(it)?.[1] ?? []);
      expect([...new Set(errors)].sort()).toEqual(['3', '4', '5', '6'].map((it) => `bad.ts(${it}`));
    });
  });

  describe('for a browser', () => {
    const bundled = async (code: string): Promise<string> => {
      const { outputFiles } = await build({
        stdin: { contents: code, resolveDir: project },
        bundle: true,
        write: false,
        minify: true,
        format: 'iife',
        globalName: 'page',
        platform: 'browser',
        logLevel: 'silent',
      });
      return outputFiles[0]?.text ?? '';
    };

    it('a bundler takes a build that needs no Node, and what is imported of it', async () => {
      const code = await bundled(`import { compile } from 'liqo-weft';
export const bytesOf = (sources) => JSON.stringify([...compile(JSON.parse(sources)).fleet.files]);`);
      const context = createContext({});
      runInContext(code, context);
      const textAt = (name: string) => readFileSync(at(`topologies/${name}`), 'utf8');
      const sources = JSON.stringify({
        topology: textAt('topology.yaml'),
        keys: textAt('topology.keys.yaml'),
        lock: textAt('topology.lock.yaml'),
      });
      const files: readonly (readonly [string, string])[] = JSON.parse(runInContext('page.bytesOf', context)(sources));
      expect(files.length).toBeGreaterThan(30);
      for (const [path, text] of files) expect(text).toBe(readFileSync(at(`out/${path}`), 'utf8'));
      expect(code.length).toBeLessThan((await bundled("export * from 'liqo-weft';")).length / 1.5);
    });
  });
}
