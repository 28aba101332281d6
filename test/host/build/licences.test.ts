import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error The build is plain JavaScript.
import { licencesOf } from '../../../src/host/build/licences.mjs';

const ROOT = new URL('../../..', import.meta.url).pathname;

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-licences-'));
  addPackage('ajv', { license: 'MIT', files: { LICENSE: 'ajv is free\r\nfor all\r\n' } });
  addPackage('@scope/one', { license: 'ISC', files: { 'LICENSE.md': 'one is free', NOTICE: 'made by one' } });
  addPackage('@scope/one/node_modules/two', { license: '0BSD', files: { licence: 'two is free' } });
  addPackage('silent', { license: 'MIT', files: { 'README.md': 'free' } });
  addPackage('infectious', { license: 'GPL-3.0-only', files: { LICENSE: 'as you wish' } });
  addPackage('nameless', { files: { LICENSE: 'free' } });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Files {
  readonly license?: string;
  readonly files: Readonly<Record<string, string>>;
}

function addPackage(path: string, { license, files }: Files): void {
  const folder = join(root, 'node_modules', path);
  mkdirSync(folder, { recursive: true });
  const name = path.split('node_modules/').at(-1);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

describe('the licences of a bundle', () => {
  it('are those of the packages of its files, in the same bytes whatever the order', async () => {
    const inputs = [
      'src/main.ts',
      'node_modules/@scope/one/lib/a.js',
      'node_modules/@scope/one/lib/b.js',
      'node_modules/@scope/one/node_modules/two/index.js',
    ];
    const text = await licencesOf(inputs, root);
    expect(text.split(`\n${'-'.repeat(80)}\n\n`)).toEqual([
      'The program in this folder holds these packages, under these licences.\n\n@scope/one 1.0.0 (ISC)\n\none is free\n\nmade by one\n',
      'two 1.0.0 (0BSD)\n\ntwo is free\n',
      'ajv 1.0.0 (MIT)\n\najv is free\nfor all\n',
    ]);
    expect(await licencesOf(inputs.reverse(), root)).toBe(text);
  });

  it.each([
    ['silent', 'silent 1.0.0 cannot be bundled: it has no file with the text of its licence'],
    [
      'infectious',
      'infectious 1.0.0 cannot be bundled: its licence "GPL-3.0-only" is not allowed by src/host/build/licences.mjs',
    ],
    [
      'nameless',
      'nameless 1.0.0 cannot be bundled: its licence undefined is not allowed by src/host/build/licences.mjs',
    ],
  ])('refuse the package "%s"', async (name, message) => {
    await expect(licencesOf([`node_modules/${name}/index.js`], root)).rejects.toThrow(message);
  });
});

describe('dist/', () => {
  it('quotes the licence of every package that a comment names', () => {
    const dist = join(ROOT, 'dist');
    const modules = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((it) => /\.c?js$/.test(it));
    const texts = modules.map((it) => readFileSync(join(dist, it), 'utf8'));
    const packages = new Set(
      texts
        // A comment names one source, or all of a part of the program.
        .flatMap((it) => it.match(/\/\/ (?:node_modules|src)\/.*/g) ?? [])
        .flatMap((it) => [...it.matchAll(/ node_modules\/((?:@[^/]+\/)?[^/ ]+)/g)].map(([, name]) => name)),
    );
    expect(packages).toContain('commander');
    expect(packages).toContain('@octokit/rest');
    expect(packages).toContain('@noble/curves');
    const licences = readFileSync(join(dist, 'LICENSES'), 'utf8');
    expect([...packages].filter((it) => !licences.includes(`\n${it} `))).toEqual([]);
  });
});
